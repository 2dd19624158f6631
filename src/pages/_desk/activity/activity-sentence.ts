import type { ActivityEntry } from '../../../workspace/activity.ts';
import { formatAmount, formatCount, splitWords } from '../../_scripts/format.ts';
import { describeActor, type Reader } from './activity-actor.ts';

/** A record of an entry. Its name is null if it is deleted. */
export interface ActivityRecord {
  id: string;
  kind: string;
  name: string | null;
  /** Why it changed, if the records of the entry have different reasons. */
  reason?: string;
}

/** A change of the workspace, as GET /workspace/activity presents it. */
export interface ActivityRow extends Omit<ActivityEntry, 'at' | 'records'> {
  at: string;
  records: readonly ActivityRecord[];
  /** Why, as the caller says. */
  reason?: string;
  /** The day from which it counts, as the caller says. */
  effectiveDate?: string;
  /** In the history of a record: what the change did to it, and why. */
  sentence?: string;
  /** Whether it came with an import: its time and names are those of the file. */
  imported?: true;
}

/** A part of a sentence: words of the page, or a name that a caller sent. A name with an `id` leads to its record. */
export type SentencePart = string | { name: string; id?: string };

/** What the page knows of a placement: its person, its job, and how it was added. */
export interface PlacementNames {
  person: string;
  job: string;
  createdAt: string;
  firstStatus: string;
}

interface KindWords {
  name: string;
  noun: string;
  plural: string;
  fields: readonly { name: string; title: string }[];
  moving: readonly { name: string; title: string }[];
}

/** What a sentence is made with besides the entry. */
export interface SentenceFacts extends Reader {
  kinds: readonly KindWords[];
  findPlacement(record: ActivityRecord): PlacementNames | undefined;
}

type Tell = (entry: ActivityRow, facts: SentenceFacts) => SentencePart[];

const findKind = ({ kinds }: SentenceFacts, name: string) => kinds.find((kind) => kind.name === name)!;

/** Names a record. A deleted record has neither a name nor a link. */
function tellRecord({ id, kind, name }: ActivityRecord, facts: SentenceFacts): SentencePart {
  return name === null ? `a deleted ${findKind(facts, kind).noun}` : { name, id };
}

/** Says a placement as its person and its job, with `between` them, or as the service names it. */
function tellPlacement(record: ActivityRecord, facts: SentenceFacts, between = ' for '): SentencePart[] {
  const names = record.name === null ? undefined : facts.findPlacement(record);
  if (!names) return [tellRecord(record, facts)];
  return [{ name: names.person, id: record.id }, between, { name: names.job }];
}

/** Names a record: a placement by its person and its job. */
export const tellNamed = (record: ActivityRecord, facts: SentenceFacts, between?: string): SentencePart[] =>
  record.kind === 'placement' ? tellPlacement(record, facts, between) : [tellRecord(record, facts)];

/** Joins `a`, `a and b`, or `a, b and c`. */
const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

export const countEntryRecords = ({ records, more = 0 }: ActivityRow) => records.length + more;

/** Says the first record of an entry, and how many more there are. */
function tellFirst(entry: ActivityRow, facts: SentenceFacts, between?: string): SentencePart[] {
  const [first] = entry.records;
  const others = countEntryRecords(entry) - 1;
  if (!first) return ['a record'];
  const rest = others > 0 ? [` and ${formatAmount(others, 'more record', 'more records')}`] : [];
  return [...tellNamed(first, facts, between), ...rest];
}

/** Words before and after a record that moved to a status, and between the person and the job of a placement. */
interface MoveWords {
  before: string;
  between?: string;
  after?: string;
}

const moveWords: Record<string, Record<string, MoveWords>> = {
  candidate: {
    withdrawn: { before: 'withdrew ' },
    available: { before: 'made ', after: ' available again' },
  },
  jobOrder: { closed: { before: 'closed ' }, open: { before: 'opened ', after: ' again' } },
  placement: {
    interviewing: { before: 'moved ', between: ' to interviewing for ' },
    offered: { before: 'made an offer to ' },
    scheduled: { before: 'accepted ' },
    declined: { before: 'declined ' },
    'ended-early': { before: 'ended the placement of ', between: ' as ' },
    completed: { before: 'ended the placement of ', between: ' as ' },
  },
};

function tellMove(entry: ActivityRow, facts: SentenceFacts): SentencePart[] {
  const { from = '', to = '', records } = entry;
  const { before, between, after } = moveWords[records[0]!.kind]?.[to] ?? {
    before: 'moved ',
    after: ` from ${from} to ${to}`,
  };
  // Without the names of a placement, no words can stand between them.
  const isNamed = records[0]!.kind !== 'placement' || facts.findPlacement(records[0]!);
  const end = between && !isNamed && to === 'interviewing' ? ' to interviewing' : after;
  return [before, ...tellFirst(entry, facts, between), ...(end ? [end] : [])];
}

/** The most members that a sentence names. */
const mostMembers = 3;

function describeMembers(members: readonly string[], kind: KindWords): string {
  const titleOf = (name: string) =>
    [...kind.fields, ...kind.moving].find((field) => field.name === name)?.title ?? splitWords(name);
  // `O*NET code` keeps its letters.
  const words = members.map((name) =>
    titleOf(name).replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()),
  );
  if (words.length > mostMembers) return `${formatCount(words.length)} members`;
  return `the ${joinWords(words)}`;
}

const tellUpdate: Tell = (entry, facts) => {
  const { records, members = [], to } = entry;
  const [first] = records;
  if (first && to !== undefined) return tellMove(entry, facts);
  if (!first || members.length === 0) return ['changed ', ...tellFirst(entry, facts)];
  return [`changed ${describeMembers(members, findKind(facts, first.kind))} of `, ...tellFirst(entry, facts)];
};

/** Words before a new placement, by its first status, and between its person and its job. */
const addWords: Record<string, MoveWords> = {
  proposed: { before: 'proposed ' },
  interviewing: { before: 'added ', between: ' as interviewing for ' },
  offered: { before: 'added ', between: ' as offered for ' },
  declined: { before: 'added ', between: ' as declined for ' },
};
const placed: MoveWords = { before: 'placed ', between: ' as ' };

const tellCreate: Tell = (entry, facts) => {
  const [first] = entry.records;
  if (!first) return ['added a record'];
  if (first.kind !== 'placement')
    return [`added the ${findKind(facts, first.kind).noun} `, ...tellFirst(entry, facts)];
  const names = first.name === null ? undefined : facts.findPlacement(first);
  if (!names) return ['added the placement ', ...tellFirst(entry, facts)];
  const { before, between } = addWords[names.firstStatus] ?? placed;
  return [before, ...tellFirst(entry, facts, between)];
};

const tellDelete: Tell = (entry, facts) => {
  const [first] = entry.records;
  return [`deleted a ${first ? findKind(facts, first.kind).noun : 'record'}`];
};

/** The most names of a batch of proposals. */
const mostNamed = 2;

/** Says a batch that only proposed people. Returns undefined for any other batch. */
function tellProposals(entry: ActivityRow, facts: SentenceFacts): SentencePart[] | undefined {
  const { records, more = 0, at } = entry;
  const known = records.map((record) => ({
    id: record.id,
    names: record.kind === 'placement' && record.name !== null ? facts.findPlacement(record) : undefined,
  }));
  const isProposed = (names?: PlacementNames) => names?.firstStatus === 'proposed' && names.createdAt === at;
  if (more > 0 || !known.every(({ names }) => isProposed(names))) return undefined;
  const jobs = [...new Set(known.map(({ names }) => names!.job))];
  if (jobs.length > 1)
    return [`proposed ${formatAmount(known.length, 'person', 'people')} for ${jobs.length} jobs`];
  const shown = known.length > mostNamed + 1 ? known.slice(0, mostNamed) : known;
  const others = known.length - shown.length;
  const people = shown.flatMap(({ id, names }, index): SentencePart[] => {
    const isLast = others === 0 && index === shown.length - 1;
    const mark = index === 0 ? '' : isLast ? ' and ' : ', ';
    return [...(mark ? [mark] : []), { name: names!.person, id }];
  });
  return ['proposed ', ...people, others > 0 ? ` and ${others} more for ` : ' for ', { name: jobs[0]! }];
}

/** Counts what a batch created, kind by kind: `200 candidates and 3 job orders`. */
function describeCreated({ created = {} }: ActivityRow, { kinds }: SentenceFacts): string {
  const counts = kinds.flatMap(({ name, noun, plural }) => {
    const count = created[name] ?? 0;
    return count > 0 ? [formatAmount(count, noun, plural)] : [];
  });
  return joinWords(counts);
}

const tellBatch: Tell = (entry, facts) => {
  const { records, members, to, created } = entry;
  if (members || to !== undefined) return tellUpdate(entry, facts);
  const proposals = records.length > 0 && tellProposals(entry, facts);
  if (proposals) return proposals;
  // An entry of one record does not say whether it was created, and neither does one of an older release.
  if (countEntryRecords(entry) === 1) return ['saved ', ...tellFirst(entry, facts)];
  if (!created) return [`saved ${formatAmount(countEntryRecords(entry), 'record')}`];
  const createdWords = describeCreated(entry, facts);
  const changed = countEntryRecords(entry) - Object.values(created).reduce((sum, count) => sum + count, 0);
  const changedWords = changed > 0 ? `changed ${formatAmount(changed, 'record')}` : '';
  return [[createdWords && `created ${createdWords}`, changedWords].filter(Boolean).join(', and ')];
};

/** What a client decides, by the new status. An undone decision adds no move, so its entry has none. */
const decisionWords: Record<string, string> = {
  interviewing: 'asked to interview ',
  declined: 'declined ',
};

const tellImport: Tell = (entry, facts) =>
  countEntryRecords(entry) === 1
    ? ['imported ', ...tellFirst(entry, facts)]
    : [`imported ${describeCreated(entry, facts) || formatAmount(countEntryRecords(entry), 'record')}`];

const isComment = ({ to, changes = [] }: ActivityRow): boolean =>
  to === undefined && changes.some(({ member }) => member === 'comments');

const tellDecision: Tell = (entry, facts) => [
  isComment(entry) ? 'commented on ' : (decisionWords[entry.to ?? ''] ?? 'took back the decision on '),
  ...tellFirst(entry, facts),
];

const tellShare: Tell = (entry, facts) => [
  entry.members?.includes('revoke') ? 'revoked a link to the shortlist of ' : 'shared the shortlist of ',
  ...tellFirst(entry, facts),
];

/** Says the records of an entry after some words. */
const tellAbout =
  (words: string, between = ' as '): Tell =>
  (entry, facts) => [words, ...tellFirst(entry, facts, between)];

/** The sentence of each operation that changes a workspace, after the actor. */
const tells: Record<string, Tell> = {
  createCandidate: tellCreate,
  createJobOrder: tellCreate,
  createPlacement: tellCreate,
  updateCandidate: tellUpdate,
  updateJobOrder: tellUpdate,
  updatePlacement: tellUpdate,
  deleteCandidate: tellDelete,
  deleteJobOrder: tellDelete,
  deletePlacement: tellDelete,
  createBatch: tellBatch,
  createShortlist: tellShare,
  decideShortlist: tellDecision,
  stateOutcome: tellAbout('stated the outcome of '),
  requestConfirmation: tellAbout('made a link to confirm the outcome of '),
  answerConfirmation: tellAbout('answered what is stated of '),
  importRecords: tellImport,
  startBrief: (entry) => [`set up this workspace with ${formatAmount(countEntryRecords(entry), 'record')}`],
  gradeBrief: () => ['graded this workspace'],
  submitWork: () => ['let a computer work, and kept this workspace longer'],
  startClaim: () => ['made a link to claim this workspace'],
  answerClaim: () => ['claimed this workspace'],
  authorizeSpend: () => ['changed what may be spent'],
  rotateWorkspace: () => ['gave this workspace a new id'],
};

export const hasSentence = (operation: string): boolean => Object.hasOwn(tells, operation);

/** Returns the sentence of an entry: who did what, to which records. */
export function tellEntry(
  entry: ActivityRow,
  facts: SentenceFacts,
): [actor: SentencePart, ...SentencePart[]] {
  const tell = tells[entry.operation] ?? tellAbout(`${splitWords(entry.operation)}: `);
  return [describeActor(entry, facts), ...tell(entry, facts)];
}
