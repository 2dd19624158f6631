import type { Kind } from '../records/kind/kind.ts';
import type { CellForm, FileMember } from '../records/kind/member.ts';
import { type FileAmount, notByTheHour, type PayFormat, readAmount } from './amounts.ts';
import { isEvery, toWords, valuesByWords } from './columns.ts';
import { type DayFormat, readDay, readNotice, rewriteDays } from './days.ts';
import { isFiller } from './fillers.ts';
import { mostItems, splitList } from './import-file.ts';
import { readNumber } from './numbers.ts';
import { type FilePlace, readFilePlace, whyLeft } from './places.ts';

/** How the cells of a file are written. */
export interface CellFormat extends DayFormat, PayFormat {
  /** Whether our own export wrote the file, so that its texts are stored as they are. */
  isOwn?: boolean;
}

/** A part of a cell that is not stored. */
export interface LeftPart {
  why: string;
  detail?: string;
}

/**
 * What a cell says. Each of its parts is in `members`, or in `left`; or all of it is a problem, or not taken for the
 * reason `notTaken`. A cell of fillers says nothing.
 */
export interface Reading {
  members?: Readonly<Record<string, unknown>>;
  problem?: string;
  notTaken?: string;
  left?: readonly LeftPart[];
  /** true if it is a list of too many items. */
  hasTooMany?: true;
  /** Whether only a new record gets the members. */
  isOnlyNew?: true;
  /** Set if it is pay by the week: returns what it says with the hours of a week. */
  perWeek?(hours: number): Reading;
  /** The members for pay that it could have stated, and does not: the most, and those of the unit of its column. */
  insteadOf?: readonly string[];
  /** The day that "immediately" became, YYYY-MM-DD. */
  immediately?: string;
}

type ReadCell = (text: string, member: string, format: CellFormat) => Reading;

const readAsText: ReadCell = (text, member) => ({ members: { [member]: text } });

const createList =
  (hasDays: boolean): ReadCell =>
  (text, member, format) => {
    const rewritten = hasDays && !format.isOwn ? rewriteDays(text, format) : { text };
    if ('problem' in rewritten) return rewritten;
    const items = splitList(rewritten.text);
    if (items.length > mostItems) return { hasTooMany: true };
    const kept = items.filter((item) => format.isOwn || !isFiller(item));
    return kept.length > 0 ? { members: { [member]: kept } } : {};
  };

const readAsWhole: ReadCell = (text, member, format) => {
  const digits = text.replace(/(?:hours|hrs|hr|h)\.?(?: *(?:\/|per|a) *(?:week|wk|w))?$/i, '').trim();
  const count = readNumber(digits, format);
  return Number.isNaN(count) ? { problem: 'is no whole number' } : { members: { [member]: count } };
};

const readAsDay: ReadCell = (text, member, format) => {
  const notice = member === 'availableFrom' ? readNotice(text, format.today) : undefined;
  if (notice !== undefined) return { members: { [member]: notice }, isOnlyNew: true };
  const { day, problem, isToday } = readDay(text, format);
  if (problem !== undefined) return { problem };
  if (day === undefined) return { notTaken: 'names no day' };
  return { members: { [member]: day }, ...(isToday && { immediately: day }) };
};

/** The most characters of a text that is read as a place. A longer one is refused as it is. */
const longestPlace = 400;

const readAsPlace: ReadCell = (text, member, { isOwn }) => {
  if (isOwn || text.length > longestPlace) return { members: { [member]: text } };
  // "Remote" is no place. A column for the workplace can say it.
  if (valuesByWords.workplace.has(toWords(text))) return { notTaken: 'is a workplace, and no place' };
  return toPlaceReading(readFilePlace({ whole: text }), member);
};

const createLeft = (left: FilePlace['left']): LeftPart[] => left.map(({ why }) => ({ why: whyLeft[why] }));

/** Returns what the cells for a place say together. */
export function toPlaceReading({ place, left }: FilePlace, member: string): Reading {
  return { ...(place !== '' && { members: { [member]: place } }), left: createLeft(left) };
}

const listValues = (values: ReadonlyMap<string, string>) => [...new Set(values.values())];

const createChoice =
  (values: ReadonlyMap<string, string>, isList: boolean): ReadCell =>
  (text, member) => {
    const known = listValues(values);
    if (isEvery(text))
      return isList
        ? { members: { [member]: known } }
        : { notTaken: 'means every one, as a record does that names none' };
    const items = isList ? splitList(text).flatMap((item) => item.split(/\/| or | and /)) : [text];
    if (items.length > mostItems) return { hasTooMany: true };
    const named = items.filter((item) => item.trim() !== '' && !isFiller(item));
    const found = named.map((item) => values.get(toWords(item)));
    if (found.includes(undefined))
      return { problem: `must be ${isList ? 'some' : 'one'} of ${known.join(', ')}` };
    if (found.length === 0) return {};
    return { members: { [member]: isList ? [...new Set(found)] : found[0] } };
  };

/** Distributes an amount over the members for it. */
function placeAmount({ low, high }: FileAmount, members: readonly string[], takesLeast: boolean): Reading {
  const [least, most] = members;
  if (least === undefined) return { problem: 'is pay by the year, where a rate by the hour belongs' };
  if (high === undefined) return { members: { [least]: low } };
  if (most !== undefined) return { members: { ...(low !== undefined && { [least]: low }), [most]: high } };
  if (low === undefined && takesLeast)
    return { problem: 'says only the most; send the least that is asked for' };
  if (low === undefined) return { members: { [least]: high } };
  if (!takesLeast) return { problem: 'is a range; send one amount' };
  const why = 'is the upper end of a range, of which the lower one is stored';
  return { members: { [least]: low }, left: [{ why, detail: String(high) }] };
}

/** Reads pay. The text decides about hour or year if it says so, and the column otherwise. */
const createPay =
  ({ members: pay, usual, takesLeast }: CellForm & { form: 'pay' }): ReadCell =>
  (text, _, format) => {
    const amount = readAmount(text, format);
    if ('problem' in amount) return amount;
    if ('isUnstated' in amount) return { notTaken: 'states no amount' };
    const isOfBoth = pay.hour.length > 0 && pay.year.length > 0;
    const unit = amount.unit ?? (isOfBoth ? format.payUnit : undefined) ?? usual;
    if (unit === 'other') return { problem: notByTheHour };
    if (unit === 'week') return { perWeek: createPerWeek(amount, pay.hour, takesLeast === true) };
    const reading = placeAmount(amount, pay[unit], takesLeast === true);
    const others = [...pay[unit], ...(unit === usual ? [] : pay[usual])];
    return { ...reading, insteadOf: others.filter((one) => !Object.hasOwn(reading.members ?? {}, one)) };
  };

const toCents = (amount: number) => Math.round(amount * 100) / 100;

/** Returns what an amount by the week says once the hours of the week are known. */
export const createPerWeek =
  ({ low, high }: FileAmount, members: readonly string[], takesLeast: boolean) =>
  (hours: number): Reading =>
    placeAmount(
      {
        ...(low !== undefined && { low: toCents(low / hours) }),
        ...(high !== undefined && { high: toCents(high / hours) }),
      },
      members,
      takesLeast,
    );

const readYesOrNo: Readonly<Record<string, string>> = {
  yes: 'remote',
  true: 'remote',
  y: 'remote',
  no: 'onsite',
  false: 'onsite',
  n: 'onsite',
};

/** A column called Remote may say yes or no. */
const createWorkplace = (isList: boolean): ReadCell => {
  const readChoice = createChoice(valuesByWords.workplace, isList);
  return (text, member, format) => readChoice(readYesOrNo[text.toLowerCase()] ?? text, member, format);
};

/** Reads the status of a kind. Only one that is stored is taken: any other follows from the placements. */
const createStatus =
  ({ stored }: Kind['lifecycle']): ReadCell =>
  (text) => {
    const status = text.toLowerCase();
    if (stored.includes(status)) return { members: { status } };
    return { notTaken: `follows from the placements; only ${stored.join(', ')} can be stated` };
  };

const readersByForm = {
  text: readAsText,
  whole: readAsWhole,
  day: readAsDay,
  place: readAsPlace,
};

function createReader(cell: CellForm): ReadCell {
  switch (cell.form) {
    case 'list':
      return createList(cell.hasDays ?? false);
    case 'pay':
      return createPay(cell);
    case 'choice':
    case 'choices': {
      const isList = cell.form === 'choices';
      return cell.of === 'workplace' ? createWorkplace(isList) : createChoice(valuesByWords[cell.of], isList);
    }
    default:
      return readersByForm[cell.form];
  }
}

const plainText: FileMember = { form: 'text' };

/** Returns how a file holds a member of a kind. */
export const findFileMember = ({ members }: Kind, member: string): FileMember =>
  members[member]?.file ?? plainText;

/** Reads a cell that is not empty for a member of a kind, or for its status. */
export function readCell(text: string, kind: Kind, member: string, format: CellFormat): Reading {
  const fileMember = findFileMember(kind, member);
  if (!format.isOwn && !fileMember.takesFillers && isFiller(text)) return {};
  const read = member === 'status' ? createStatus(kind.lifecycle) : createReader(fileMember);
  return read(text, member, format);
}
