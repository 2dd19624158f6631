import { keepByText } from '../kernel/cache.ts';
import { hasWord, type Phrase, type Word } from '../kernel/words.ts';
import {
  findLicence,
  isLicensedFor,
  lesserWords,
  licenceNames,
  nameLicence,
} from '../occupations/licensed.ts';
import { isNegated, readStatement, splitByExpiry } from '../records/fields/must-haves.ts';

/** The licences of a record, as groups of occupations that need the same licence. */
export interface Licence {
  /** The group of the record's occupation, or undefined if that needs no licence. */
  own: string | undefined;
  /** All groups that the record shows a licence for, its own included. */
  held: readonly string[];
  /** The groups that credentials with a last day show a licence for, last to expire first. */
  expiring: readonly { group: string; until: string }[];
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
const readCredential = keepByText((text) => {
  if (isNegated(text)) return [];
  const credential = readSpelled(text);
  const less = credential.words.filter(isLesser);
  // A credential must hold all words of a name, "license" too, because "PT" alone may mean part time.
  const isNamed = ({ name }: LicenceName) =>
    name.words.every((word) => hasWord(credential, word, name)) &&
    less.every(({ forms }) => forms.some((form) => name.forms.has(form)));
  const names = [...credential.forms].flatMap((form) => namesByForm.get(form)?.filter(isNamed) ?? []);
  return [...new Set(names.map(({ group }) => group))];
});

/** Returns the licences that a record shows by its occupation and its credentials. */
export function readLicence(onetCode: string, credentials: readonly string[] = []): Licence {
  const own = findLicence(onetCode);
  const { lasting, expiring } = splitByExpiry(credentials);
  return {
    own,
    held: [...(own === undefined ? [] : [own]), ...lasting.flatMap(readCredential)],
    expiring: expiring.flatMap(({ text, until }) => readCredential(text).map((group) => ({ group, until }))),
  };
}

/** Returns the last day of the licence that a credential shows for a job order, the latest if there are several. */
const findExpiry = (order: Licence, { expiring }: Licence): string | undefined =>
  expiring.find(({ group }) => isLicensedFor([group], order.own!))?.until;

/** Whether a candidate has the licence that a job order needs on the day on which the work starts. */
export function isLicensed(order: Licence, candidate: Licence, start: string): boolean {
  if (order.own === undefined || isLicensedFor(candidate.held, order.own)) return true;
  const until = findExpiry(order, candidate);
  return until !== undefined && until >= start;
}

/** Returns the last day of the licence that a job order needs, or undefined if it does not expire. */
export const findLicenceEnd = (order: Licence, candidate: Licence): string | undefined =>
  order.own === undefined || isLicensedFor(candidate.held, order.own)
    ? undefined
    : findExpiry(order, candidate);

/** Says which licence a candidate lacks for a job order. Call it only if `isLicensed` returns false. */
export function explainLicence(order: Licence, candidate: Licence): string {
  const { own: wanted } = order;
  const { own } = candidate;
  const needed = nameLicence(wanted!);
  const until = findExpiry(order, candidate);
  if (until !== undefined) return `the licence as ${needed} expired ${until}`;
  if (own === undefined) return `shows no licence as ${needed}, which the order needs`;
  return `is ${nameLicence(own)}; the order needs ${needed}`;
}
