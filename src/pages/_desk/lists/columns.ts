import { dayFromNow, formatDate, formatDatesIn } from '../../_scripts/format.ts';
import { ageOf } from '../common/age.ts';
import { describeCourse, formatDaysLeft } from '../common/course.ts';
import { formatTitle } from '../common/names.ts';
import { occupationOf } from '../common/occupations.ts';
import { viewStatus } from '../common/parts.ts';
import { describeOpenings, listFirstSkills, listTerms } from '../common/record-parts.ts';
import { isPlacement, type KindFacts, type PageRecord } from '../state/model.ts';

/** A column of a table of records. */
export interface Column {
  /** A CSS class of its cells, which decides the width. */
  name: string;
  title: string;
  /** The member by which the service sorts it, if it does. `-` before it begins with the highest. */
  sort?: string;
  /** Returns the text of a cell. A cell that does not fit shows it as a tooltip. */
  format(row: PageRecord): string;
  /** Draws the cell, if it is more than its text. */
  view?(row: PageRecord): unknown;
  /** Whether the line below the name has it on a narrow window, where the column is not shown. */
  isInNote?: boolean;
}

const readMember = (row: PageRecord, member: string) => String(row[member] ?? '');

/** Creates a column that shows a member as it is. */
const createTextColumn = (member: string, title: string): Column => ({
  name: member,
  title,
  sort: member,
  format: (row) => readMember(row, member),
  isInNote: true,
});

/** When a record was changed last. */
const readChanged = ({ updatedAt, createdAt = '' }: PageRecord) => updatedAt ?? createdAt;

const changed: Column = {
  name: 'changed',
  title: 'Changed',
  sort: '-updatedAt',
  format: readChanged,
  view: (row) => (readChanged(row) ? ageOf(readChanged(row)) : ''),
};

const createStatusColumn = (title: string): Column => ({
  name: 'status',
  title,
  sort: 'status',
  format: ({ status }) => status.replaceAll('-', ' '),
  view: ({ status }) => viewStatus(status),
});

const start: Column = {
  name: 'start',
  title: 'Start',
  sort: 'startDate',
  format: (row) => formatDatesIn(readMember(row, 'startDate')),
};

/** Formats from when a person is free. A person who was withdrawn is not looked for. */
function formatFreeFrom({ freeFrom, status }: PageRecord): string {
  if (status === 'withdrawn' || freeFrom === undefined) return '';
  if (typeof freeFrom !== 'string') return 'Not known';
  return freeFrom <= dayFromNow() ? 'Now' : formatDate(freeFrom);
}

/** Formats how many days are left to validate an outcome, and what has become of it otherwise. */
function formatDue(row: PageRecord): string {
  if (!isPlacement(row)) return '';
  if (row.outcome.validated) return 'Validated';
  const { daysLeft } = describeCourse(row, dayFromNow());
  return daysLeft === undefined ? '' : formatDaysLeft(daysLeft);
}

/** Creates the column of a member. The name of a record is never in the note below it. */
function createMemberColumn({ member, title, isName }: KindFacts['columns'][number]): Column {
  const column = createTextColumn(member, title);
  if (isName) return { ...column, name: 'name', isInNote: false };
  // A person without a title is shown by the title of the occupation.
  return member === 'title'
    ? { ...column, format: (row) => readMember(row, member) || occupationOf(row.onetCode).title }
    : column;
}

/** The most credentials and skills in a cell. */
const mostAbilities = 4;

/** Formats what a person is judged by: credentials first, then skills. */
function formatAbilities({ credentials = [], skills = [] }: PageRecord): string {
  const all = [...(credentials as string[]), ...(skills as string[])];
  const more = all.length - mostAbilities;
  return [...all.slice(0, mostAbilities), ...(more > 0 ? [`${more} more`] : [])]
    .map(formatDatesIn)
    .join(', ');
}

/** The columns that follow from other records or need a form of their own, behind those of the members. */
const derivedColumns: Record<string, readonly Column[]> = {
  candidate: [
    { name: 'abilities', title: 'Credentials and skills', format: formatAbilities },
    { name: 'free', title: 'Free from', sort: 'freeFrom', format: formatFreeFrom },
    createStatusColumn('Status'),
  ],
  jobOrder: [
    start,
    { name: 'openings', title: 'Openings', sort: '-openingsLeft', format: describeOpenings, isInNote: true },
    createStatusColumn('Status'),
  ],
  placement: [
    { ...createTextColumn('candidateName', 'Person'), name: 'name', isInNote: false },
    { ...createTextColumn('title', 'Job'), name: 'job' },
    createTextColumn('client', 'Client'),
    createStatusColumn('Stage'),
    start,
    { name: 'due', title: 'Outcome due', sort: 'validateBy', format: formatDue, isInNote: true },
  ],
};

/** Returns the columns of a kind. The first has the name, which links to the record. */
export const listColumns = ({ name, columns }: KindFacts): readonly Column[] => [
  ...columns.map(createMemberColumn),
  ...(derivedColumns[name] ?? []),
  changed,
];

/** Returns the text of the first column, or the title of the record if that is empty. */
export const formatRowName = (kind: KindFacts, row: PageRecord): string =>
  listColumns(kind)[0]!.format(row) || formatTitle(kind, row);

/** Returns what the tooltip of a name says: the title, the terms and the skills, or how far a placement has come. */
export function describeRow(kind: KindFacts, row: PageRecord): string {
  const more = isPlacement(row)
    ? [describeCourse(row, dayFromNow()).words]
    : [...listTerms(row), ...listFirstSkills(row)];
  return [formatTitle(kind, row), ...more].join(' · ');
}

/** Lists what the line below a name says where the columns are not shown. */
export const listNoteParts = (kind: KindFacts, row: PageRecord): string[] =>
  listColumns(kind)
    .filter(({ isInNote }) => isInNote)
    .map(({ format }) => format(row))
    .filter((text) => text !== '');
