import { foldText } from '../kernel/words.ts';
import { formatInitials } from '../placements/outcome.ts';
import type { StoredRecord } from '../workspace/record.ts';

const word = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts without spaces between words. A name in them is a part of a longer run of letters. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]/u;
/** What begins a place of work, and what begins a day behind one. */
const beforeWorkplace = /^(?:at|@)$/i;
const beforeDay = /^(?:until|through|expires|expiring|exp|valid|good)\b/i;

/** Removes a place of work from a part of a text without commas and brackets: what is between "at" and a day, or the end. */
function cutWorkplace(part: string): string {
  const words = part.split(/\s+/);
  const start = words.findIndex((one, place) => place > 0 && beforeWorkplace.test(one));
  if (start < 0) return part;
  const length = words.slice(start).findIndex((one) => beforeDay.test(one));
  const rest = length < 0 ? [] : words.slice(start + length);
  return cutWorkplace([...words.slice(0, start), ...rest].join(' '));
}

/** Removes each place of work, behind "at" or "@". */
const cutWorkplaces = (text: string): string =>
  text
    .split(/([,;()])/)
    .map(cutWorkplace)
    .join('');

const listWords = (text: string): string[] => (text.normalize().match(word) ?? []).map(foldText);

/** Returns a function that replaces each word of some names by its first letter. It keeps the words in `kept`. */
export function createNameMask(
  names: readonly string[],
  kept: ReadonlySet<string>,
): (text: string) => string {
  const hidden = new Set(names.flatMap(listWords).filter((one) => one.length > 1 && !kept.has(one)));
  const runs = [...hidden].filter((one) => unspaced.test(one));
  const hide = (found: string) => `${[...found][0]!.toLocaleUpperCase('en')}.`;
  return (text) => {
    let masked = text
      .normalize()
      .replace(word, (found) => (hidden.has(foldText(found)) ? hide(found) : found));
    for (const run of runs) masked = masked.replaceAll(run, hide(run));
    return masked;
  };
}

/** Returns the words of a job order that its client knows anyway: those of its title, must-haves and skills. */
export function listKnownWords({ title, requires = [], skills = [] }: StoredRecord): ReadonlySet<string> {
  return new Set(
    [title, ...(requires as string[]), ...(skills as string[])].flatMap((text) => listWords(String(text))),
  );
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/**
 * Returns a candidate without name, title and employer: with initials, and with no word of the name in skills and
 * credentials. Words of the job order stay, so that the candidate fits as before.
 */
export function hideIdentity(person: StoredRecord, known: ReadonlySet<string>): StoredRecord {
  const name = String(person.name);
  const mask = createNameMask([name], known);
  const hide = (text: string) => mask(cutWorkplaces(text));
  const { title: _, ref: __, ...rest } = person;
  return {
    ...rest,
    name: formatInitials(name) ?? '?',
    ...(person.skills !== undefined && { skills: textsOf(person.skills).map(hide) }),
    ...(person.credentials !== undefined && { credentials: textsOf(person.credentials).map(hide) }),
  };
}
