import { PhraseList } from '../../../kernel/phrase-list.ts';
import { hasAllWords, type Phrase } from '../../../kernel/words.ts';
import { canNameState } from '../fields/states.ts';
import {
  type HeldPhrase,
  listQualified,
  readHeldCredential,
  readHeldSkill,
  readStanding,
} from './held-phrase.ts';
import { readStatement } from './statement.ts';

/** The phrases that say what a candidate has. */
export type WithPhrases = { skills?: readonly string[]; credentials?: readonly string[] };

/** The phrases of a candidate that can show a must-have. */
export interface ShownPhrases {
  /** Those that count as they are written, credentials first. */
  plain: PhraseList;
  /** Those with words of status or of their end, last to end first. */
  qualified: readonly HeldPhrase[];
}

/** How a candidate shows a must-have on a day. */
interface Evidence {
  /** `unknown`: only by a phrase that is limited, or whose last day cannot be read. */
  result: 'met' | 'unknown' | 'expired';
  phrase: Phrase;
  /** The last day of the phrase, if it states one. */
  until?: string;
}

const neverEnds = '~';
const readEnd = ({ until = neverEnds }: HeldPhrase): string => until;

export function readShownPhrases({ credentials = [], skills = [] }: WithPhrases): ShownPhrases {
  const ofCredentials = listQualified(credentials, readHeldCredential);
  const ofSkills = listQualified(skills, readHeldSkill);
  const leaveOut = (texts: readonly string[], held: readonly HeldPhrase[]) =>
    held.length === 0 ? texts : texts.filter((text) => held.every((phrase) => phrase.text !== text));
  return {
    plain: new PhraseList(
      [...leaveOut(credentials, ofCredentials), ...leaveOut(skills, ofSkills)],
      readStatement,
      (text) => !canNameState(text),
    ),
    qualified: [...ofCredentials, ...ofSkills].sort((a, b) => (readEnd(a) > readEnd(b) ? -1 : 1)),
  };
}

const ranks = ['met', 'unknown', 'expired'] as const;

/** Returns the best of the qualified phrases that show a must-have on a day: of several, the last to end. */
function findQualified({ qualified }: ShownPhrases, query: Phrase, start: string): Evidence | undefined {
  let best: Evidence | undefined;
  for (const held of qualified) {
    const { phrase, until, hasUnreadDay } = held;
    if (!hasAllWords(phrase, query)) continue;
    const standing = readStanding(held, query);
    if (standing === 'lacking') continue;
    const isExpired = until !== undefined && until < start;
    const isUnknown = standing === 'limited' || hasUnreadDay;
    const result = isExpired ? 'expired' : isUnknown ? 'unknown' : 'met';
    if (best && ranks.indexOf(best.result) <= ranks.indexOf(result)) continue;
    best = { result, phrase, ...(until !== undefined && { until }) };
  }
  return best;
}

/** Returns how a candidate shows a must-have on the day on which the work starts, or undefined if nothing shows it. */
export function findEvidence(shown: ShownPhrases, query: Phrase, start: string): Evidence | undefined {
  const phrase = shown.plain.find(query);
  return phrase ? { result: 'met', phrase } : findQualified(shown, query, start);
}

/** Like `findEvidence`, for callers that do not ask which phrase without a last day it is. This reads fewer texts. */
export function findVerdict(
  shown: ShownPhrases,
  query: Phrase,
  start: string,
): Partial<Evidence> | undefined {
  return shown.plain.has(query) ? { result: 'met' } : findQualified(shown, query, start);
}

/** Whether phrases show a value of a filter. Their last days do not count. */
export const holds = (shown: ShownPhrases, query: Phrase): boolean =>
  shown.plain.has(query) ||
  shown.qualified.some((held) => hasAllWords(held.phrase, query) && readStanding(held, query) === 'held');
