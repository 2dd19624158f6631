import { html } from 'lit-html';
import { formatDate, formatRate } from '../../_scripts/format.ts';
import { isolate } from '../../_scripts/isolate.ts';
import { formatTitle } from '../common/names.ts';
import type { KindFacts, NamedPlacement, PageRecord } from '../state/model.ts';

/** What a dialog says of a move. */
interface Question {
  /** What is done to whom. */
  title: unknown;
  /** What follows, and what does not. */
  note: string;
  /** The result, for a toast. */
  done: string;
}

/** The terms of a placement in words: `Starts 4 Jan 2027, $62/h. `, or nothing if none is stated. */
function describeTerms({ startDate, ...row }: NamedPlacement): string {
  const { payRateUsdHour } = row as { payRateUsdHour?: number };
  const parts = [
    startDate ? `Starts ${formatDate(startDate)}` : 'No start is stated',
    payRateUsdHour !== undefined && formatRate(payRateUsdHour, 'hour'),
  ];
  return `${parts.filter(Boolean).join(', ')}. `;
}

const noMail = 'Nobody is emailed.';

type Ask = (who: unknown, job: unknown, row: NamedPlacement) => { title: unknown; note: string };

const placementQuestions: Record<string, Ask> = {
  interviewing: (who, job) => ({
    title: html`Interview ${who} for ${job}?`,
    note: `This holds no opening. ${noMail}`,
  }),
  offered: (who, job, row) => ({
    title: html`Offer ${job} to ${who}?`,
    note: `${describeTerms(row)}It holds no opening until it is accepted. ${noMail}`,
  }),
  scheduled: (who, job, row) => ({
    title: html`Accept ${who} as ${job}?`,
    note: `${describeTerms(row)}It takes an opening. ${noMail}`,
  }),
  declined: (who, job) => ({
    title: html`Decline ${who} for ${job}?`,
    note: `They can be proposed again. ${noMail}`,
  }),
};

/** What follows a move of a candidate or an order. */
const otherNotes: Record<string, string> = {
  withdrawn: 'No order can take them until they are available again.',
  available: 'Orders can take them again.',
  closed: 'Nobody can be proposed for it until it is open again.',
  open: 'People can be proposed for it again.',
};

/** Returns what a dialog says of a move of a record to a status. `words` names the move. */
export function describeQuestion(kind: KindFacts, row: PageRecord, to: string, words: string): Question {
  const status = to.replaceAll('-', ' ');
  const placed = row as NamedPlacement;
  const ask = kind.name === 'placement' ? placementQuestions[to] : undefined;
  if (!ask) {
    const name = formatTitle(kind, row);
    const note = `${otherNotes[to] ?? ''} ${noMail}`.trim();
    return { title: html`${words}: ${isolate(name)}?`, note, done: `${name}: ${status}.` };
  }
  const { candidateName, title, client } = placed;
  const name = candidateName ?? 'This person';
  const job = title === null ? 'a job that is gone' : html`${isolate(title)} at ${isolate(client)}`;
  return { ...ask(isolate(name), job, placed), done: `${name}: ${status}.` };
}

/** Returns whom a dialog about a placement is about: `Linh Tran, Software Developer at Granite Row`. */
export function describeSubject({ candidateName, title, client }: NamedPlacement): string {
  const job = [title, client].filter((part) => part !== null).join(' at ');
  return [candidateName ?? 'A person who is gone', job].filter(Boolean).join(', ');
}
