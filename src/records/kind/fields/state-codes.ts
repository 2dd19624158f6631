/** Decides whether two letters in a phrase are the code of a state. Some codes are also a word or a title. */
import content from '../../../../content/must-haves.json' with { type: 'json' };
import { foldText, type Word } from '../../../kernel/words.ts';

const { codesAsWords, codesAsTitles, ends, endsBeforeDay, notHeld, limited, idleWords, states } = content;
const codesOfWords = new Set(codesAsWords.codes);
const codesOfTitles = new Set(codesAsTitles);
const notBehind = new Set(codesAsWords.notBehind);
const notBefore = new Set(codesAsWords.notBefore);

const listWords = (texts: readonly string[]) => texts.flatMap((text) => text.split(' '));
const licenceWords = new Set(['license', 'licence', 'licensed', 'licensure', 'lic']);
const idle = new Set(idleWords);
const endWords = new Set(listWords([...ends, ...endsBeforeDay]));
/** Words of an end that no word but a state can be before. */
const beginsEnd = new Set([
  'until',
  'till',
  'through',
  'thru',
  'exp',
  'expires',
  'expire',
  'expiring',
  'ends',
]);
const statusWords = new Set(listWords([...Object.values(notHeld).flat(), ...limited]));
/** Words that say nothing of what a licence is for: those of its end, of its status, and numbers. */
const isEmpty = (form: string) =>
  idle.has(form) || licenceWords.has(form) || endWords.has(form) || statusWords.has(form) || /^\d/.test(form);

/** The codes that are no other word. */
const onlyCodes = new Set(
  Object.keys(states)
    .filter((code) => !codesOfWords.has(code) && !codesOfTitles.has(code))
    .map(foldText),
);
const isOnlyCode = (form: string) => onlyCodes.has(form);

const firstForm = (word: Word | undefined): string => word?.forms[0] ?? '';
const isCapital = ({ text }: Word) => /^[A-Z]{2}$/.test(text);
const isLicence = (word: Word) => licenceWords.has(firstForm(word));

const toWord = (text: string): Word => ({ text, forms: [text], parts: [] });

/**
 * Creates the word for a state. `parts` are the other readings of its code: a must-have that has the code as a word or a
 * title finds it by them.
 */
export function createStateWord(code: string, parts: readonly string[] = []): Word {
  const codeForm = foldText(code);
  const [firstOfName = ''] = foldText(states[code as keyof typeof states]).split(' ');
  const names = [toWord(codeForm), toWord(firstOfName)];
  const forms = isOnlyCode(codeForm) ? [`state ${code}`, codeForm] : [`state ${code}`];
  return { text: code, forms, parts, names };
}

/** Whether a sign or "and" separates a word from the one before it. A colon does not: "certified in: ICU". */
const isApart = ({ before = '', forms }: Word): boolean =>
  /[,;/|&()[\]]|\s[-‐‒–−]|[-‐‒–−]\s|[—―]/.test(before) || forms[0] === 'and';

/** Whether a code that is also a word, such as "in", is a state at its place. */
function isStateAt(words: readonly Word[], at: number, isName: (at: number) => boolean): boolean {
  const word = words[at]!;
  const [previous, next] = [words[at - 1], words[at + 1]];
  if (words.length === 1) return firstForm(word) !== 'or';
  if (firstForm(word) === 'in' && notBehind.has(firstForm(previous))) return false;
  if (!next || isApart(next)) return true;
  const isJoined = word.compound !== undefined && next.compound === word.compound;
  if (isJoined || notBefore.has(firstForm(next)) || isName(at + 1)) return false;
  if (isOnlyCode(firstForm(next))) return false;
  if (beginsEnd.has(firstForm(next)) || isLicence(next)) return true;
  if (at === 0 && words.some(isLicence)) return true;
  if (!isCapital(word)) return false;
  if (isEmpty(firstForm(next)) || words.some(({ text }) => /[a-z]/.test(text))) return true;
  // "IN RN" has capitals alone, and short names of licences.
  return at === 0 && words.every(({ text }) => text.length <= 4);
}

/** Whether a word follows "license", as in "RN license - MD" or "licensed in MD". */
function isBehindLicence(words: readonly Word[], at: number): boolean {
  const before = words.slice(0, at).filter(({ forms }) => !['in', 'of', 'for'].includes(forms[0]!));
  return before.length > 0 && isLicence(before.at(-1)!);
}

/**
 * Reads a code that is also a title. Alone it is the title. In "RN license MD" it is the state. In "RN MD" it may be
 * either: as a must-have it is only met by the same letters.
 */
function readTitle(code: string, words: readonly Word[], at: number, isName: (at: number) => boolean) {
  const title = foldText(code);
  const saysMore = words.some(({ forms: [form = ''] }, other) => {
    const isOther = other !== at && form !== title;
    return isOther && !isEmpty(form) && !isOnlyCode(form) && !isName(other);
  });
  if (!saysMore) return undefined;
  const letters = `code ${code}`;
  if (!words.some(isLicence)) return { ...createStateWord(code, [title, `state ${code}`]), forms: [letters] };
  return createStateWord(code, isBehindLicence(words, at) ? [letters] : [letters, title]);
}

/** Returns the word for the state that a code means at its place in a phrase, or undefined if it means none. */
export function readCode(
  code: string,
  words: readonly Word[],
  at: number,
  isName: (at: number) => boolean,
): Word | undefined {
  if (codesOfTitles.has(code)) return readTitle(code, words, at, isName);
  if (!codesOfWords.has(code)) return createStateWord(code);
  return isStateAt(words, at, isName) ? createStateWord(code, [foldText(code)]) : undefined;
}
