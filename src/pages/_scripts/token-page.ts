import { type ApiAnswer, callApi, type Envelope } from './api-client.ts';
import { need, showVerdict } from './dom.ts';

interface TokenPage {
  /** Where the service answers, and the header that takes the token. */
  path: string;
  header: string;
  /** What a refusal means to a person, by its code, its status, or else in its own words. */
  refusals: Record<string, string>;
  /** Shows what was read. */
  show(answer: ApiAnswer): void;
}

/** Takes the token out of the address; this tab alone keeps it, so that the page can be loaded again. */
function takeToken(place: string): string {
  const given = location.hash.slice(1);
  if (given === '') return sessionStorage.getItem(place) ?? '';
  history.replaceState(null, '', location.pathname);
  sessionStorage.setItem(place, given);
  return given;
}

interface ButtonPlaces {
  content: HTMLElement;
  again: HTMLElement;
  verdict: HTMLElement;
  say(words: string, tone: 'blocked'): void;
}

/**
 * Runs what a button does, while none can be pressed; what fails can be tried again. Then the element that it resolves
 * with, or the verdict, has the focus and is in view.
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

/** A page that a link with a token in its address leads to, such as that of a claim. */
export function openTokenPage({ path, header, refusals, show }: TokenPage) {
  const verdict = need<HTMLElement>(document, '[data-verdict]');
  const again = need<HTMLButtonElement>(document, '[data-again]');
  /** What a person can act on: hidden while it is read. */
  const content = need<HTMLElement>(document, '[data-content]');
  const place = `careers${path}`;
  const reading = verdict.textContent!;
  verdict.tabIndex = -1;
  let token = '';
  /** The tag of what is shown: an answer is to that version. */
  let tag: string | undefined;
  const say = (words: string, tone?: 'ok' | 'blocked', ...more: (Node | string)[]) =>
    showVerdict(verdict, tone, words, ...more);

  const explainRefusal = (status: number, { code, reason, message }: Envelope): string =>
    refusals[code] ?? refusals[status] ?? reason ?? message ?? `The service answered ${status}.`;

  async function call(method: string, body?: object): Promise<ApiAnswer> {
    const headers = { [header]: token, ...(body && tag && { 'If-Match': tag }) };
    const answer = await callApi(method, path, { headers, body });
    tag = answer.tag ?? tag;
    // What may be answered another time changes nothing that is shown.
    if (answer.status === 429 || answer.status >= 500)
      throw new Error(explainRefusal(answer.status, answer.body));
    return answer;
  }

  async function read(): Promise<void> {
    content.hidden = true;
    if (token === '')
      return say(
        'This page needs the whole link that you were given: the part after the # is missing.',
        'blocked',
      );
    say(reading);
    show(await call('GET'));
  }

  const attempt = (run: () => Promise<unknown>, isPressed = true) =>
    runButton({ content, again, verdict, say }, run, isPressed);

  const start = () => {
    token = takeToken(place);
    attempt(read, false);
  };
  again.addEventListener('click', () => attempt(read));
  addEventListener('hashchange', start);
  start();
  return {
    content,
    facts: need<HTMLElement>(document, '[data-said]'),
    say,
    sayRefusal: (status: number, body: Envelope) => say(explainRefusal(status, body), 'blocked'),
    attempt,
    read,
    send: (body: object) => call('POST', body),
    forget: () => sessionStorage.removeItem(place),
  };
}
