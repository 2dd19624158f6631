import content from '../../../../content/must-haves.json' with { type: 'json' };
import type { Phrase, Word } from '../../../kernel/words.ts';
import { readBoundWords, readSkillPhrase, readStatement } from './statement.ts';
import { isIdleInStatement, isKept } from './synonyms.ts';

/** What a word of status makes of the phrase that it qualifies: not held, or less than it names. */
export type Standing = 'lacking' | 'limited';

/** Words in a phrase that say how far it is held, such as "in progress". */
export interface StatusWords {
  forms: readonly string[];
  standing: Standing;
}

interface KnownStatus extends StatusWords {
  /** Whether "not" before it says the opposite: "not expired". */
  isEnded: boolean;
  /** Whether it says that there is none, so that a day behind it says nothing of it. */
  isLacking: boolean;
}

type Known = ReadonlyMap<string, readonly KnownStatus[]>;

const { ended, awaited, lacking, ofSkills } = content.notHeld;

function indexByFirst(lists: readonly (readonly [readonly string[], Omit<KnownStatus, 'forms'>])[]): Known {
  const all = lists.flatMap(([texts, known]) =>
    texts.map((text): KnownStatus => ({ ...known, forms: text.split(' ') })),
  );
  const longestFirst = all.sort((a, b) => b.forms.length - a.forms.length);
  return Map.groupBy(longestFirst, ({ forms }) => forms[0]!);
}

const notHeld = { standing: 'lacking', isEnded: false, isLacking: false } as const;
const knownOfCredentials = indexByFirst([
  [ended, { ...notHeld, isEnded: true }],
  [awaited, notHeld],
  [lacking, { ...notHeld, isLacking: true }],
  [content.limited, { ...notHeld, standing: 'limited' }],
]);
const knownOfSkills = indexByFirst([[ofSkills, { ...notHeld, isLacking: true }]]);

/** Words before one that has ended that say the opposite. */
const opposites = new Set(['not', 'never']);

/** Words between a status and its day: "expired in May". */
const beforeDay = new Set(['in', 'on', 'since', 'as', 'of', 'by']);
const months =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/;
const isOfDay = ({ forms: [form = ''] }: Word) =>
  beforeDay.has(form) || /^\d{1,4}(?:st|nd|rd|th|t\d+)?$/.test(form) || months.test(form);

/** A word of a text, and where it is. */
interface Placed {
  word: Word;
  /** The number of its part. Brackets, commas, colons and dashes separate parts. */
  part: number;
  isInBrackets: boolean;
  /** Whether a hyphen joins it with the next word. */
  isJoined: boolean;
}

const dash = /\s[-‐‒–−]|[-‐‒–−]\s|[—―]/;

function placeWords(words: readonly Word[]): Placed[] {
  let [part, depth] = [0, 0];
  return words.map((word, at) => {
    const { before = '', compound } = word;
    const next = words[at + 1];
    for (const sign of before) {
      if ('([{'.includes(sign)) depth += 1;
      if (')]}'.includes(sign)) depth = Math.max(0, depth - 1);
    }
    if (/[()[\]{},;:|•]/.test(before) || dash.test(before)) part += 1;
    const isJoined = compound !== undefined && next?.compound === compound;
    return { word, part, isInBrackets: depth > 0, isJoined };
  });
}

const firstForm = (placed: Placed | undefined): string => placed?.word.forms[0] ?? '';

/** Returns the known words of status that begin at a place. */
function findKnown(placed: readonly Placed[], at: number, known: Known): KnownStatus | undefined {
  return known
    .get(firstForm(placed[at]))
    ?.find(({ forms }) => forms.every((form, index) => firstForm(placed[at + index]) === form));
}

/** Whether words of status at some places qualify the phrase: first or last in their part, or in brackets. */
function qualifies(placed: readonly Placed[], at: number, { forms, isLacking }: KnownStatus): boolean {
  const end = at + forms.length;
  const { part, isInBrackets } = placed[at]!;
  if (placed[end - 1]!.isJoined) return false;
  // "License no. 12345".
  if (isLacking && /^\d/.test(firstForm(placed[end]))) return false;
  if (isInBrackets) return true;
  const isInPart = (other: Placed) => other.part === part;
  const isNothing = ({ word }: Placed) => isIdleInStatement(word);
  if (placed.slice(0, at).filter(isInPart).every(isNothing)) return true;
  const behind = placed.slice(end).filter(isInPart);
  return behind.every((other) => isNothing(other) || (!isLacking && isOfDay(other.word)));
}

function listIn(text: string, phrase: Phrase, known: Known): StatusWords[] {
  const placed = placeWords(readBoundWords(text));
  const found: StatusWords[] = [];
  for (let at = 0; at < placed.length; at += 1) {
    if (placed[at]!.word.partners) continue;
    const status = findKnown(placed, at, known);
    if (!status) continue;
    const next = at + status.forms.length;
    const opposed = findKnown(placed, next, known);
    const isOpposite = opposites.has(firstForm(placed[at])) && opposed?.isEnded === true;
    const isPart = placed.slice(at, next).some(({ word }) => isKept(word, phrase));
    if (!isOpposite && !isPart && qualifies(placed, at, status)) found.push(status);
    at = next - 1 + (isOpposite ? opposed.forms.length : 0);
  }
  return found;
}

/** Lists the words of status that qualify a credential. */
export const listStatusOfCredential = (text: string): StatusWords[] =>
  listIn(text, readStatement(text), knownOfCredentials);

/** Lists the words that say that a skill is lacking. */
export const listStatusOfSkill = (text: string): StatusWords[] =>
  listIn(text, readSkillPhrase(text), knownOfSkills);

/** The words with which words of status begin, for a quick test of a text. */
export const firstStatusForms: readonly string[] = [...knownOfCredentials.keys(), ...knownOfSkills.keys()];
