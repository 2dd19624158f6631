import type { PhraseList } from '../kernel/phrase-list.ts';
import { hasAllWords, type Phrase } from '../kernel/words.ts';
import {
  isNegated,
  listShownPhrases,
  readStatement,
  readUntil,
  type WithPhrases,
} from '../records/fields/must-haves.ts';

interface ExpiringCredential {
  phrase: Phrase;
  until: string;
}

/** What shows that a candidate meets must-haves. */
export interface Evidence {
  /** Skills, and the credentials without a last day. */
  lasting: PhraseList;
  /** The credentials with a last day, last to expire first. */
  expiring: readonly ExpiringCredential[];
}

export function readEvidence({ credentials = [], skills = [] }: WithPhrases): Evidence {
  const expiring = credentials.flatMap((text) => {
    const until = isNegated(text) ? undefined : readUntil(text);
    return until === undefined ? [] : [{ phrase: readStatement(text), until }];
  });
  const lasting = credentials.filter((text) => readUntil(text) === undefined);
  return {
    lasting: listShownPhrases({ credentials: lasting, skills }),
    expiring: expiring.toSorted((a, b) => (a.until > b.until ? -1 : 1)),
  };
}

/** Returns what shows a must-have, and its last day if it has one. That can be before the start of the work. */
export function findEvidence(
  { lasting, expiring }: Evidence,
  query: Phrase,
): { phrase: Phrase; until?: string } | undefined {
  const phrase = lasting.find(query);
  return phrase ? { phrase } : expiring.find((credential) => hasAllWords(credential.phrase, query));
}

/** Whether something shows a must-have on the day on which the work starts. */
export function isShown(evidence: Evidence, query: Phrase, start: string): boolean {
  const shown = findEvidence(evidence, query);
  return shown !== undefined && (shown.until === undefined || shown.until >= start);
}
