import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const executablePath = [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find(
  (place) => place && existsSync(place),
);
if (!executablePath) {
  console.log('skipped: no Firefox on this machine');
  process.exit(process.env.CI === 'true' ? 1 : 0);
}

interface Message {
  id?: number;
  method?: string;
  result: { context: string; contexts: { context: string }[]; result: { value: string } };
  params: { level: string; text: string };
  message?: string;
  exceptionDetails?: { text: string };
}

/**
 * A tab of Firefox, controlled by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/), with these
 * preferences. It accepts untrusted certificates.
 */
export async function startFirefox(preferences: Record<string, string> = {}) {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
  const lines = Object.entries(preferences).map(
    (pair) => `user_pref(${JSON.stringify(pair).slice(1, -1)});\n`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join(''));
  const child = spawn(executablePath!, ['--headless', '--remote-debugging-port=0', '--profile', profile]);
  const address = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stderr.on('data', (chunk) => {
      printed += chunk;
      const [, found] = /BiDi listening on (ws:\S+)/.exec(printed) ?? [];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`Firefox ended with ${code}: ${printed}`)));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  const waiting = new Map<number, (message: Message) => void>();
  /** Console errors and exceptions. */
  const faults: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    else if (message.params.level === 'error') faults.push(message.params.text);
  });
  let last = 0;
  async function call(method: string, params: object): Promise<Message['result']> {
    last += 1;
    const id = last;
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { result, message } = await answered;
    if (message) throw new Error(`${method}: ${message}`);
    return result;
  }
  await call('session.new', { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
  await call('session.subscribe', { events: ['log.entryAdded'] });
  const [{ context }] = (await call('browsingContext.getTree', {})).contexts as [{ context: string }];
  return {
    faults,
    open: (url: string) => call('browsingContext.navigate', { context, url, wait: 'complete' }),
    /** Runs a function with a text in the page. Returns what it resolves to, as JSON. */
    async run<T>(task: (text: string) => T | Promise<T>, text = ''): Promise<T> {
      const expression = `(async () => JSON.stringify(await (${task})(${JSON.stringify(text)})))()`;
      const done = await call('script.evaluate', { expression, target: { context }, awaitPromise: true });
      if (!done.result) throw new Error((done as unknown as Message).exceptionDetails!.text);
      return JSON.parse(done.result.value ?? 'null');
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGKILL');
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 9 });
    },
  };
}
