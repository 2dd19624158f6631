import { addDays } from '../kernel/text.ts';
import { foldText } from '../kernel/words.ts';
import { stateByName } from '../records/kind/fields/states.ts';
import type { Kind } from '../records/kind/kind.ts';
import { readAmount } from './amounts.ts';
import { type CellFormat, createPerWeek, findFileMember, type Reading } from './cells.ts';
import { readDay, readNotice } from './days.ts';
import { isFiller } from './fillers.ts';
import type { FilledCell, RowReader } from './row-reader.ts';

/** A cell of a column that is not a member by itself. */
export interface ExtraCell extends FilledCell {
  column: ExtraColumn;
  format: CellFormat;
}

/** What an extra column is read with: the row so far, and the cells for credentials, each with its items. */
interface ExtraContext {
  kind: Kind;
  reader: RowReader;
  credentials: readonly { index: number; items: readonly string[] }[];
}

type ReadExtra = (cell: ExtraCell, context: ExtraContext) => Reading;

/** Columns that say something of a member together with others, and the member that each says it of. */
const extraColumns = {
  weeklyGross: { to: 'payRateUsdHour', read: readWeekly },
  noticePeriod: { to: 'availableFrom', read: readNoticePeriod },
  contractWeeks: { to: 'endDate', read: readContractWeeks },
  experience: { to: 'note', read: createNoteLine('Years of experience') },
  workAuthorization: { to: 'note', read: createNoteLine('Work authorization') },
  licenseState: { to: 'credentials', read: readLicenseState },
  licenseExpiration: { to: 'credentials', read: readLicenseExpiration },
} satisfies Record<string, { to: string; read: ReadExtra }>;

type ExtraColumn = keyof typeof extraColumns;

export const isExtraColumn = (name: string | undefined): name is ExtraColumn =>
  name !== undefined && Object.hasOwn(extraColumns, name);

/** Returns the member that an extra column says something of. */
export const findExtraMember = (column: ExtraColumn): string => extraColumns[column].to;

/** Whether the cells of an extra column hold days. */
export const holdsDays = (column: ExtraColumn): boolean => column === 'licenseExpiration';

function readWeekly({ text, format }: ExtraCell, { kind }: ExtraContext): Reading {
  const file = findFileMember(kind, 'payRateUsdHour');
  const amount = readAmount(text, format);
  if ('problem' in amount) return amount;
  if ('isUnstated' in amount) return { notTaken: 'states no amount' };
  if (amount.unit !== undefined && amount.unit !== 'week') return { problem: 'is not by the week' };
  if (file.form !== 'pay') return {};
  return { perWeek: createPerWeek(amount, file.members.hour, file.takesLeast ?? false) };
}

function readNoticePeriod({ text, name, format }: ExtraCell): Reading {
  const { today } = format;
  const [unit] = /days|weeks/i.exec(name) ?? [];
  const whole = /^\d{1,3}$/.test(text) && unit !== undefined ? `${text} ${unit}` : text;
  const isImmediate = readDay(text, format).isToday || text === '0';
  const day = isImmediate ? today : readNotice(whole, today);
  if (day === undefined) return { problem: 'is no number of days or weeks; send one, such as 2 weeks' };
  return { members: { availableFrom: day }, isOnlyNew: true };
}

function readContractWeeks({ text }: ExtraCell, { reader }: ExtraContext): Reading {
  const [, weeks] = /^(\d{1,3})(?:[ -]?(?:weeks?|wks?|w))?\.?$/i.exec(text) ?? [];
  if (weeks === undefined || Number(weeks) === 0) return { problem: 'is no number of weeks' };
  const { fromToday, members } = reader.row;
  const { startDate } = members;
  if (typeof startDate !== 'string') return { notTaken: 'needs a start date beside it' };
  if (fromToday.has('startDate')) fromToday.add('endDate');
  return { members: { endDate: addDays(startDate, 7 * Number(weeks) - 1) } };
}

function createNoteLine(label: string): ReadExtra {
  return ({ text }, { reader }) => {
    const { members } = reader.row;
    const line = `${label}: ${text}`;
    if (members.note === undefined) reader.row.addsToNote = true;
    reader.row.members.note = members.note === undefined ? line : `${members.note}\n${line}`;
    return { members: { note: reader.row.members.note } };
  };
}

/** Returns the one credential that a cell about a license belongs to: that of the last column for credentials before it. */
function findCredential({ index }: ExtraCell, { credentials }: ExtraContext): string | undefined {
  const beside = credentials.findLast((one) => one.index < index) ?? credentials[0];
  return beside?.items.length === 1 ? beside.items[0] : undefined;
}

const withoutCredential = 'belongs to a credential, and the columns beside it name none, or several';

/** Writes something behind a credential of the row. The credential may have been written to before. */
function extendCredential(
  cell: ExtraCell,
  context: ExtraContext,
  extend: (credential: string) => string | undefined,
): Reading {
  const named = findCredential(cell, context);
  if (named === undefined) return { notTaken: withoutCredential };
  const { members } = context.reader.row;
  const list = (members.credentials ?? []) as string[];
  const at = list.findIndex((one) => one.startsWith(named));
  const extended = at < 0 ? undefined : extend(list[at]!);
  if (extended === undefined) return { notTaken: 'is stated in the credential already' };
  members.credentials = list.with(at, extended);
  return { members: { credentials: [extended] } };
}

const hasDay = (credential: string) => /\d{4}-\d{2}-\d{2}/.test(credential);

function readLicenseState(cell: ExtraCell, context: ExtraContext): Reading {
  const state = cell.text;
  if (!stateByName.has(foldText(state))) return { notTaken: 'is no state' };
  const names = (credential: string) => credential.split(/[^\p{L}\p{N}]+/u).includes(state);
  return extendCredential(cell, context, (credential) => {
    if (names(credential)) return credential;
    const [, held = credential, day = ''] = /^(.*?)( until \d{4}-\d{2}-\d{2})$/.exec(credential) ?? [];
    return `${held} ${state}${day}`;
  });
}

function readLicenseExpiration(cell: ExtraCell, context: ExtraContext): Reading {
  const { day, problem } = readDay(cell.text, cell.format);
  if (problem !== undefined) return { problem };
  if (day === undefined) return { notTaken: 'names no day' };
  return extendCredential(cell, context, (credential) =>
    hasDay(credential) ? undefined : `${credential} until ${day}`,
  );
}

/** Reads the extra columns of a row, after all others. */
export function readExtraCells(cells: readonly ExtraCell[], context: ExtraContext): void {
  for (const cell of cells)
    if (!isFiller(cell.text)) context.reader.add(cell, extraColumns[cell.column].read(cell, context));
}
