import content from '../../../../content/must-haves.json' with { type: 'json' };
import { foldText, type Word } from '../../../kernel/words.ts';

/** The USPS code of a state, the District of Columbia or a territory, by its folded code or name. */
export const stateByName: ReadonlyMap<string, string> = new Map(
  Object.entries(content.states).flatMap(([code, name]) => [
    [foldText(code), code],
    [foldText(name), code],
  ]),
);

/** The folded name of a state, by its code. */
export const nameByState: ReadonlyMap<string, string> = new Map(
  Object.entries(content.states).map(([code, name]) => [code, foldText(name)]),
);

const mostWords = Math.max(...[...nameByState.values()].map((name) => name.split(' ').length));
const unmarked = new Set(content.statesWithoutCode);

const firstWords = new Set([...nameByState.values()].map((name) => name.split(' ')[0]!));

/** Returns the longest name of a state that begins at a word, and how many words it has. */
function findName(words: readonly Word[], at: number): { code: string; count: number } | undefined {
  if (!firstWords.has(words[at]!.forms[0]!)) return undefined;
  for (let count = mostWords; count > 0; count -= 1) {
    const name = words.slice(at, at + count).map(({ forms }) => forms[0]);
    const code = name.length === count ? stateByName.get(name.join(' ')) : undefined;
    if (code !== undefined && nameByState.get(code) === name.join(' ')) return { code, count };
  }
  return undefined;
}

/** Returns the state that is written at a word, and how many words it takes. */
function findState(words: readonly Word[], at: number): { code: string; count: number } | undefined {
  const [form = ''] = words[at]!.forms;
  const byCode = form.length === 2 ? stateByName.get(form) : undefined;
  const state = findName(words, at) ?? (byCode && { code: byCode, count: 1 });
  return state && !unmarked.has(state.code) ? state : undefined;
}

const toWord = (text: string): Word => ({ text, forms: [text], parts: [] });

/** The word for each state. It is also the code as a word, because that can be written in small letters. */
const wordByState = new Map<string, Word>(
  [...nameByState].map(([code, name]) => {
    const codeForm = foldText(code);
    const names = [toWord(codeForm), toWord(name.split(' ')[0]!)];
    return [code, { text: code, forms: [`state ${code}`, codeForm], parts: [], names }];
  }),
);

/** Whether a word stands for a state. */
export const isState = ({ forms }: Word): boolean => forms[0]!.startsWith('state ');

/**
 * Replaces each state in the words of a phrase by one word. A state is written as its name or as its code, in any case.
 *
 * A code that is also a word or a title, such as MD, is not replaced.
 */
export function markStates(words: readonly Word[]): Word[] {
  const marks = new Map<Word, Word>();
  const marked: Word[] = [];
  for (let at = 0; at < words.length; ) {
    const state = findState(words, at);
    const count = state?.count ?? 1;
    const first = words[at]!;
    const { partners } = first;
    const mark: Word = state ? { ...wordByState.get(state.code)!, ...(partners && { partners }) } : first;
    for (const word of words.slice(at, at + count)) marks.set(word, mark);
    marked.push(mark);
    at += count;
  }
  return marked.map((word) =>
    word.partners
      ? { ...word, partners: word.partners.map((partner) => marks.get(partner) ?? partner) }
      : word,
  );
}

const anyCode = new RegExp(
  `\\b(?:${Object.keys(content.states)
    .filter((code) => !unmarked.has(code))
    .join('|')})\\b`,
  'i',
);
const anyFirstWord = new RegExp(`\\b(?:${[...firstWords].join('|')})\\b`, 'i');

/** Whether a plain text may name a state, so that `markStates` may replace some of its words. */
export const canNameState = (text: string): boolean => anyCode.test(text) || anyFirstWord.test(text);
