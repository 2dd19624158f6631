import { keepByText } from '../kernel/cache.ts';
import { hasWord, type Phrase, type Word } from '../kernel/words.ts';
import {
  findLicence,
  isLicensedFor,
  lesserWords,
  licenceNames,
  nameLicence,
} from '../occupations/licensed.ts';
import { isNegated, readStatement } from '../records/fields/must-haves.ts';

/** The licensed group that a record's code is of, and all groups that the record shows a licence of. */
export interface Licence {
  own: string | undefined;
  held: readonly string[];
}

interface LicenceName {
  group: string;
  name: Phrase;
}

/** Reads a credential with `license` for `licence`, as the names are written. */
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

/** The licensed groups that a credential names. One that says what is lacking names none. */
const readCredential = keepByText((text) => {
  if (isNegated(text)) return [];
  const credential = readSpelled(text);
  const less = credential.words.filter(isLesser);
  // All words of the name count, "license" too: "PT" alone may be part time.
  const isNamed = ({ name }: LicenceName) =>
    name.words.every((word) => hasWord(credential, word, name)) &&
    less.every(({ forms }) => forms.some((form) => name.forms.has(form)));
  const found = [...credential.forms].flatMap((form) => namesByForm.get(form)?.filter(isNamed) ?? []);
  return [...new Set(found.map(({ group }) => group))];
});

/** Reads which licences a record shows: by its occupation and by its credentials. */
export function readLicence(onetCode: string, credentials: readonly string[] = []): Licence {
  const own = findLicence(onetCode);
  return { own, held: [...(own === undefined ? [] : [own]), ...credentials.flatMap(readCredential)] };
}

/** Whether a candidate may do the work of a job order. */
export const isLicensed = (order: Licence, candidate: Licence): boolean =>
  order.own === undefined || isLicensedFor(candidate.held, order.own);

/** Says which licence a candidate lacks for a job order. */
export function explainLicence({ own: wanted }: Licence, { own }: Licence): string {
  const needed = nameLicence(wanted!);
  if (own === undefined) return `shows no licence as ${needed}, which the order needs`;
  return `is ${nameLicence(own)}; the order needs ${needed}`;
}
