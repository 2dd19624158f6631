import type { ApiAnswer } from './api-client.ts';
import { need, showFacts } from './dom.ts';
import { toDate, toDays, toMoment } from './format.ts';
import { meanings } from './meanings.ts';
import { openTokenPage } from './token-page.ts';
import { courseDays } from './workspace-page/course.ts';

const root = need<HTMLElement>(document, '[data-confirm]');
const facts = need<HTMLElement>(root, '[data-said]');
const form = need<HTMLFormElement>(root, '[data-content]');
const comment = need<HTMLTextAreaElement>(form, 'textarea');

interface Statement {
  result: keyof typeof meanings;
  asOf: string;
  startDate: string;
  occupation: { code: string; title: string };
  title: string | null;
  client: string | null;
}

const page = openTokenPage({
  root,
  path: '/confirmation',
  header: 'X-Confirmation',
  reading: 'Reading what is stated …',
  missing: 'This page needs the whole link that you were sent: the part after the # is missing.',
  content: form,
  show,
});

function showStatement({ result, asOf, startDate, occupation, title, client }: Statement): void {
  showFacts(facts, [
    ['Outcome', `${meanings[result]} (${result})`],
    ['As of', `${toDate(asOf)}, day ${toDays(startDate, asOf)} of ${courseDays}`],
    ['Started', toDate(startDate)],
    ['Job', title ?? 'no longer on record'],
    ['Client', client ?? 'no longer on record'],
    ['Occupation', `${occupation.title} (${occupation.code})`],
  ]);
}

/** What a refusal means to a person. */
function toRefusalWords(status: number, { code, reason, message }: ApiAnswer['body']): string {
  if (status === 401)
    return 'This link is not known here: it was replaced by a newer one, it has expired, or a part of it is missing. Ask whoever sent it to you for a new one.';
  if (code === 'already_answered') return 'This was already answered differently. The first answer counts.';
  if (code === 'outcome_closed') return `This can no longer be answered. ${reason}`;
  return reason ?? message ?? `The service answered ${status}.`;
}

/** Shows the statement, and the answer to it or the form for one. */
function show({ status, body }: ApiAnswer): void {
  const { statement, answer } = body;
  form.hidden = status !== 200 || Boolean(answer);
  if (statement) showStatement(statement);
  else showFacts(facts, []);
  if (status !== 200) page.say(toRefusalWords(status, body), 'blocked');
  else if (answer) showAnswer(answer);
  else page.say('Read it, then answer below.');
}

function showAnswer({ agrees, at, comment: words }: { agrees: boolean; at: string; comment?: string }) {
  const added = words === undefined ? '' : ` Your comment: ${words}`;
  const how = agrees ? 'agree' : 'do not agree';
  page.say(`Answered on ${toMoment(at)}: you ${how}. Thank you; you are done.${added}`, 'ok');
}

async function answer(agrees: boolean): Promise<void> {
  page.say('Sending your answer …');
  const words = comment.value.trim();
  const answered = await page.send({ agrees, ...(words !== '' && { comment: words }) });
  if (answered.status !== 412) return show(answered);
  await page.read();
  page.say(
    'The statement changed while you read. You have not answered: this is what is stated now.',
    'blocked',
  );
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const { value } = event.submitter as HTMLButtonElement;
  page.attempt(() => answer(value === 'true'));
});
