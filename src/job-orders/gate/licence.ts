import { estimateBytes, memoize, mostTextBytes } from '../../kernel/cache.ts';
import { hasWord, type Phrase, type Word } from '../../kernel/words.ts';
import {
  findLicence,
  isLicensedFor,
  lesserWords,
  licenceNames,
  nameLicence,
} from '../../occupations/licensed.ts';
import {
  type HeldPhrase,
  listQualified,
  readHeldCredential,
} from '../../records/kind/phrases/held-phrase.ts';
import { readStatement } from '../../records/kind/phrases/statement.ts';

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
  /** The licences that a credential names that is limited, or whose last day cannot be read. */
  uncertain: readonly Omit<NamedLicence, 'until'>[];
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

/** Returns the licensed groups that a credential names, whether or not it is held. */
const readCredential = memoize(
  (text: string) => {
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

/** Lists the words of status that say something of a licence that the credential names. */
const listStatusOfLicence = ({ status }: HeldPhrase) =>
  status.filter(({ of }) => of === undefined || readCredential(of.text).length > 0);

/** Returns the licences that a record shows by its occupation and its credentials. */
export function readLicence(onetCode: string, credentials: readonly string[] = []): Licence {
  const own = findLicence(onetCode);
  const expiring: NamedLicence[] = [];
  const uncertain: Omit<NamedLicence, 'until'>[] = [];
  const qualified = listQualified(credentials, readHeldCredential);
  const named = credentials
    .filter((text) => qualified.every((held) => held.text !== text))
    .flatMap(readCredential);
  for (const held of qualified) {
    const { text, until, hasUnreadDay } = held;
    const status = listStatusOfLicence(held);
    if (status.some(({ standing }) => standing === 'lacking')) continue;
    const isUncertain = status.length > 0 || hasUnreadDay;
    for (const group of readCredential(text)) {
      if (isUncertain) uncertain.push({ group, text });
      else if (until === undefined) named.push(group);
      else expiring.push({ group, text, until });
    }
  }
  return {
    own,
    named,
    held: own === undefined ? named : [own, ...named],
    expiring: expiring.sort((a, b) => (a.until > b.until ? -1 : 1)),
    uncertain,
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

/** Returns the credential that may show the licence that a job order needs. Call it only if `isLicensed` returns false. */
export const findUncertainLicence = ({ own }: Licence, { uncertain }: Licence): string | undefined =>
  uncertain.find(({ group }) => isLicensedFor([group], own!))?.text;

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

/** Says that a credential may not be the whole licence that a job order needs. */
export const explainUncertainLicence = ({ own }: Licence, text: string): string =>
  `the licence as ${nameLicence(own!)} is shown only by "${text}"`;
