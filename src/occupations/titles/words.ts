/** Words that do not distinguish job titles. */
const idle = new Set('a an and at by for in of on or the to with'.split(' '));

/** Returns the singular of an English word by its ending. */
export function toSingular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

/** Splits a text into words in lower case without accents. Words are ASCII letters, digits, `+` and `#`, as in `c#`. */
export function tokenise(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[\p{M}.'’]/gu, '');
  return (plain.match(/[a-z0-9+#]+/g) ?? []).filter((token) => /[a-z0-9]/.test(token));
}

/** Returns the singular of each word, without words that do not distinguish titles. */
export function toStems(tokens: readonly string[]): string[] {
  return tokens.map(toSingular).filter((word) => !idle.has(word));
}

/** Returns the words of a job title in order, in the singular. Takes any string. */
export function stemTitle(text: string): string[] {
  return toStems(tokenise(text));
}

/**
 * Returns the forms of a title: the whole first, then without its bracket, then with only the bracket and what follows.
 * `Certified (CNC) Machinist` is also `Certified Machinist` and `CNC Machinist`.
 */
export function listTitleForms(title: string): string[] {
  const bracketed = /^([^(]*)\(([^)]*)\)(.*)$/s.exec(title);
  if (!bracketed) return [title];
  const [, before = '', inside = '', after = ''] = bracketed;
  return [`${before}${after} ${inside}`, before + after, inside + after];
}
