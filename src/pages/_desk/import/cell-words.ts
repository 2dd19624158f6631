import { formatDate, formatPay } from '../../_scripts/format.ts';

const fold = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const isSameNumber = (text: string, value: number) => Number(text.replace(/[^\d.]/g, '')) === value;

/** Says why a text could not be read. The words of the service are for programs, which send a text. */
export const describeWhy = (why: string): string => why.replace('; send ', '; write ');

/** Says how the text of a cell was read. Returns an empty text if it was stored as it is. */
export function describeRead(text: string, member: string, value: unknown): string {
  if (value === undefined || text.trim() === '') return '';
  if (typeof value === 'number') {
    if (isSameNumber(text, value)) return '';
    return /Usd(?:Hour|Year)$/.test(member) ? formatPay(member, value) : String(value);
  }
  const read = Array.isArray(value) ? value.join(', ') : String(value);
  if (fold(read) === fold(text)) return '';
  return /^\d{4}-\d\d-\d\d$/.test(read) ? formatDate(read) : read;
}
