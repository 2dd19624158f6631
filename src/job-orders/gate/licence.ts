import { estimateBytes, memoize, mostTextBytes } from '../../kernel/cache.ts';
import { hasWord, type Phrase, type Word } from '../../kernel/words.ts';
import {
  findLicence,
  isLicensedFor,
  lesserWords,
  licenceNames,
  nameLicence,
} from '../../occupations/licensed.ts';
import { isNegated, readStatement, splitByExpiry } from '../../records/kind/fields/must-haves.ts';

/** The licences of a record, as groups of occupations that need the same licence. */
export interface Licence {
  /** The group of the record's occupation, or undefined if that needs no licence. */
  own: string | undefined;
  /** The groups that credentials without a last day show a licence for. */
  named: readonly string[];
  /** Those groups and `own`. */
  held: readonly string[];
  /** The licences that credentials with a last day show, last to expire first. */
  expiring: readonly NamedLicence[];
}

/** A licence that a credential with a last day shows. */
export interface NamedLicence {
  group: string;
  /** The credential. */
  text: string;
  /** Its last day. */
  until: string;
}

interface LicenceName {
  group: string;
  name: Phrase;
}

/** Reads `licence` as `license`, which is how the names of licences are spelled. */
const readSpelled = (text: string) => readStatement(text.replace(/licence/gi, 'license'));

/** The names of licences by each form of their first word. */
const namesByForm = new Map<string, LicenceName[]>();
for (const { group, name: text } of licenceNames) {
  const name = readSpelled(text);
  for (const form of name.words[0]!.forms)
    namesByForm.set(form, [...(namesByForm.get(form) ?? []), { group, name }]);
}

const lesser = new Set(lesserWords);
const isLesser = ({ forms }: Word) => forms.some((form) => lesser.has(form));

/** Returns the licensed groups that a credential names. A negated credential names none. */
const readCredential = memoize(
  (text: string) => {
    if (isNegated(text)) return [];
    const credential = readSpelled(text);
    const less = credential.words.filter(isLesser);
    // A credential must hold all words of a name, "license" too, because "PT" alone may mean part time.
    const isNamed = ({ name }: LicenceName) =>
      name.words.every((word) => hasWord(credential, word, name)) &&
      less.every(({ forms }) => forms.some((form) => name.forms.has(form)));
    const names = [...credential.forms].flatMap((form) => namesByForm.get(form)?.filter(isNamed) ?? []);
    return [...new Set(names.map(({ group }) => group))];
  },
  { most: mostTextBytes, sizeOf: estimateBytes },
);

/** Returns the licences that a record shows by its occupation and its credentials. */
export function readLicence(onetCode: string, credentials: readonly string[] = []): Licence {
  const own = findLicence(onetCode);
  const { lasting, expiring } = splitByExpiry(credentials);
  const named = lasting.flatMap(readCredential);
  return {
    own,
    named,
    held: own === undefined ? named : [own, ...named],
    expiring: expiring.flatMap(({ text, until }) =>
      readCredential(text).map((group) => ({ group, text, until })),
    ),
  };
}

/** Returns the licence that a credential with a last day shows for a job order, the last to expire. */
const findExpiring = (order: Licence, { expiring }: Licence): NamedLicence | undefined =>
  expiring.find(({ group }) => isLicensedFor([group], order.own!));

/** Whether a candidate has the licence that a job order needs on the day on which the work starts. */
export function isLicensed(order: Licence, candidate: Licence, start: string): boolean {
  if (order.own === undefined || isLicensedFor(candidate.held, order.own)) return true;
  const named = findExpiring(order, candidate);
  return named !== undefined && named.until >= start;
}

/**
 * Returns the licence for a job order that credentials name, the last to expire. Returns undefined if they name none, or
 * one without a last day. The candidate's occupation does not count: it says nothing of a last day.
 */
export const findNamedExpiry = (order: Licence, candidate: Licence): NamedLicence | undefined =>
  order.own === undefined || isLicensedFor(candidate.named, order.own)
    ? undefined
    : findExpiring(order, candidate);

/** Says which licence a candidate lacks for a job order. Call it only if `isLicensed` returns false. */
export function explainLicence(order: Licence, candidate: Licence): string {
  const { own: wanted } = order;
  const { own } = candidate;
  const needed = nameLicence(wanted!);
  const named = findExpiring(order, candidate);
  if (named) return `the licence as ${needed} expired ${named.until}`;
  if (own === undefined) return `shows no licence as ${needed}, which the order needs`;
  return `is ${nameLicence(own)}; the order needs ${needed}`;
}
