import type { PhraseList } from '../../kernel/phrase-list.ts';
import { hasAllWords, type Phrase } from '../../kernel/words.ts';
import {
  isNegated,
  listShownPhrases,
  readStatement,
  splitByExpiry,
  type WithPhrases,
} from '../../records/kind/fields/must-haves.ts';

interface ExpiringCredential {
  phrase: Phrase;
  until: string;
}

/** The phrases of a candidate that can show a must-have. */
export interface ShownPhrases {
  /** Skills, and the credentials without a last day. */
  lasting: PhraseList;
  /** The credentials with a last day, last to expire first. */
  expiring: readonly ExpiringCredential[];
}

export function readShownPhrases({ credentials = [], skills = [] }: WithPhrases): ShownPhrases {
  const { lasting, expiring } = splitByExpiry(credentials);
  return {
    lasting: listShownPhrases({ credentials: lasting, skills }),
    expiring: expiring
      .filter(({ text }) => !isNegated(text))
      .map(({ text, until }) => ({ phrase: readStatement(text), until })),
  };
}

/** Returns the phrase that shows a must-have, with its last day if it has one. That day can be before the start. */
export function findShownPhrase(
  { lasting, expiring }: ShownPhrases,
  query: Phrase,
): { phrase: Phrase; until?: string } | undefined {
  const phrase = lasting.find(query);
  return phrase ? { phrase } : expiring.find((credential) => hasAllWords(credential.phrase, query));
}

/** Whether a phrase shows a must-have on the day on which the work starts. */
export function isShown({ lasting, expiring }: ShownPhrases, query: Phrase, start: string): boolean {
  if (lasting.has(query)) return true;
  const shown = expiring.find(({ phrase }) => hasAllWords(phrase, query));
  return shown !== undefined && shown.until >= start;
}
