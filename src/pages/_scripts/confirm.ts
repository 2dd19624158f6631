import type { Confirmable } from '../../placements/confirmation.ts';
import type { ApiAnswer } from './api-client.ts';
import { el, need, showFacts, timeOf } from './dom.ts';
import { countDaysBetween, dayFromNow, formatDate, formatGuaranteeDay } from './format.ts';
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

const question = need<HTMLElement>(document, '[data-question]');
const firstQuestion = question.textContent;
/** The button of the answer that the person chose, before it is sent. */
let answerButton: HTMLButtonElement;

/** Says on which day of the placement the statement is true. */
const describeDay = ({ startDate, asOf, guaranteeDays }: Statement): string =>
  formatGuaranteeDay(countDaysBetween(startDate, asOf), guaranteeDays);

const listFacts = (stated: Statement) =>
  [
    ['Stated', meanings[stated.result]],
    ['As of', `${formatDate(stated.asOf)}, ${describeDay(stated)}`],
    ['Started', formatDate(stated.startDate)],
    ['Occupation', stated.occupation.title],
    ...(stated.reference === null ? [] : [['Reference', stated.reference] as const]),
  ] as const;

/** Initials, as the service states them: `T.Z.` or `T. Z.`. Any other reference is the sender's own. */
const initialsShape = /^(\p{L}\.?[ -]?){1,6}$/u;

/** Names the person as far as a party may know them. */
const nameSubject = ({ reference }: Statement) =>
  reference !== null && initialsShape.test(reference) ? reference : 'the person';

const isolated = (text: string) => el('bdi', {}, text);

/** Says in which job, where that is known: ` as Nurse at Example Hospital`. */
const describeJob = ({ title, client }: Statement): (string | Node)[] => [
  ...(title === null ? [] : [' as ', isolated(title)]),
  ...(client === null ? [] : [' at ', isolated(client)]),
];

/** Asks what is stated as one question, which Yes and No answer. */
function formQuestion(stated: Statement): (string | Node)[] {
  const { result, asOf } = stated;
  const who = isolated(nameSubject(stated));
  const job = describeJob(stated);
  const isToday = asOf === dayFromNow();
  const day = describeDay(stated);
  const by = ` by ${formatDate(asOf)}?`;
  const questions = {
    retained: [
      `${isToday ? 'Is' : 'Was'} `,
      who,
      ' still working',
      ...job,
      isToday ? `, on ${day}?` : ` on ${formatDate(asOf)}, ${day}?`,
    ],
    converted: ['Had the client taken on ', who, ...job, by],
    attrited: ['Had ', who, ' stopped working', ...job, by],
    finished: ['Had ', who, ' reached the planned end of the work', ...job, by],
  };
  return questions[result];
}

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
  question.replaceChildren(...(stated ? formQuestion(stated) : [firstQuestion]));
  need(page.content, '[data-asks]').textContent = explainAsking(party);
  if (answer) showAnswer(answer, validated === true);
  else page.say('');
}

/** Shows the form for an answer, or what is about to be sent. */
function showStep(step: 'answer' | 'sure'): void {
  form.hidden = step !== 'answer';
  sure.hidden = step !== 'sure';
}

const hasAgreed = () => answerButton.value === 'true';
const readComment = () => need<HTMLTextAreaElement>(sure, 'textarea').value.trim();

/** Says in words what is about to be sent. Nothing is sent yet, and the focus is on no button. */
function askOnceMore(): void {
  const heading = need<HTMLElement>(sure, 'h2');
  const word = hasAgreed() ? 'Yes' : 'No';
  heading.textContent = `You answer: ${word.toLowerCase()}.`;
  sendButton.textContent = `Send: ${word}`;
  page.say('Nothing is sent yet.');
  showStep('sure');
  heading.focus();
}

/** Returns to the form, where the answer and the comment can be changed. */
function goBack(): void {
  page.say('');
  showStep('answer');
  answerButton.focus();
}

interface GivenAnswer {
  agrees: boolean;
  at: string;
  comment?: string;
}

function showAnswer({ agrees, at, comment }: GivenAnswer, isValidated: boolean): void {
  const how = agrees ? 'yes' : 'no';
  const added = comment === undefined ? [] : [' Your comment: ', el('bdi', {}, comment)];
  page.say(
    'Answered on ',
    'ok',
    timeOf(at),
    `: ${how}.${isValidated ? ' The outcome is validated now.' : ''} Thank you; you are done.`,
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
