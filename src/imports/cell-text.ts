/** The text of a cell. The page of an import reads it too, so this imports nothing but what reads text. */
import { hasMoreCharacters } from '../kernel/plain-text.ts';

/** The most characters of a cell or of a text in a document. */
export const longestCell = 10_000;

/** Whether a text has more characters than a cell may have. */
export const isTooLong = (text: string): boolean => hasMoreCharacters(text, longestCell);

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith('#')) return entities[name] ?? whole;
  const point = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isCharacter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
  return isCharacter ? String.fromCodePoint(point) : whole;
}

/** An apostrophe that marks a formula as text: first in a cell, or behind a separator in it. Our own export writes it. */
const formulaMark = /(^|[;\t] *"*)'(?='*[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20])/g;

/** Decodes HTML entities, and removes outer spaces. */
export const cleanText = (text: string): string =>
  text.replace(/&(#\d{1,7}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos|nbsp);/gi, decodeEntity).trim();

/** Cleans the text of a cell, and removes the apostrophes that mark formulas as text. */
export const cleanCell = (text: string): string => cleanText(text).replace(formulaMark, '$1');
