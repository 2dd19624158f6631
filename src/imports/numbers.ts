/** How the numbers of a column are written. */
export interface NumberFormat {
  hasDecimalComma: boolean;
  /** Whether "85.000" is 85 thousand in this column. If absent, it could be 85 as well, and is a problem. */
  hasGroupsOfThree?: boolean;
}

const number = /^\d+(?:\.\d+)?$/;
const groups = {
  ',': { whole: /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/, unclear: /^\d{1,3},\d{3}$/ },
  '.': { whole: /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/, unclear: /^\d{1,3}\.\d{3}$/ },
};

/** Whether a number could be a fraction or a thousand, such as 85.000 where the point is the decimal sign. */
export const isUnclear = (text: string, isCommaDecimal: boolean): boolean =>
  groups[isCommaDecimal ? ',' : '.'].unclear.test(text);

/**
 * Reads a number with its decimal sign and its groups of thousands. Returns NaN for any other text, and for one that
 * could be two numbers.
 */
export function readNumber(text: string, format: NumberFormat): number {
  const [group, decimal] = format.hasDecimalComma ? (['.', ','] as const) : ([',', '.'] as const);
  if (isUnclear(text, format.hasDecimalComma))
    return format.hasGroupsOfThree ? Number(text.replaceAll(decimal, '')) : Number.NaN;
  if (groups[group].whole.test(text)) return Number(text.replaceAll(group, '').replace(decimal, '.'));
  // A point with other than three digits behind it is a decimal sign in every file.
  const plain = format.hasDecimalComma && !number.test(text) ? text.replace(',', '.') : text;
  return number.test(plain) ? Number(plain) : Number.NaN;
}

const commaDecimal = /^(?:\d+,\d{1,2}|\d{1,3}(?:\.\d{3})+,\d+)$/;
const pointDecimal = /^(?:\d+\.\d{1,2}|\d{1,3}(?:,\d{3})+(?:\.\d+)?)$/;

/** Whether the comma of a number can only be its decimal sign, as in 52,50. */
export const hasDecimalComma = (text: string): boolean => commaDecimal.test(text);

/**
 * Returns the first number of some texts whose comma can only be its decimal sign. Returns undefined if another number
 * has a point for it, or a comma between thousands.
 */
export function findDecimalComma(texts: readonly string[]): string | undefined {
  const numbers = texts.flatMap((text) => text.match(/\d[\d.,]*\d/g) ?? []);
  return numbers.some((one) => pointDecimal.test(one)) ? undefined : numbers.find(hasDecimalComma);
}
