import content from '../../content/import-columns.json' with { type: 'json' };
import { cleanText } from './import-file.ts';

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

const padWords = (words: string) => ` ${words} `;

/** Whether a name holds a word for personal data. */
export const isPersonal = (words: string): boolean =>
  content.personal.some((word) => padWords(words).includes(padWords(word)));

interface ColumnNames {
  prefixes: readonly string[];
  /** The member by the name of a column, in words. */
  memberByName: ReadonlyMap<string, string>;
}

function indexColumns({ prefixes, columns }: (typeof content)[ImportCollection]): ColumnNames {
  const pairs = Object.entries(columns as Record<string, string[]>).flatMap(([member, names]) =>
    [member, ...names].map((name): [string, string] => [toWords(name), member]),
  );
  return { prefixes, memberByName: new Map(pairs) };
}

const indexes: Readonly<Record<ImportCollection, ColumnNames>> = {
  candidates: indexColumns(content.candidates),
  jobOrders: indexColumns(content.jobOrders),
};

/**
 * Returns the member that a column is for, or undefined if its name is not in content/import-columns.json or is one of
 * personal data. Besides members of the kind these are `firstName`, `lastName`, `city` and `state`.
 */
export function findColumnMember(name: string, collection: ImportCollection): string | undefined {
  const words = toWords(name);
  if (isPersonal(words)) return undefined;
  const { prefixes, memberByName } = indexes[collection];
  const prefix = prefixes.find((one) => words.startsWith(`${one} `));
  return memberByName.get(words) ?? (prefix && memberByName.get(words.slice(prefix.length + 1)));
}

/** Lists the first names that a column of a member can have. */
export const listColumnNames = (collection: ImportCollection, member: string): string[] =>
  ((content[collection].columns as Record<string, string[]>)[member] ?? []).slice(0, 4);

function indexValues(values: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(values).flatMap(([value, names]) => names.map((name) => [name, value])));
}

export const valuesByWords = {
  workplace: indexValues(content.values.workplace),
  shift: indexValues(content.values.shift),
};
