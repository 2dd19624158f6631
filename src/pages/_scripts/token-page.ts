import { type ApiAnswer, callApi, type Envelope } from './api-client.ts';
import { need, showVerdict } from './dom.ts';
import { storeInTab, type TokenStore } from './token-store.ts';

/** What a page says of a token that the service does not know. */
export const unknownLink =
  'This link is not known here: it was replaced by a newer one, it has expired, or a part of it is missing. Ask the sender for a new one.';

interface TokenPage {
  /** The path to read, and the header for the token. */
  path: string;
  header: string;
  /** Messages for a person by the code or status of a refusal. Other refusals show their own message. */
  refusals: Record<string, string>;
  /** Where the token is stored: by default for this tab. */
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

const explainRefusal = (
  refusals: TokenPage['refusals'],
  status: number,
  { code, reason, message }: Envelope,
): string => refusals[code] ?? refusals[status] ?? reason ?? message ?? `The service answered ${status}.`;

/** The calls of a page, with its token and the ETag of the version that it shows. An answer applies to this version. */
class TokenCalls {
  readonly #page: Pick<TokenPage, 'path' | 'header' | 'refusals'>;
  token = '';
  #tag: string | undefined;

  constructor(page: Pick<TokenPage, 'path' | 'header' | 'refusals'>) {
    this.#page = page;
  }

  /** Calls the service. Throws after a refusal that may pass, so that the page stays as it is. */
  async call(method: string, body?: object): Promise<ApiAnswer> {
    const { path, header, refusals } = this.#page;
    const headers = { [header]: this.token, ...(body && this.#tag && { 'If-Match': this.#tag }) };
    const answer = await callApi(method, path, { headers, body });
    this.#tag = answer.tag ?? this.#tag;
    if (answer.status === 429 || answer.status >= 500)
      throw new Error(explainRefusal(refusals, answer.status, answer.body));
    return answer;
  }
}

/** Opens a page whose address has a token, such as the page of a claim. */
export function openTokenPage({
  path,
  header,
  refusals,
  show,
  store = storeInTab(`careers${path}`),
}: TokenPage) {
  const verdict = need<HTMLElement>(document, '[data-verdict]');
  const again = need<HTMLButtonElement>(document, '[data-again]');
  /** The part with the buttons. It is hidden while it is loaded. */
  const content = need<HTMLElement>(document, '[data-content]');
  const reading = verdict.textContent!;
  verdict.tabIndex = -1;
  const calls = new TokenCalls({ path, header, refusals });
  const say = (words: string, tone?: 'ok' | 'blocked', ...more: (Node | string)[]) =>
    showVerdict(verdict, tone, words, ...more);

  const explain = (status: number, body: Envelope) => explainRefusal(refusals, status, body);

  /** Reads again while the page stays as it is. */
  const refresh = async (): Promise<void> => show(await calls.call('GET'));

  async function read(): Promise<void> {
    content.hidden = true;
    if (calls.token === '') return say(store.missingMessage, 'blocked');
    say(reading);
    await refresh();
  }

  const attempt = (run: () => Promise<unknown>, isPressed = true) =>
    runButton({ content, again, verdict, say }, run, isPressed);

  const start = () => {
    calls.token = store.read();
    attempt(read, false);
  };
  again.addEventListener('click', () => attempt(read));
  addEventListener('hashchange', start);
  start();
  return {
    content,
    facts: need<HTMLElement>(document, '[data-said]'),
    say,
    explainRefusal: explain,
    sayRefusal: (status: number, body: Envelope) => say(explain(status, body), 'blocked'),
    attempt,
    read,
    refresh,
    send: (body: object) => calls.call('POST', body),
    forget: () => store.forget(),
  };
}
