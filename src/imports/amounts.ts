import { findDecimalComma, hasDecimalComma, isUnclear, type NumberFormat, readNumber } from './numbers.ts';

/** An amount of US dollars, or a range of them. */
export interface FileAmount {
  /** Absent if only the most is stated, as in "up to $50". */
  low?: number;
  high?: number;
  /** Absent if the text does not say it. */
  unit?: AmountUnit;
}

type AmountUnit = 'hour' | 'week' | 'year';

/** What a text says: an amount, what is wrong with it, or neither if it says that there is no amount. */
type AmountReading = FileAmount | { problem: string } | { isUnstated: true };

/** The most characters of an amount. */
const longestAmount = 60;

const otherMoney =
  /(?!\$)\p{Sc}|\b(?:eur|gbp|cad|aud|nzd|chf|sek|nok|dkk|pln|jpy|cny|krw|inr|php|sgd|hkd|aed|zar|brl|mxn)\b|\b(?:[acrs]|ca|au|nz|hk)\$/iu;
const namesDollars = /^(?:us ?\$|usd|\$|(?:us |u\.s\. )?dollars?)$/i;
const dollars = /us\$|\busd\b|\$/gi;
const unstated =
  /^(?:(?:pay|salary|rate)s? )?(?:d\.?o\.?e\.?|depend(?:s|ing|ent)? (?:up)?on experience|competitive|market(?: rate)?|negotiable|open|flexible|commensurate(?: with experience)?)(?: (?:pay|salary|rate))?[.!]?$/i;

const units: Readonly<Record<AmountUnit, RegExp>> = {
  hour: /^(?:(?:\/|per|an?|p\/?) *)?(?:hours?|hrs?|h)\.?$|^hourly$/,
  week: /^(?:(?:\/|per|an?|p\/?) *)?(?:weeks?|wks?|w)\.?$|^weekly$/,
  year: /^(?:(?:\/|per|an?|p\/?) *)?(?:years?|yrs?|y|annum)\.?$|^(?:annual|annually|yearly|p\.?a\.?)$/,
};
const otherUnit =
  /^(?:(?:\/|per|an?|p\/?) *)?(?:days?|d|diem|shifts?|months?|mo)\.?$|^(?:daily|monthly|bi-?weekly|semi-?monthly)$/;

/** How the pay of a column or a row is written. */
export interface PayFormat extends NumberFormat {
  /** Whether it is not in US dollars. */
  isForeign?: boolean;
  /** The unit of an amount that names none. */
  payUnit?: AmountUnit | 'other' | undefined;
}

/** Whether the name of a column has the sign or the code of another currency. */
export const namesOtherMoney = (name: string): boolean => otherMoney.test(name.slice(0, 200));

/** Whether a cell for the currency says something else than US dollars. */
export const isForeignCurrency = (text: string): boolean => !namesDollars.test(text.slice(0, 40));

/** Returns the unit that a cell for the period of pay names, if any. */
export function readPayUnit(text: string): PayFormat['payUnit'] {
  const word = text.slice(0, 40).toLowerCase();
  if (/^salar(?:y|ied)$/.test(word)) return 'year';
  const unit = word === '' ? undefined : findUnit(word);
  return unit === 'none' ? undefined : unit;
}

interface Side {
  amount: number;
  isInThousands: boolean;
  unit?: AmountUnit | 'other';
}

function findUnit(text: string): Side['unit'] | 'none' {
  if (text === '') return undefined;
  if (otherUnit.test(text)) return 'other';
  return (Object.keys(units) as AmountUnit[]).find((unit) => units[unit].test(text)) ?? 'none';
}

/** Splits a text at its number: what is before it, the number with its signs, and what is behind it. */
function splitAtNumber(text: string): { before: string; digits: string; after: string } | undefined {
  const found = /[\d.,]*/.exec(text.slice(Math.max(0, text.search(/[.,]?\d/))))![0];
  let digits = found;
  while (digits.endsWith('.') || digits.endsWith(',')) digits = digits.slice(0, -1);
  const at = text.indexOf(digits);
  const before = text.slice(0, at).trim();
  const after = text.slice(at + digits.length).trim();
  if (digits === '' || /\d/.test(after)) return undefined;
  return { before: before.endsWith(':') ? before.slice(0, -1) : before, digits, after };
}

/** Reads one side of a range. Returns undefined if any of it is not understood. */
function readSide(text: string, format: NumberFormat): Side | undefined {
  const parts = splitAtNumber(text);
  if (!parts || !/^[a-z. ]*$/.test(parts.before)) return undefined;
  const { before, digits } = parts;
  const isInThousands = /^k(?![a-z])/.test(parts.after);
  const after = isInThousands ? parts.after.slice(1) : parts.after;
  const found = [before, after].map((one) => findUnit(one.trim()));
  if (found.includes('none') || found.every((unit) => unit !== undefined)) return undefined;
  const amount = readNumber(digits, format);
  if (Number.isNaN(amount)) return undefined;
  const unit = (found[0] ?? found[1]) as Side['unit'];
  return { amount, isInThousands, ...(unit && { unit }) };
}

/** The most times that the upper end of a range is its lower end. Beyond that the two are in different scales. */
const widestRange = 20;

/** Returns the ends of a range in one unit and one scale, or what is wrong with them. */
function joinSides(low: Side, high: Side): FileAmount | { problem: string } {
  if (low.isInThousands && !high.isInThousands)
    return { problem: 'is a range in two scales; send both ends in the same' };
  const isInThousands = high.isInThousands;
  const least = isInThousands ? low.amount * 1000 : low.amount;
  const most = isInThousands ? high.amount * 1000 : high.amount;
  if (low.unit && high.unit && low.unit !== high.unit)
    return { problem: 'is a range in two units; send both ends in the same' };
  if (most < least || most > least * widestRange)
    return { problem: 'is a range whose ends do not go together; send both in the same scale' };
  const unit = high.unit ?? low.unit ?? (isInThousands ? 'year' : undefined);
  if (unit === 'other') return { problem: notByTheHour };
  return { low: least, high: most, ...(unit && { unit }) };
}

export const notByTheHour = 'is neither by the hour nor by the year; convert it';

function toAmount({ amount, isInThousands, unit }: Side): FileAmount | { problem: string } {
  if (unit === 'other') return { problem: notByTheHour };
  // An amount in thousands, such as 85k, is pay by the year.
  const named = unit ?? (isInThousands ? 'year' : undefined);
  return { low: isInThousands ? amount * 1000 : amount, ...(named && { unit: named }) };
}

/**
 * Reads pay such as `$45.00`, `45-55/hr`, `$85-95k` or `85k a year`. A text that is not understood whole is a problem,
 * and so is a range in two units or scales.
 */
export function readAmount(text: string, format: PayFormat): AmountReading {
  const example = format.hasDecimalComma ? '45,50' : '45.50';
  const none = { problem: `is no amount of US dollars; send a number, such as ${example}` };
  if (text.length > longestAmount) return none;
  if (unstated.test(text.trim())) return { isUnstated: true };
  if (format.isForeign || otherMoney.test(text)) return { problem: 'is not in US dollars; convert it' };
  const plain = text.replace(dollars, ' ').toLowerCase().replace(/\s+/g, ' ').trim();
  const upTo = /^(?:up to|max(?:imum)?\.?) (.*)$/.exec(plain);
  const from = (upTo?.[1] ?? plain)
    .replace(/^(?:from|min(?:imum)?\.?|at least) /, '')
    .replace(/(?:\+|and up)$/, '');
  const sides = from
    .replace(/^between /, '')
    .split(/[-–—]|\bto\b|\band\b/)
    .map((side) => readSide(side, format));
  const [low, high] = sides;
  const digits = plain.match(/\d[\d.,]*\d/g) ?? [];
  if (!format.hasGroupsOfThree && digits.some((one) => isUnclear(one, format.hasDecimalComma)))
    return { problem: 'could be a fraction or a thousand; write it without the sign between' };
  if (!format.hasDecimalComma && digits.some(hasDecimalComma))
    return { problem: 'has a decimal comma, where other amounts have a point; write all alike' };
  if (low === undefined || sides.includes(undefined) || sides.length > 2) return none;
  if (high) return upTo ? none : joinSides(low, high);
  const amount = toAmount(low);
  if (!upTo || 'problem' in amount) return amount;
  const { low: most, unit } = amount;
  return { high: most!, ...(unit && { unit }) };
}

/** The least amount that is surely not a fraction of a thousand. */
const leastThousand = 1000;

/**
 * Whether "85.000" is 85 thousand among the amounts of a column: if others are written in groups of three with two
 * signs, or if none of the others is below a thousand.
 */
function hasGroupsOfThree(texts: readonly string[], format: NumberFormat): boolean {
  const sign = format.hasDecimalComma ? ',' : '\\.';
  if (texts.some((text) => new RegExp(`\\d${sign}\\d{3}${sign}\\d{3}`).test(text))) return true;
  const amounts = texts
    .map((text) => readAmount(text, format))
    .flatMap((read) => ('low' in read && read.low !== undefined ? [read.low] : []));
  return amounts.length > 0 && amounts.every((amount) => amount >= leastThousand);
}

/** How the amounts of a column are written, and the first with a decimal comma, if that shows it. */
export interface AmountFormat extends PayFormat {
  shownBy?: string;
}

/** Finds how the amounts of a column are written. In a file with semicolons a comma is the decimal sign everywhere. */
export function findAmountFormat(texts: readonly string[], hasSemicolons = false): AmountFormat {
  const amounts = texts.filter((text) => text.length <= longestAmount);
  const shownBy = hasSemicolons ? undefined : findDecimalComma(amounts);
  const format = { hasDecimalComma: hasSemicolons || shownBy !== undefined };
  return {
    ...format,
    hasGroupsOfThree: hasGroupsOfThree(amounts, format),
    ...(shownBy !== undefined && { shownBy }),
  };
}
