import type { Kind } from '../records/kind/kind.ts';
import type { CellForm, FileMember, PayMembers } from '../records/kind/member.ts';
import { type FileAmount, readAmount, readNumber } from './amounts.ts';
import { toWords, valuesByWords } from './columns.ts';
import { readDay } from './days.ts';
import { mostItems, splitList } from './import-file.ts';
import { toCityAndState } from './places.ts';

/** How the cells of a file are written. */
export interface CellFormat {
  hasDecimalComma: boolean;
  /** The day that "immediately" means, YYYY-MM-DD. */
  today: string;
}

/** What a cell says: members of the record, a problem, or neither if it holds no value of its column. */
export interface Reading {
  members?: Readonly<Record<string, unknown>>;
  problem?: string;
  /** What of the cell is not stored, if a part of it is not. */
  left?: string;
  /** true if it is a list of too many items. */
  hasTooMany?: true;
}

type ReadCell = (text: string, member: string, format: CellFormat) => Reading;

const readAsText: ReadCell = (text, member) => ({ members: { [member]: text } });

const readAsList: ReadCell = (text, member) => {
  const items = splitList(text);
  return items.length > mostItems ? { hasTooMany: true } : { members: { [member]: items } };
};

const readAsWhole: ReadCell = (text, member, { hasDecimalComma }) => {
  const count = readNumber(text.replace(/(?:hours|hrs|hr|h)\.?$/i, '').trim(), hasDecimalComma);
  return Number.isNaN(count) ? { problem: 'is no whole number' } : { members: { [member]: count } };
};

const readAsDay: ReadCell = (text, member, { today }) => {
  const { day, problem } = readDay(text, today);
  if (problem !== undefined) return { problem };
  return day === undefined ? {} : { members: { [member]: day } };
};

const readAsPlace: ReadCell = (text) => {
  // "Remote" is no place. A column for the workplace can say it.
  if (valuesByWords.workplace.has(toWords(text))) return {};
  const { place, isShort } = toCityAndState(text);
  if (place === '') return {};
  return { members: { metro: place }, ...(isShort && { left: 'street or ZIP code' }) };
};

const createChoice =
  (values: ReadonlyMap<string, string>, isList: boolean): ReadCell =>
  (text, member) => {
    const items = isList ? splitList(text).flatMap((item) => item.split(/\/| or | and /)) : [text];
    if (items.length > mostItems) return { hasTooMany: true };
    const found = items.map((item) => values.get(toWords(item)));
    if (found.includes(undefined)) {
      const known = [...new Set(values.values())].join(', ');
      return { problem: `must be ${isList ? 'some' : 'one'} of ${known}` };
    }
    return { members: { [member]: isList ? [...new Set(found)] : found[0] } };
  };

function placeAmount({ low, high }: FileAmount, members: readonly string[]): Reading {
  if (members.length === 0) return { problem: 'is pay by the year, where a rate by the hour belongs' };
  if (high === undefined) return { members: { [members[0]!]: low } };
  if (members.length === 1) return { problem: 'is a range; send one amount' };
  return { members: { [members[0]!]: low, [members[1]!]: high } };
}

/** Reads pay. The text decides about hour or year if it says so, and the column otherwise. */
const createPay =
  (pay: PayMembers, usual: keyof PayMembers): ReadCell =>
  (text, _, { hasDecimalComma }) => {
    const amount = readAmount(text, hasDecimalComma);
    return 'problem' in amount ? amount : placeAmount(amount, pay[amount.unit ?? usual]);
  };

const readYesOrNo: Readonly<Record<string, string>> = {
  yes: 'remote',
  true: 'remote',
  no: 'onsite',
  false: 'onsite',
};

/** A column called Remote may say yes or no. */
const createWorkplace = (isList: boolean): ReadCell => {
  const readChoice = createChoice(valuesByWords.workplace, isList);
  return (text, member, format) => readChoice(readYesOrNo[text.toLowerCase()] ?? text, member, format);
};

/** Reads the status of a kind. Only one that is stored is kept, and the first is that of every new record. */
const createStatus =
  ({ statuses, stored }: Kind['lifecycle']): ReadCell =>
  (text) => {
    const status = text.toLowerCase();
    if (stored.includes(status)) return { members: { status } };
    return status === statuses[0] ? { members: {} } : {};
  };

const readersByForm = {
  text: readAsText,
  list: readAsList,
  whole: readAsWhole,
  day: readAsDay,
  place: readAsPlace,
};

function createReader(cell: CellForm): ReadCell {
  switch (cell.form) {
    case 'pay':
      return createPay(cell.members, cell.usual);
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
const findFileMember = ({ members }: Kind, member: string): FileMember => members[member]?.file ?? plainText;

/** Whether a record can have several columns of a member. */
export function isListMember(kind: Kind, member: string): boolean {
  const { form } = findFileMember(kind, member);
  return form === 'list' || form === 'choices';
}

/** Reads a cell that is not empty for a member of a kind, or for its status. */
export function readCell(text: string, kind: Kind, member: string, format: CellFormat): Reading {
  const read =
    member === 'status' ? createStatus(kind.lifecycle) : createReader(findFileMember(kind, member));
  return read(text, member, format);
}
