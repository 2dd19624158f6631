import * as v from 'valibot';
import content from '../../../content/must-haves.json' with { type: 'json' };
import { keepByText } from '../../kernel/cache.ts';
import type { Warning } from '../../kernel/envelope.ts';
import { listSchema, may, textSchema } from '../../kernel/text.ts';
import { toSingular, toTokens } from '../../occupations/titles/words.ts';
import type { Member } from '../kind.ts';
import type { StoredRecord } from '../record.ts';

/** What a candidate has: both lists hold phrases. */
export type WithPhrases = { skills?: readonly string[]; credentials?: readonly string[] };

/** Whether a phrase says what is lacking, such as "no ICU experience": it shows nothing. */
export const isNegated = (text: string) => /^\s*(no|not|without|lacks)\b/i.test(text);

/** Advice at each phrase of these members that says what is lacking. */
export const warnNegated = ({ skills = [], credentials = [] }: StoredRecord & WithPhrases): Warning[] =>
  Object.entries({ skills, credentials }).flatMap(([member, phrases]) =>
    phrases.flatMap((text, index) => {
      if (!isNegated(text)) return [];
      const message = `says what is lacking, so it counts as no ${member.slice(0, -1)}; leave it out, or name what there is`;
      return [{ code: 'negated', path: `${member}[${index}]`, message, advice: true as const }];
    }),
  );

const idle = new Set(content.idleWords);

/** By its code or its name in lower case, the code of a state, of the District of Columbia or of a territory (USPS). */
export const stateByName: ReadonlyMap<string, string> = new Map(
  Object.entries(content.states).flatMap((entry) => entry.map((name) => [name.toLowerCase(), entry[0]])),
);
const states = new Map([...stateByName].filter(([, code]) => !content.statesWithoutCode.includes(code)));
const names = [...states.keys()].filter((name) => name.length > 2);
/** A name of a state in any case, the longest first, or two capital letters. */
const stateShape = `\\b(?:${names.toSorted((a, b) => b.length - a.length).join('|')})\\b`;
const stateNames = new RegExp(stateShape, 'gi');
const codeShape = /\b[A-Z]{2}\b/g;

/** A phrase as it is compared: a must-have by `wanted`, a credential or a skill by `words`. */
export interface Phrase {
  text: string;
  words: ReadonlySet<string>;
  /** Its words without the idle ones; all of them where it has no other. */
  wanted: readonly string[];
}

/** Reads a phrase: a state of the United States is one word, by its name or its code, and "RNs" are RN. */
export const readPhrase = keepByText((text: string): Phrase => {
  const toMark = (name: string) => ` state${states.get(name.toLowerCase())} `;
  const marked = text
    .replace(stateNames, toMark)
    .replace(codeShape, (code) => (states.has(code.toLowerCase()) ? toMark(code) : code))
    .replace(/\b([A-Z]{2,})s\b/g, '$1');
  const found = toTokens(marked).map(toSingular);
  const words = new Set(found.length > 0 ? found : [text.trim().toLowerCase()]);
  const wanted = [...words].filter((word) => !idle.has(word));
  return { text, words, wanted: wanted.length > 0 ? wanted : [...words] };
});

/** What a candidate shows: its credentials first. */
export const readEvidence = ({ credentials = [], skills = [] }: WithPhrases): Phrase[] =>
  [...credentials, ...skills].filter((text) => !isNegated(text)).map(readPhrase);

/** The credential or skill that holds every word of a must-have. */
export const findEvidence = ({ wanted }: Phrase, evidence: readonly Phrase[]): Phrase | undefined =>
  evidence.find(({ words }) => wanted.every((word) => words.has(word)));

const phrase = (title: string, description: string) => textSchema(80, title, description);

export const credentials = {
  schema: may(
    listSchema(phrase('Credential', 'One credential, 1 to 80 characters.'), 20, 'credentials'),
    'Up to 20 licences or certificates, such as "RN license PA" or "CDL A".',
  ),
  filters: {
    credential: {
      title: 'Credential',
      description: 'Holds it: one credential has all its words.',
      toTest(value) {
        const wanted = readPhrase(value);
        return ({ credentials = [] }: StoredRecord & WithPhrases) =>
          findEvidence(wanted, readEvidence({ credentials })) !== undefined;
      },
    },
  },
} satisfies Member;

/** The must-haves of a job order: each is met where one credential or skill of a candidate has all its words. */
export const requires = may(
  listSchema(
    v.pipe(
      phrase('Must-have', 'One must-have, 1 to 80 characters.'),
      v.check(
        (text) => !isNegated(text),
        'says what is not wanted, and only what is there can be required; say what must be there',
      ),
    ),
    20,
    'must-haves',
  ),
  'Up to 20 must-haves: each is met by one credential or skill that has all its words.',
);
