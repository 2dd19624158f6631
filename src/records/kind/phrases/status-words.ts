import content from '../../../../content/must-haves.json' with { type: 'json' };
import type { Phrase, Word } from '../../../kernel/words.ts';
import { listStateWords } from '../fields/states.ts';
import { readBoundWords, readSkillPhrase, readStatement, readStatementOf } from './statement.ts';
import { isIdleInStatement, isKept, listSynonyms } from './synonyms.ts';

/** What a word of status makes of the phrase that it qualifies: not held, or less than it names. */
export type Standing = 'lacking' | 'limited';

/** Words in a phrase that say how far it is held, such as "in progress". */
export interface StatusWords {
  forms: readonly string[];
  standing: Standing;
  /** What they qualify, if that is only a part of the phrase: Hazmat in "CDL A without Hazmat". */
  of?: Phrase;
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
const beforeDay = new Set(
  'in on since as of by last this over about a an one two few several day days week weeks month months year years ago'.split(
    ' ',
  ),
);
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
  /** Whether it is a word of a state. */
  isState: boolean;
}

const dash = /\s[-‐‒–−]|[-‐‒–−]\s|[—―]/;

function placeWords(words: readonly Word[]): Placed[] {
  let [part, depth] = [0, 0];
  const states = listStateWords(words);
  return words.map((word, at) => {
    const { before = '', compound } = word;
    const next = words[at + 1];
    for (const sign of before) {
      if ('([{'.includes(sign)) depth += 1;
      if (')]}'.includes(sign)) depth = Math.max(0, depth - 1);
    }
    if (/[()[\]{},;:|•]/.test(before) || dash.test(before)) part += 1;
    const isJoined = compound !== undefined && next?.compound === compound;
    return { word, part, isInBrackets: depth > 0, isJoined, isState: states.has(word) };
  });
}

const firstForm = (placed: Placed | undefined): string => placed?.word.forms[0] ?? '';

/** Returns the known words of status that begin at a place. */
function findKnown(placed: readonly Placed[], at: number, known: Known): KnownStatus | undefined {
  return known
    .get(firstForm(placed[at]))
    ?.find(({ forms }) => forms.every((form, index) => firstForm(placed[at + index]) === form));
}

/** Whether a word says nothing of what is held: "license", or a state. */
const isNothing = ({ word, isState }: Placed) => isState || isIdleInStatement(word);

/** Whether a number follows, as in "license no. 12345" and "license no. OH 12345". */
function isNumbered(placed: readonly Placed[], end: number): boolean {
  const at = placed[end]?.isState ? end + 1 : end;
  return /^\d/.test(firstForm(placed[at]));
}

/** Whether words of status at some places qualify the phrase: first or last in their part, or in brackets. */
function qualifies(placed: readonly Placed[], at: number, { forms, isLacking }: KnownStatus): boolean {
  const end = at + forms.length;
  const { part, isInBrackets } = placed[at]!;
  if (placed[end - 1]!.isJoined) return false;
  if (isLacking && isNumbered(placed, end)) return false;
  if (isInBrackets) return true;
  const isInPart = (other: Placed) => other.part === part;
  if (placed.slice(0, at).filter(isInPart).every(isNothing)) return true;
  const behind = placed.slice(end).filter(isInPart);
  return behind.every((other) => isNothing(other) || (!isLacking && isOfDay(other.word)));
}

/** Words before what is not held: "CDL A without Hazmat". */
const scoping = new Set(['no', 'not', 'without', 'lacks', 'lacking']);

/**
 * Returns what words of status in a credential qualify, or undefined if that is the whole. "CDL A without Hazmat" says
 * nothing of CDL A. In brackets or behind a sign, only the name of another licence is such a part: "CDL A (Hazmat expired)".
 */
function findScope(placed: readonly Placed[], at: number, status: KnownStatus): Phrase | undefined {
  const end = at + status.forms.length;
  const { part, isInBrackets } = placed[at]!;
  const isScoping = status.forms.length === 1 && scoping.has(status.forms[0]!);
  if (!isScoping && !isInBrackets) return undefined;
  const toWords = (some: readonly Placed[]) => some.map(({ word }) => word);
  const before = placed.slice(0, at);
  const outside = before.filter((other) => other.part !== part || isScoping);
  if (!outside.some(({ word }) => !isIdleInStatement(word))) return undefined;
  const inside = placed.filter(
    (other, index) => other.part === part && (index >= end || (!isScoping && index < at)),
  );
  if (inside.every(isNothing)) return undefined;
  const scope = readStatementOf(toWords(inside));
  const isMiddle = isScoping && before.some((other) => other.part === part && !isIdleInStatement(other.word));
  const names = listSynonyms(scope);
  const others = listSynonyms(readStatementOf(toWords(outside)));
  const isOther = names.length > 0 && names.every((name) => !others.includes(name));
  return isMiddle || isOther ? scope : undefined;
}

/** Returns words of status with what they qualify, or undefined if they qualify nothing. */
function qualify(placed: readonly Placed[], at: number, status: KnownStatus): StatusWords | undefined {
  const end = at + status.forms.length;
  const isWhole = qualifies(placed, at, status);
  const isPossible = isWhole || (!placed[end - 1]!.isJoined && status.isLacking && !isNumbered(placed, end));
  const of = isPossible ? findScope(placed, at, status) : undefined;
  return of ? { ...status, of } : isWhole ? status : undefined;
}

/** Lists the words of status in a text. `read` returns those at a place, with what they qualify. */
function listIn(text: string, phrase: Phrase, known: Known, read: typeof qualify): StatusWords[] {
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
    const qualifying = isOpposite || isPart ? undefined : read(placed, at, status);
    if (qualifying) found.push(qualifying);
    at = next - 1 + (isOpposite ? opposed.forms.length : 0);
  }
  return found;
}

/** Lists the words of status that qualify a credential. */
export const listStatusOfCredential = (text: string): StatusWords[] =>
  listIn(text, readStatement(text), knownOfCredentials, qualify);

/** Lists the words that say that a skill is lacking. */
export const listStatusOfSkill = (text: string): StatusWords[] =>
  listIn(text, readSkillPhrase(text), knownOfSkills, (placed, at, status) =>
    qualifies(placed, at, status) ? status : undefined,
  );

/** The words with which words of status begin, for a quick test of a text. */
export const firstStatusForms: readonly string[] = [...knownOfCredentials.keys(), ...knownOfSkills.keys()];
