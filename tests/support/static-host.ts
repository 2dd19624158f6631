import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { findPort, makeFolder } from './server.ts';

const client = join(import.meta.dirname, '..', '..', 'dist', 'client');
const children = new Set<ChildProcess>();
/** Stops whatever a test started here and did not stop. */
export function stopProcesses(): void {
  for (const child of children) child.kill('SIGKILL');
}
process.on('exit', stopProcesses);

/** A server of files alone. */
interface StaticHost {
  origin: string;
  stop(): void;
}

/** Copies what the build wrote for static hosts to a folder in which a test may change it. */
export function copyClient(): string {
  const folder = makeFolder();
  cpSync(client, folder, { recursive: true });
  return folder;
}

/** Starts a process and waits until `origin` answers, at most a minute. Rejects with the output if the process ends. */
export async function startProcess(command: string, args: string[], cwd: string, origin: string) {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  let printed = '';
  let ended: string | undefined;
  child.stdout.on('data', (chunk) => (printed += chunk));
  child.stderr.on('data', (chunk) => (printed += chunk));
  child.on('error', (error) => (ended = error.message));
  child.on('exit', (code) => (ended ??= `ended with ${code}`));
  for (let tries = 0; tries < 1200 && ended === undefined; tries += 1) {
    try {
      await (await fetch(origin)).arrayBuffer();
      return child;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error(`${command} ${ended ?? 'does not answer'}:\n${printed}`);
}

/** Runs `python3 -m http.server` over dist/client, or a copy of it. */
export async function startStaticHost(folder = client): Promise<StaticHost> {
  const port = await findPort();
  const origin = `http://localhost:${port}`;
  const args = ['-m', 'http.server', String(port), '--bind', '127.0.0.1'];
  const child = await startProcess('python3', args, folder, origin);
  return { origin, stop: () => child.kill('SIGKILL') };
}

/**
 * Returns what a static host sends at a path by the `_headers` of the build. Throws if there are more blocks
 * than static hosts read, or if two blocks for one path name the same header, because the values would be
 * joined.
 */
export function readStaticHeaders(): (path: string) => Headers {
  const texts = readFileSync(join(client, '_headers'), 'utf8').split('\n\n');
  assert.ok(texts.length <= 100, `${texts.length} blocks, of which hosts read 100`);
  const blocks = texts.map((text) => {
    const [address = '', ...lines] = text.trim().split('\n');
    assert.ok(address.split('*').length <= 2, `${address} has at most one star`);
    const literal = address.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace('*', '.*');
    const headers = lines.map(
      (line) =>
        line
          .trim()
          .split(/: (.*)/s)
          .slice(0, 2) as [string, string],
    );
    return { pattern: new RegExp(`^${literal}$`), headers };
  });
  return (path) => {
    const sent = blocks.flatMap(({ pattern, headers }) => (pattern.test(path) ? headers : []));
    const names = sent.map(([name]) => name);
    assert.is(new Set(names).size, names.length, `${path}: ${names}`);
    return new Headers(sent);
  };
}
