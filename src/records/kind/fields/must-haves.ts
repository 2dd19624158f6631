import * as v from 'valibot';
import content from '../../../../content/must-haves.json' with { type: 'json' };
import { memoize, mostTextBytes } from '../../../kernel/cache.ts';
import type { Warning } from '../../../kernel/envelope.ts';
import { PhraseList } from '../../../kernel/phrase-list.ts';
import { CalendarDate, listSchema, may, textSchema } from '../../../kernel/text.ts';
import {
  createPhrase,
  foldText,
  type Phrase,
  readWords,
  sizeOfPhrase,
  type Word,
} from '../../../kernel/words.ts';
import type { StoredRecord } from '../../../workspace/record.ts';
import type { Member } from '../member.ts';
import { canNameState, markStates } from './states.ts';

/** The phrases that say what a candidate has. */
export type WithPhrases = { skills?: readonly string[]; credentials?: readonly string[] };

const negation = /^\s*(?:no|not|without|lacks)(?![\p{L}\p{N}\p{M}‐–-])/u;

/**
 * A phrase that says that something has ended. It begins with such a word, or has it before a day, a punctuation mark or
 * its end.
 */
const lapse =
  /^\s*(?:expired|lapsed|revoked)(?![\p{L}\p{N}])|(?<!(?:not|never|non)[\s-]{1,3}|[\p{L}\p{N}])(?:expired|lapsed|revoked|suspended)(?=\s{0,3}(?:$|[,;.()\d]|(?:on|in|since)\s))/u;

/**
 * Whether a phrase says what is lacking or has ended, such as "no ICU experience" or "CDL A expired in May". "No-code
 * tools" and "suspended ceilings" do not.
 */
export function isNegated(text: string): boolean {
  const folded = foldText(text);
  return negation.test(folded) || lapse.test(folded);
}

/** Returns advice for each skill or credential that says what is lacking or has ended. */
export const warnNegated = ({ skills = [], credentials = [] }: StoredRecord & WithPhrases): Warning[] =>
  Object.entries({ skills, credentials }).flatMap(([member, phrases]) =>
    phrases.flatMap((text, index) => {
      if (!isNegated(text)) return [];
      const message = `says what is lacking or has ended, so it counts as no ${member.slice(0, -1)}; leave it out, or name what there is`;
      return [{ code: 'negated', path: `${member}[${index}]`, message, advice: true as const }];
    }),
  );

const idle = new Set(content.idleWords);

const isIdle = ({ forms }: Word) => forms.some((form) => idle.has(form));

/** Reads a must-have, a credential or a skill as a phrase. The name or code of a US state becomes one word. */
export const readStatement: (text: string) => Phrase = memoize(
  (text) => createPhrase(text, markStates(readWords(text)), isIdle),
  { most: mostTextBytes, sizeOf: sizeOfPhrase },
);

/** Lists the phrases that show what a candidate has, credentials first. Leaves out what it lacks. */
export const listShownPhrases = ({ credentials = [], skills = [] }: WithPhrases): PhraseList =>
  new PhraseList(
    [...credentials, ...skills],
    readStatement,
    (text) => !isNegated(text),
    (text) => !canNameState(text),
  );

const untilWord = /(?<![\p{L}\p{N}])until(?![\p{L}\p{N}])/iu;
const untilDay = /(?<![\p{L}\p{N}])until\s+(\d{4}-\d\d-\d\d)$/iu;

/** Returns the last day of a credential such as "RN license PA until 2027-08-31", or undefined if it states none. */
const readUntil = (text: string): string | undefined => {
  const day = untilDay.exec(text.trim())?.[1];
  return v.is(CalendarDate, day) ? day : undefined;
};

/** Whether a credential contains "until" but does not end with it and a day. */
const hasOpenUntil = (text: string) => untilWord.test(text) && readUntil(text) === undefined;

interface SplitCredentials {
  lasting: readonly string[];
  expiring: readonly { text: string; until: string }[];
}

/** Returns the credentials without a last day, and those with one, last to expire first. */
export function splitByExpiry(credentials: readonly string[]): SplitCredentials {
  const expiring = credentials.flatMap((text) => {
    const until = readUntil(text);
    return until === undefined ? [] : [{ text, until }];
  });
  return {
    lasting: credentials.filter((text) => readUntil(text) === undefined),
    expiring: expiring.toSorted((a, b) => (a.until > b.until ? -1 : 1)),
  };
}

const phrase = (title: string, description: string) => textSchema(80, title, description);

export const credentials = {
  schema: may(
    listSchema(
      v.pipe(
        phrase('Credential', 'One credential, 1 to 80 characters.'),
        v.check(
          (text) => !hasOpenUntil(text),
          'must end with until and its last day, such as "RN license PA until 2027-08-31", or not contain until',
        ),
      ),
      20,
      'credentials',
    ),
    'Up to 20, such as "CDL A" or, with its last day, "RN license PA until 2027-08-31".',
  ),
  filters: {
    credential: {
      title: 'Credential',
      description: 'Holds it: one credential has all its words.',
      createTest(value) {
        const wanted = readStatement(value);
        return ({ credentials = [] }: StoredRecord & WithPhrases) =>
          listShownPhrases({ credentials }).find(wanted) !== undefined;
      },
    },
  },
  search: 'words',
  client: 'shown',
  file: { form: 'list' },
} satisfies Member;

/** The must-haves of a job order. Each is met if one credential or skill of a candidate has all its words. */
export const requires = {
  schema: may(
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
  ),
  search: 'words',
  client: 'shown',
  file: { form: 'list' },
} satisfies Member;
