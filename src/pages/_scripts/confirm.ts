import { el, need } from './dom.ts';
import { isLive } from './live.ts';
import { meanings } from './meanings.ts';
import { takeToken } from './token.ts';
import { courseDays, toDays } from './workspace-page/course.ts';

const root = need<HTMLElement>(document, '[data-confirm]');
const verdict = need<HTMLElement>(root, '[data-verdict]');
const said = need<HTMLElement>(root, '[data-said]');
const form = need<HTMLFormElement>(root, '[data-form]');
const comment = need<HTMLTextAreaElement>(form, 'textarea');
const again = need<HTMLButtonElement>(root, '[data-again]');
const place = 'careers-confirmation';

interface Answer {
  agrees: boolean;
  at: string;
  comment?: string;
}

interface Envelope {
  code?: string;
  reason?: string;
  message?: string;
  statement?: {
    result: keyof typeof meanings;
    asOf: string;
    startDate: string;
    occupation: { code: string; title: string };
    title: string | null;
    client: string | null;
  };
  answer?: Answer | null;
}

let token = takeToken(place);
/** The tag of the statement that is shown: an answer is to that one. */
let tag = '';

async function ask(method: 'GET' | 'POST', body?: object): Promise<{ status: number; body: Envelope }> {
  await isLive();
  const response = await fetch('/confirmation', {
    method,
    cache: 'no-store',
    headers: {
      'X-Confirmation': token,
      ...(body && { 'Content-Type': 'application/json', 'If-Match': tag }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  tag = response.headers.get('ETag') ?? tag;
  return { status: response.status, body: await response.json() };
}

function say(tone: 'ok' | 'blocked' | undefined, words: string): void {
  verdict.className = tone ? `verdict is-${tone}` : 'verdict';
  verdict.textContent = words;
}

function showStatement({
  result,
  asOf,
  startDate,
  occupation,
  title,
  client,
}: Envelope['statement'] & object) {
  const rows = [
    ['Outcome', `${meanings[result]} (${result})`],
    ['As of', `${asOf}, day ${toDays(startDate, asOf)} of ${courseDays}`],
    ['Started', startDate],
    ['Job', title ?? 'no longer on record'],
    ['Client', client ?? 'no longer on record'],
    ['Occupation', `${occupation.title} (${occupation.code})`],
  ] as const;
  said.replaceChildren(
    ...rows.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))),
  );
  said.hidden = false;
}

function showAnswer({ agrees, at, comment: words }: Answer): void {
  const when = `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
  const told = words === undefined ? '' : ` Your comment: ${words}`;
  say(
    'ok',
    `Answered on ${when}: you ${agrees ? 'agree' : 'do not agree'}. Thank you; nothing more is needed.${told}`,
  );
}

/** What a refusal means to a person. */
function toWords(status: number, { code, reason, message }: Envelope): string {
  if (status === 401) {
    return 'This link is not known here: it was replaced by a newer one, it has expired, or a part of it is missing. Ask who sent it to you for a new one.';
  }
  if (code === 'already_answered')
    return 'This was answered already, and otherwise. The first answer stands.';
  if (code === 'outcome_closed') return `This can no longer be answered. ${reason}`;
  return reason ?? message ?? `The service answered ${status}.`;
}

/** Shows what came back; what can be answered can then be. */
function show(status: number, body: Envelope): void {
  const isOpen = status === 200 && !body.answer;
  form.hidden = !isOpen;
  if (body.statement) showStatement(body.statement);
  if (status === 200 && body.answer) showAnswer(body.answer);
  else if (isOpen) say(undefined, 'Read it, then answer below.');
  else say('blocked', toWords(status, body));
}

async function attempt(run: () => Promise<void>): Promise<void> {
  again.hidden = true;
  for (const button of form.querySelectorAll('button')) button.disabled = true;
  try {
    await run();
  } catch {
    say('blocked', 'The service could not be reached. What you wrote is still here.');
    again.hidden = false;
  }
  for (const button of form.querySelectorAll('button')) button.disabled = false;
}

async function read(): Promise<void> {
  said.hidden = true;
  form.hidden = true;
  if (token === '') {
    return say(
      'blocked',
      'This page needs the whole link that you were sent: what stands after the # is missing.',
    );
  }
  say(undefined, 'Reading what is stated …');
  const { status, body } = await ask('GET');
  show(status, body);
}

async function answer(agrees: boolean): Promise<void> {
  say(undefined, 'Sending your answer …');
  const words = comment.value.trim();
  const { status, body } = await ask('POST', { agrees, ...(words !== '' && { comment: words }) });
  if (status !== 412) return show(status, body);
  await read();
  say(
    'blocked',
    'Something else was stated while you read. Nothing was answered: this is what is stated now.',
  );
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const { value } = event.submitter as HTMLButtonElement;
  attempt(() => answer(value === 'true'));
});
again.addEventListener('click', () => attempt(read));
addEventListener('hashchange', () => {
  token = takeToken(place);
  attempt(read);
});
attempt(read);
