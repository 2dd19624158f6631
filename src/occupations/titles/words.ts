/** Words that tell no two job titles apart. */
const idle = new Set('a an and at by for in of on or the to with'.split(' '));

/** The singular of an English word, by its ending. */
export function toSingular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

/** The words of a text as they stand: lower case, no accents, letters and digits of ASCII; `c++` and `c#` are words. */
export function tokenise(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[\p{M}.'’]/gu, '');
  return (plain.match(/[a-z0-9+#]+/g) ?? []).filter((token) => /[a-z0-9]/.test(token));
}

/** The singular of each word, those that tell no two titles apart left out. */
export function toStems(tokens: readonly string[]): string[] {
  return tokens.map(toSingular).filter((word) => !idle.has(word));
}

/** The words of a job title in order, singular. Takes any string. */
export function stemTitle(text: string): string[] {
  return toStems(tokenise(text));
}

/**
 * The ways a title is said: `Emergency Room Nurse (ER Nurse)` whole and by either half, `Certified (CNC)
 * Machinist` whole, without the bracket and with it alone. The whole comes first.
 */
export function listTitleForms(title: string): string[] {
  const bracketed = /^([^(]*)\(([^)]*)\)(.*)$/s.exec(title);
  if (!bracketed) return [title];
  const [, before = '', inside = '', after = ''] = bracketed;
  return [`${before}${after} ${inside}`, before + after, inside + after];
}
