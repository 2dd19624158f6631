/** Words that tell no two job titles apart. */
const idle = new Set(['', 'a', 'an', 'and', 'at', 'for', 'in', 'of', 'or', 'the', 'to', 'with']);

/** Usual short forms. */
const inFull = new Map([
  ['asst', 'assistant'],
  ['jr', 'junior'],
  ['mgr', 'manager'],
  ['rep', 'representative'],
  ['sr', 'senior'],
  ['tech', 'technician'],
]);

function toSingular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /[siu]s$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.slice(0, /(?:ss|x|ch|sh)es$/.test(word) ? -2 : -1);
}

/**
 * The different words of a job title or a query, in order: lower case, no accents, singular, usual short
 * forms in full, without the likes of "of" and "the". `C++` and `C#` are words. Takes any string.
 */
export function toWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}'’]/gu, '');
  const words = new Set<string>();
  for (const word of plain.split(/[^\p{L}\p{N}+#]+/u)) {
    if (idle.has(word)) continue;
    const singular = toSingular(word);
    words.add(inFull.get(singular) ?? singular);
  }
  return [...words];
}

/**
 * The ways a title is said: `Emergency Room Nurse (ER Nurse)` by either half, `Certified (CNC) Machinist`
 * with the one word or the other.
 */
export function toForms(title: string): string[] {
  const opening = title.indexOf('(');
  const closing = title.indexOf(')', opening);
  if (opening < 0 || closing < 0) return [title];
  const after = title.slice(closing + 1);
  return [title.slice(0, opening) + after, title.slice(opening + 1, closing) + after];
}
