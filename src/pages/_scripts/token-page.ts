import { type ApiAnswer, callApi, type Envelope } from './api-client.ts';
import { need, showVerdict } from './dom.ts';
import { keepInTab, type TokenStore } from './token-store.ts';

interface TokenPage {
  /** The path to read, and the header for the token. */
  path: string;
  header: string;
  /** Messages for a person by the code or status of a refusal. Other refusals show their own message. */
  refusals: Record<string, string>;
  /** Where the token is kept: by default for this tab. */
  store?: TokenStore;
  show(answer: ApiAnswer): void;
}

interface ButtonPlaces {
  content: HTMLElement;
  again: HTMLElement;
  verdict: HTMLElement;
  say(words: string, tone: 'blocked'): void;
}

/**
 * Runs the action of a button while all buttons are disabled. If it fails, the person can try again. Then moves the
 * focus to the element that it resolves with, or to the verdict.
 */
async function runButton(
  { content, again, verdict, say }: ButtonPlaces,
  run: () => Promise<unknown>,
  isPressed: boolean,
): Promise<void> {
  let result: unknown;
  const buttons = content.querySelectorAll('button');
  again.hidden = true;
  for (const button of buttons) button.disabled = true;
  try {
    result = await run();
  } catch (error) {
    say((error as Error).message, 'blocked');
    again.hidden = !content.hidden;
  }
  for (const button of buttons) button.disabled = false;
  if (isPressed) (result instanceof HTMLElement ? result : verdict).focus();
}

/** Opens a page whose address has a token, such as the page of a claim. */
export function openTokenPage({
  path,
  header,
  refusals,
  show,
  store = keepInTab(`careers${path}`),
}: TokenPage) {
  const verdict = need<HTMLElement>(document, '[data-verdict]');
  const again = need<HTMLButtonElement>(document, '[data-again]');
  /** The part with the buttons. It is hidden while it is loaded. */
  const content = need<HTMLElement>(document, '[data-content]');
  const reading = verdict.textContent!;
  verdict.tabIndex = -1;
  let token = '';
  /** The ETag of the shown version. An answer applies to this version. */
  let tag: string | undefined;
  const say = (words: string, tone?: 'ok' | 'blocked', ...more: (Node | string)[]) =>
    showVerdict(verdict, tone, words, ...more);

  const explainRefusal = (status: number, { code, reason, message }: Envelope): string =>
    refusals[code] ?? refusals[status] ?? reason ?? message ?? `The service answered ${status}.`;

  async function call(method: string, body?: object): Promise<ApiAnswer> {
    const headers = { [header]: token, ...(body && tag && { 'If-Match': tag }) };
    const answer = await callApi(method, path, { headers, body });
    tag = answer.tag ?? tag;
    // After a refusal that may pass, the page stays as it is.
    if (answer.status === 429 || answer.status >= 500)
      throw new Error(explainRefusal(answer.status, answer.body));
    return answer;
  }

  /** Reads again while the page stays as it is. */
  const refresh = async (): Promise<void> => show(await call('GET'));

  async function read(): Promise<void> {
    content.hidden = true;
    if (token === '') return say(store.missing, 'blocked');
    say(reading);
    await refresh();
  }

  const attempt = (run: () => Promise<unknown>, isPressed = true) =>
    runButton({ content, again, verdict, say }, run, isPressed);

  const start = () => {
    token = store.take();
    attempt(read, false);
  };
  again.addEventListener('click', () => attempt(read));
  addEventListener('hashchange', start);
  start();
  return {
    content,
    facts: need<HTMLElement>(document, '[data-said]'),
    say,
    explainRefusal,
    sayRefusal: (status: number, body: Envelope) => say(explainRefusal(status, body), 'blocked'),
    attempt,
    read,
    refresh,
    send: (body: object) => call('POST', body),
    forget: () => store.forget(),
  };
}
