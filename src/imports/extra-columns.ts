import { addDays } from '../kernel/text.ts';
import { foldText } from '../kernel/words.ts';
import { stateByName } from '../records/kind/fields/states.ts';
import type { Kind } from '../records/kind/kind.ts';
import { isForeignCurrency, readAmount, readPayUnit } from './amounts.ts';
import { type CellFormat, createPerWeek, findFileMember, type Reading } from './cells.ts';
import { readDay, readNotice } from './days.ts';
import { isFiller } from './fillers.ts';
import type { FilledCell, RowReader } from './row-reader.ts';

/** A cell of a column that is not a member by itself. */
export interface ExtraCell extends FilledCell {
  column: ExtraColumn;
  format: CellFormat;
}

/** A cell for credentials: what it names, none if it is empty. A column beside it may add to its one item. */
export interface CredentialCell {
  cell: FilledCell;
  items: readonly string[];
}

/** What an extra column is read with: the row so far, and the cells for credentials. */
interface ExtraContext {
  kind: Kind;
  reader: RowReader;
  credentials: readonly CredentialCell[];
}

type ReadExtra = (cell: ExtraCell, context: ExtraContext) => Reading;

const noteLabels = { experience: 'Years of experience', workAuthorization: 'Work authorization' } as const;

/** Columns that say something of a member together with others, and the member that each says it of. */
const extraColumns = {
  weeklyGross: { to: 'payRateUsdHour', read: readWeekly },
  currency: { to: 'payRateUsdHour', read: readCurrency },
  payPeriod: { to: 'payRateUsdHour', read: readPayPeriod },
  noticePeriod: { to: 'availableFrom', read: readNoticePeriod },
  contractWeeks: { to: 'endDate', read: readContractWeeks },
  experience: { to: 'note', read: createNoteLine(noteLabels.experience) },
  workAuthorization: { to: 'note', read: createNoteLine(noteLabels.workAuthorization) },
  licenseState: { to: 'credentials', read: readLicenseState },
  licenseExpiration: { to: 'credentials', read: readLicenseExpiration },
} satisfies Record<string, { to: string; read: ReadExtra }>;

type ExtraColumn = keyof typeof extraColumns;

export const isExtraColumn = (name: string | undefined): name is ExtraColumn =>
  name !== undefined && Object.hasOwn(extraColumns, name);

/** Returns the member that an extra column says something of. */
export const findExtraMember = (column: ExtraColumn): string => extraColumns[column].to;

/** Returns what the line of an extra column in the note begins with, if it has one. */
export const labelOfExtra = (column: ExtraColumn): string | undefined =>
  (noteLabels as Partial<Record<ExtraColumn, string>>)[column];

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

/** The amounts of the row are read by the currency and the period beside them before. */
function readCurrency({ text }: ExtraCell): Reading {
  return isForeignCurrency(text) ? { notTaken: 'is not US dollars' } : {};
}

function readPayPeriod({ text }: ExtraCell): Reading {
  return readPayUnit(text) === undefined ? { notTaken: 'names no unit of pay' } : {};
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

/** Names of columns that hold licenses. Certifications have no state. */
const ofLicenses = /licen[cs]|\blic\b|credential/i;

/**
 * Returns the cell with the one credential that a cell about a license belongs to: that of the last column for licenses
 * before it, or of the only one.
 */
function findCredential({ index }: ExtraCell, { credentials }: ExtraContext): CredentialCell | undefined {
  const licenses = credentials.filter(({ cell }) => ofLicenses.test(cell.name));
  const only = licenses.length === 1 ? licenses[0] : undefined;
  const beside = licenses.findLast(({ cell }) => cell.index < index) ?? only;
  return beside?.items.length === 1 ? beside : undefined;
}

const withoutCredential =
  'belongs to a credential, and the license columns beside it name none, or several; write it behind the credential';

/** Writes something behind a credential of the row. Another column may have written to it before. */
function extendCredential(
  cell: ExtraCell,
  context: ExtraContext,
  extend: (credential: string) => string | undefined,
): Reading {
  const beside = findCredential(cell, context);
  if (beside === undefined) return { notTaken: withoutCredential };
  const extended = extend(beside.items[0]!);
  if (extended === undefined) return { notTaken: 'is stated in the credential already' };
  beside.items = [extended];
  return {};
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
