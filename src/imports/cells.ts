import { candidate } from '../candidates/candidate.ts';
import { jobOrder } from '../job-orders/job-order.ts';
import type { Kind } from '../records/kind.ts';
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

/** The members for pay by the hour and by the year: the least, and the most where a kind has it. */
interface PayMembers {
  hour: readonly string[];
  year: readonly string[];
}

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

const common: Readonly<Record<string, ReadCell>> = {
  skills: readAsList,
  hoursPerWeek: readAsWhole,
  metro: readAsPlace,
};

const askedPay: PayMembers = { hour: ['payRateUsdHour'], year: ['salaryUsdYear'] };
const offeredPay: PayMembers = {
  hour: ['payRateUsdHour', 'payRateMaxUsdHour'],
  year: ['salaryUsdYear', 'salaryMaxUsdYear'],
};
const mostPay: PayMembers = { hour: ['payRateMaxUsdHour'], year: ['salaryMaxUsdYear'] };

/** How the cells of a member are read. Any other member is text. */
const readers: Readonly<Record<string, Readonly<Record<string, ReadCell>>>> = {
  candidates: {
    ...common,
    credentials: readAsList,
    workplaces: createWorkplace(true),
    shifts: createChoice(valuesByWords.shift, true),
    availableFrom: readAsDay,
    payRateUsdHour: createPay(askedPay, 'hour'),
    salaryUsdYear: createPay(askedPay, 'year'),
    status: createStatus(candidate.lifecycle),
  },
  jobOrders: {
    ...common,
    requires: readAsList,
    workplace: createWorkplace(false),
    shift: createChoice(valuesByWords.shift, false),
    openings: readAsWhole,
    startDate: readAsDay,
    endDate: readAsDay,
    billRateUsdHour: createPay({ hour: ['billRateUsdHour'], year: [] }, 'hour'),
    payRateUsdHour: createPay(offeredPay, 'hour'),
    payRateMaxUsdHour: createPay(mostPay, 'hour'),
    salaryUsdYear: createPay(offeredPay, 'year'),
    salaryMaxUsdYear: createPay(mostPay, 'year'),
    status: createStatus(jobOrder.lifecycle),
  },
};

/** Reads a cell that is not empty for a member of a collection. */
export function readCell(
  text: string,
  { collection, member }: { collection: string; member: string },
  format: CellFormat,
): Reading {
  return (readers[collection]?.[member] ?? readAsText)(text, member, format);
}
