/** An amount of US dollars, or a range of them. */
export interface FileAmount {
  low: number;
  high?: number;
  /** Absent if the text does not say it. */
  unit?: 'hour' | 'year';
}

const units = {
  hour: /\b(?:hourly|(?:per|an|a) +(?:hour|hr))\b|\/ *(?:hour|hr|h)\b|\bhr\b/i,
  year: /\b(?:annual|annually|annum|yearly|(?:per|a) +(?:year|yr|annum))\b|\/ *(?:year|yr|y)\b|\byr\b/i,
};
const otherUnits =
  /\b(?:daily|weekly|monthly|(?:per|a) +(?:day|week|month))\b|\/ *(?:day|week|month|wk|mo)\b/i;
const otherMoney = /[€£¥₹]|\b(?:EUR|GBP|CAD|AUD|CHF|JPY|INR|MXN)\b|\b[CA]\$/i;

const number = /^\d+(?:\.\d+)?$/;
const groupedByCommas = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const groupedByPoints = /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/;

/**
 * Reads a number with its decimal sign and its groups of thousands. A comma is the decimal sign if `hasDecimalComma`.
 * Returns NaN for any other text.
 */
export function readNumber(text: string, hasDecimalComma: boolean): number {
  const grouped = hasDecimalComma ? groupedByPoints : groupedByCommas;
  const group = hasDecimalComma ? '.' : ',';
  const plain = grouped.test(text) ? text.replaceAll(group, '') : text;
  const isPlain = !plain.includes(group) || (hasDecimalComma && number.test(plain));
  const decimal = hasDecimalComma ? plain.replace(',', '.') : plain;
  return isPlain && number.test(decimal) ? Number(decimal) : Number.NaN;
}

function readOne(text: string, hasDecimalComma: boolean): number {
  const [, digits = '', thousands] = /^([\d.,]+) *(k?)$/i.exec(text.trim()) ?? [];
  const amount = readNumber(digits, hasDecimalComma);
  return thousands ? amount * 1000 : amount;
}

const removeUnits = (text: string) =>
  Object.values(units)
    .reduce((rest, unit) => rest.replace(unit, ' '), text)
    .replace(/US\$|\bUSD\b|\$|\+ *$/gi, ' ');

/** Reads pay such as `$45.00`, `45-55/hr` or `85k a year`. Returns a problem for any other text. */
export function readAmount(text: string, hasDecimalComma: boolean): FileAmount | { problem: string } {
  if (text.length > 60) return { problem: 'is no amount of US dollars; send a number' };
  if (otherMoney.test(text)) return { problem: 'is not in US dollars; convert it' };
  if (otherUnits.test(text)) return { problem: 'is neither an hour nor a year; convert it' };
  const [low = Number.NaN, high, ...more] = removeUnits(text)
    .split(/[-–—]|\bto\b/)
    .map((part) => readOne(part, hasDecimalComma));
  if (Number.isNaN(low) || Number.isNaN(high) || more.length > 0)
    return {
      problem: `is no amount of US dollars; send a number, such as ${hasDecimalComma ? '45,50' : '45.50'}`,
    };
  const named = (['hour', 'year'] as const).find((one) => units[one].test(text));
  // An amount in thousands, such as 85k, is pay by the year.
  const unit = named ?? (/\dk\b/i.test(text) ? 'year' : undefined);
  return { low, ...(high !== undefined && { high }), ...(unit && { unit }) };
}
