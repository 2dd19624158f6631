/** Reads what a person holds: a credential or a skill as it was written, and what it counts as. */
import { estimateBytes, memoize, mostTextBytes } from '../../../kernel/cache.ts';
import { foldText, hasWord, type Phrase, sizeOfPhrase } from '../../../kernel/words.ts';
import { firstEndForms, mayHavePeriod, readLastDay } from './last-day.ts';
import { readStatement } from './statement.ts';
import {
  firstStatusForms,
  listStatusOfCredential,
  listStatusOfSkill,
  type Standing,
  type StatusWords,
} from './status-words.ts';

export interface HeldPhrase {
  /** As written. */
  text: string;
  /** What it is to a must-have. */
  phrase: Phrase;
  /** The words that say that it is not held, or that it is less than it names. */
  status: readonly StatusWords[];
  /** Its last day, YYYY-MM-DD. */
  until?: string;
  /** Whether it says that it ends, and no day can be read. */
  hasUnreadDay: boolean;
}

const cached = {
  most: mostTextBytes,
  sizeOf: ({ phrase }: HeldPhrase) => sizeOfPhrase(phrase) + 150,
};

export const readHeldCredential: (text: string) => HeldPhrase = memoize((text) => {
  const { until, isUnread, rest } = readLastDay(text);
  const status = listStatusOfCredential(rest);
  const phrase = readStatement(text);
  return { text, phrase, status, ...(until !== undefined && { until }), hasUnreadDay: isUnread };
}, cached);

export const readHeldSkill: (text: string) => HeldPhrase = memoize(
  (text) => ({
    text,
    phrase: readStatement(text),
    status: listStatusOfSkill(text),
    hasUnreadDay: false,
  }),
  cached,
);

const firstForms = new Set([...firstStatusForms, ...firstEndForms]);
const word = /[a-z]+/g;

function hasFirstForm(text: string): boolean {
  for (const [form] of foldText(text).matchAll(word)) if (firstForms.has(form)) return true;
  return mayHavePeriod(text);
}

/** Whether a text may hold a word of status or of its end. One that does not counts as it is written. */
const mayBeQualified = memoize(hasFirstForm, { most: mostTextBytes, sizeOf: estimateBytes });

/** Lists the texts that do not count as they are written. It reads none of the others. */
export function listQualified(texts: readonly string[], read: (text: string) => HeldPhrase): HeldPhrase[] {
  return texts.flatMap((text) => {
    if (!mayBeQualified(text)) return [];
    const held = read(text);
    return held.status.length > 0 || held.until !== undefined || held.hasUnreadDay ? [held] : [];
  });
}

/**
 * Says what the words of status in a phrase make of it for a must-have or a filter. Words that the query has too mean
 * nothing.
 */
export function readStanding({ status }: HeldPhrase, query: Phrase): Standing | 'held' {
  const counting = status.filter(
    ({ forms, of }) =>
      !forms.every((form) => query.forms.has(form)) &&
      (of === undefined || query.wanted.some((word) => hasWord(of, word, query))),
  );
  if (counting.some(({ standing }) => standing === 'lacking')) return 'lacking';
  return counting.length > 0 ? 'limited' : 'held';
}

/** Whether a skill says that it is lacking. `query` may have the word itself. */
export const isLackingSkill = (text: string, query?: Phrase): boolean => {
  if (!mayBeQualified(text)) return false;
  const held = readHeldSkill(text);
  return query ? readStanding(held, query) === 'lacking' : held.status.length > 0;
};

/** Lists the credentials that end before a day, soonest first. */
export const listExpiringCredentials = (credentials: readonly string[] = [], day: string) =>
  listQualified(credentials, readHeldCredential)
    .flatMap(({ text, until }) => (until !== undefined && until < day ? [{ credential: text, until }] : []))
    .sort((a, b) => (a.until < b.until ? -1 : 1));
