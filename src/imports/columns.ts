import content from '../../content/import-columns.json' with { type: 'json' };
import { kinds } from '../kinds.ts';
import type { Kind } from '../records/kind/kind.ts';
import { cleanText } from './cell-text.ts';

/** The collections that files can be imported into. */
export const importCollections = ['candidates', 'jobOrders'] as const;
export type ImportCollection = (typeof importCollections)[number];

/** Returns a name in lower case, as words with single spaces: `firstName` and `First_Name` are `first name`. */
export const toWords = (name: string): string =>
  cleanText(name)
    .slice(0, 200)
    .normalize('NFKC')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * Returns the name of a column as words. `#` is the word "number", because `Client #` is no client. A name of signs alone
 * has no words.
 */
export function toHeading(name: string): string {
  const text = cleanText(name).slice(0, 200);
  return toWords(/\p{L}/u.test(text) ? text.replaceAll('#', ' number ') : text);
}

const padWords = (words: string) => ` ${words} `;

/** Whether a name holds a word for personal data. */
export const isPersonal = (words: string): boolean =>
  content.personal.some((word) => padWords(words).includes(padWords(word)));

interface ColumnNames {
  prefixes: readonly string[];
  /** Prefixes of columns that have days of their own: that of a posting is none of the work. */
  withoutDays: readonly string[];
  /** The member by the name of a column, in words. */
  memberByName: ReadonlyMap<string, string>;
}

interface KindContent {
  prefixes: string[];
  prefixesWithoutDays?: string[];
  columns: Record<string, string[]>;
}

/** Returns what is said of the columns of a kind. */
const readContent = ({ collection }: Kind): KindContent => content[collection as ImportCollection];

/** Indexes the columns of a kind: each member by its own name, and by its names in the content. */
function indexColumns(kind: Kind): ColumnNames {
  const { prefixes, prefixesWithoutDays: withoutDays = [], columns } = readContent(kind);
  const own = Object.keys(kind.members).map((member): [string, string] => [toWords(member), member]);
  const others = Object.entries(columns).flatMap(([member, names]) =>
    [member, ...names].map((name): [string, string] => [toWords(name), member]),
  );
  return { prefixes, withoutDays, memberByName: new Map([...own, ...others]) };
}

/** Lists what a column of a kind can mean: its members, their parts, and what is computed from several columns. */
export const listColumnMembers = (kind: Kind): string[] => [
  ...new Set(['ref', ...Object.keys(kind.members), ...Object.keys(readContent(kind).columns)]),
];

export const isImported = ({ collection }: Kind) =>
  (importCollections as readonly string[]).includes(collection);

const indexes = new Map(kinds.filter(isImported).map((kind) => [kind, indexColumns(kind)]));

/** Returns the member that the words of a column name, with or without a prefix of its kind. */
function findByName(words: string, kind: Kind): string | undefined {
  const { prefixes, withoutDays, memberByName } = indexes.get(kind)!;
  const whole = memberByName.get(words);
  const prefix = prefixes.find((one) => words.startsWith(`${one} `));
  if (whole !== undefined || prefix === undefined) return whole;
  const member = memberByName.get(words.slice(prefix.length + 1));
  const isDay = member !== undefined && kind.members[member]?.file?.form === 'day';
  return isDay && withoutDays.includes(prefix) ? undefined : member;
}

const numberForms = ['whole', 'pay'];
const isNumber = (member: string, { members }: Kind) =>
  member === 'ref' || numberForms.includes(members[member]?.file?.form ?? '');

/**
 * Returns the member that a column is for, or undefined if its name is not in content/import-columns.json or is one of
 * personal data. Besides members of the kind these are their parts, such as `firstName` and `city`, and what `extra-columns.ts` reads.
 */
export function findColumnMember(name: string, kind: Kind): string | undefined {
  const words = toHeading(name);
  if (isPersonal(words)) return undefined;
  const member = findByName(words, kind);
  if (member !== undefined || !name.includes('#')) return member;
  // "Hours per week #" is a number in any case, and "Req #" is an id.
  const plain = findByName(toWords(name), kind);
  return plain !== undefined && isNumber(plain, kind) ? plain : undefined;
}

/** Lists the first names that a column of a member can have. */
export const listColumnNames = (kind: Kind, member: string): string[] =>
  (readContent(kind).columns[member] ?? [member]).slice(0, 4);

function indexValues(values: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(values).flatMap(([value, names]) => names.map((name) => [name, value])));
}

/** Whether a shift or a workplace is said to be any. */
export const isEvery = (text: string): boolean => text.length < 20 && content.every.includes(toWords(text));

export const valuesByWords = {
  workplace: indexValues(content.values.workplace),
  shift: indexValues(content.values.shift),
};
