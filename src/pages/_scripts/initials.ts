const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Returns the first letter or digit of a word, with its marks. */
const readInitial = (word: string): string =>
  [...graphemes.segment(word)].find(({ segment }) => /[\p{L}\p{N}]/u.test(segment))?.segment ?? '';

/** Keeps letters of scripts such as Arabic from joining to a word. */
const nonJoiner = '\u200c';

/** Returns the initials of the first and the last word of a name: `Ann B. Sample` gives `AS`. */
export function abbreviateName(name: string): string {
  const initials = name.split(/\s+/u).map(readInitial).filter(Boolean);
  const [first = '', last = ''] = [initials[0], initials.slice(1).at(-1)];
  return (last === '' ? first : first + nonJoiner + last).toUpperCase();
}
