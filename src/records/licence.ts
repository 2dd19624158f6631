import { keepByText } from '../kernel/cache.ts';
import { covers, type Phrase, type Word } from '../kernel/words.ts';
import {
  coversLicence,
  findLicence,
  lesserWords,
  licenceNames,
  nameLicence,
} from '../occupations/licensed.ts';
import { isNegated, readStatement } from './fields/must-haves.ts';

/** The licensed group that a record's code is of, and all groups that the record shows a licence of. */
export interface Licence {
  own: string | undefined;
  held: readonly string[];
}

interface LicenceName {
  group: string;
  name: Phrase;
}

/** The names of licences by each form of their first word. */
const namesByForm = new Map<string, LicenceName[]>();
for (const { group, name: text } of licenceNames) {
  const name = readStatement(text);
  for (const form of name.wanted[0]!.forms)
    namesByForm.set(form, [...(namesByForm.get(form) ?? []), { group, name }]);
}

const lesser = new Set(lesserWords);
const isLesser = ({ forms }: Word) => forms.some((form) => lesser.has(form));

/** The licensed groups that a credential names. One that says what is lacking names none. */
const readCredential = keepByText((text) => {
  if (isNegated(text)) return [];
  const credential = readStatement(text);
  const less = credential.words.filter(isLesser);
  const isNamed = ({ name }: LicenceName) =>
    covers(credential, name) && less.every(({ forms }) => forms.some((form) => name.forms.has(form)));
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
  order.own === undefined || coversLicence(candidate.held, order.own);

/** Says which licence a candidate lacks for a job order. */
export function explainLicence({ own: wanted }: Licence, { own }: Licence): string {
  const needed = nameLicence(wanted!);
  if (own === undefined) return `shows no licence as ${needed}, which the order needs`;
  return `is ${nameLicence(own)}; the order needs ${needed}`;
}
