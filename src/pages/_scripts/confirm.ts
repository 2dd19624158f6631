import type { Confirmable } from '../../placements/confirmation.ts';
import type { ApiAnswer } from './api-client.ts';
import { el, need, showFacts, timeOf } from './dom.ts';
import { countDaysBetween, formatDate } from './format.ts';
import { meanings } from './meanings.ts';
import { openTokenPage, unknownLink } from './token-page.ts';

const page = openTokenPage({
  path: '/confirmation',
  header: 'X-Confirmation',
  refusals: {
    401: unknownLink,
    already_answered: 'This was already answered differently. The first answer counts.',
  },
  show,
});

type Statement = NonNullable<Confirmable['statement']>;

const form = need<HTMLFormElement>(page.content, '[data-answer]');
const sure = need<HTMLElement>(page.content, '[data-sure]');
const sendButton = need<HTMLButtonElement>(sure, '[data-send]');

const readFirst = 'Read it, then answer below.';

/** The statement that is shown. */
let statement: Statement;
/** The button of the answer that the person chose, before it is sent. */
let answerButton: HTMLButtonElement;

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

/** Says who asks, as far as the service knows it. */
const explainAsking = (party: string) =>
  `You are asked as the ${party} of this placement. The person who recorded the placement here asks you, and this service does not check who that is. If you do not know the sender of the link, do not answer.`;

/** Shows the statement, and either its answer or the form for an answer. */
function show({ status, body }: ApiAnswer): void {
  const { statement: stated, party, answer, validated } = body;
  page.content.hidden = status !== 200 || Boolean(answer);
  showStep('answer');
  showFacts(page.facts, stated ? listFacts(stated) : []);
  if (status !== 200) {
    page.sayRefusal(status, body);
    return;
  }
  statement = stated;
  need(page.content, '[data-asks]').textContent = explainAsking(party);
  if (answer) showAnswer(answer, validated === true);
  else page.say(readFirst);
}

/** Shows the form for an answer, or what is about to be sent. */
function showStep(step: 'answer' | 'sure'): void {
  form.hidden = step !== 'answer';
  sure.hidden = step !== 'sure';
}

const claims: Record<Statement['result'], string> = {
  retained: 'the person was still in the placement on',
  converted: 'the client had taken the person on by',
  attrited: 'the person was no longer in the placement on',
  finished: 'the work had reached its planned end by',
};

/** Describes what a party agrees or does not agree with, after "that". */
const describeClaim = ({ result, asOf }: Statement) => `${claims[result]} ${formatDate(asOf)}`;

const hasAgreed = () => answerButton.value === 'true';
const readComment = () => need<HTMLTextAreaElement>(form, 'textarea').value.trim();

/** Says in words what is about to be sent. Nothing is sent yet, and the focus is on no button. */
function askOnceMore(): void {
  const { reference, title, client } = statement;
  const heading = need<HTMLElement>(sure, 'h3');
  const verb = hasAgreed() ? 'agree' : 'do not agree';
  heading.textContent = `You ${verb} that ${describeClaim(statement)}.`;
  const about = [reference, title, client].filter((value) => value !== null);
  need(sure, '[data-about]').replaceChildren(
    ...about.flatMap((value, index) => [index === 0 ? '' : ' · ', el('bdi', {}, value)]),
  );
  const comment = readComment();
  const place = need<HTMLElement>(sure, '[data-comment]');
  place.replaceChildren('Your comment: ', el('bdi', {}, comment));
  place.hidden = comment === '';
  sendButton.textContent = hasAgreed() ? 'Send: I agree' : 'Send: I do not agree';
  page.say('Nothing is sent yet.');
  showStep('sure');
  heading.focus();
}

/** Returns to the form, where the answer and the comment can be changed. */
function goBack(): void {
  page.say(readFirst);
  showStep('answer');
  answerButton.focus();
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

async function send(): Promise<void> {
  page.say('Sending your answer …');
  const comment = readComment();
  const answered = await page.send({ agrees: hasAgreed(), ...(comment !== '' && { comment }) });
  if (answered.status !== 412) return show(answered);
  await page.read();
  page.say(
    'The statement changed while you read. You have not answered: this is what is stated now.',
    'blocked',
  );
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  answerButton = event.submitter as HTMLButtonElement;
  askOnceMore();
});
sendButton.addEventListener('click', () => page.attempt(send));
need(sure, '[data-back]').addEventListener('click', goBack);
// On the whole page, because the focus is on the verdict after the answer could not be sent.
document.addEventListener('keydown', ({ key }) => {
  const canGoBack = !page.content.hidden && !sure.hidden && !sendButton.disabled;
  if (key === 'Escape' && canGoBack) goBack();
});
