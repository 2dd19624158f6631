import type { Confirmable } from '../../placements/confirmation.ts';
import type { ApiAnswer } from './api-client.ts';
import { el, need, showFacts, timeOf } from './dom.ts';
import { countDaysBetween, formatDate } from './format.ts';
import { meanings } from './meanings.ts';
import { openTokenPage } from './token-page.ts';

const page = openTokenPage({
  path: '/confirmation',
  header: 'X-Confirmation',
  refusals: {
    401: 'This link is not known here: it was replaced by a newer one, it has expired, or a part of it is missing. Ask whoever sent it to you for a new one.',
    already_answered: 'This was already answered differently. The first answer counts.',
  },
  show,
});

type Statement = NonNullable<Confirmable['statement']>;

const listFacts = ({
  reference,
  result,
  asOf,
  startDate,
  guaranteeDays,
  occupation,
  title,
  client,
}: Statement) =>
  [
    ...(reference === null ? [] : [['Placement', reference] as const]),
    ['Outcome', `${meanings[result]} (${result})`],
    ['As of', `${formatDate(asOf)}, day ${countDaysBetween(startDate, asOf)} of ${guaranteeDays}`],
    ['Started', formatDate(startDate)],
    ['Job', title ?? 'no longer on record'],
    ['Client', client ?? 'no longer on record'],
    ['Occupation', `${occupation.title} (${occupation.code})`],
  ] as const;

/** Shows the statement, and either its answer or the form for an answer. */
function show({ status, body }: ApiAnswer): void {
  const { statement, answer, validated } = body;
  page.content.hidden = status !== 200 || Boolean(answer);
  showFacts(page.facts, statement ? listFacts(statement) : []);
  if (status !== 200) page.sayRefusal(status, body);
  else if (answer) showAnswer(answer, validated === true);
  else page.say('Read it, then answer below.');
}

interface GivenAnswer {
  agrees: boolean;
  at: string;
  comment?: string;
}

function showAnswer({ agrees, at, comment }: GivenAnswer, isValidated: boolean): void {
  const how = agrees ? 'agree' : 'do not agree';
  const added = comment === undefined ? [] : [' Your comment: ', el('bdi', {}, comment)];
  page.say(
    'Answered on ',
    'ok',
    timeOf(at),
    `: you ${how}.${isValidated ? ' The outcome is validated now.' : ''} Thank you; you are done.`,
    ...added,
  );
}

async function answer(agrees: boolean): Promise<void> {
  page.say('Sending your answer …');
  const comment = need<HTMLTextAreaElement>(page.content, 'textarea').value.trim();
  const answered = await page.send({ agrees, ...(comment !== '' && { comment }) });
  if (answered.status !== 412) return show(answered);
  await page.read();
  page.say(
    'The statement changed while you read. You have not answered: this is what is stated now.',
    'blocked',
  );
}

page.content.addEventListener('submit', (event) => {
  event.preventDefault();
  const { value } = (event as SubmitEvent).submitter as HTMLButtonElement;
  page.attempt(() => answer(value === 'true'));
});
