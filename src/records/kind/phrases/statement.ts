import content from '../../../../content/must-haves.json' with { type: 'json' };
import { memoize, mostTextBytes } from '../../../kernel/cache.ts';
import { createPhrase, type Phrase, readWords, sizeOfPhrase, type Word } from '../../../kernel/words.ts';
import { markStates } from '../fields/states.ts';
import { addSynonyms, isIdleInStatement } from './synonyms.ts';

const before = new Set(content.compounds.before);
const behind = new Set(content.compounds.behind);

/** Returns the words of its compound that a word counts with, or undefined if it counts alone. */
function findCompanions(word: Word): readonly Word[] | undefined {
  const { compound } = word;
  if (!compound) return undefined;
  const [first, last] = [compound[0]!, compound.at(-1)!];
  if (compound.length > 2)
    return compound.filter((other) => other.forms[0] !== word.forms[0] && !isIdleInStatement(other));
  if (word !== first && before.has(first.forms[0]!)) return [first];
  if (word !== last && behind.has(last.forms[0]!)) return [last];
  return undefined;
}

/**
 * Reads the words of a text, each word of a compound bound to the others where it alone means something else: "Java" in
 * "non-Java", and each word of "go-to-market".
 */
export const readBoundWords = (text: string): Word[] =>
  readWords(text).map((word) => {
    const companions = findCompanions(word);
    return companions && companions.length > 0 ? { ...word, partners: companions } : word;
  });

const cached = { most: mostTextBytes, sizeOf: sizeOfPhrase };

/** Reads a skill as a phrase. Names of the same thing become one word. */
export const readSkillPhrase: (text: string) => Phrase = memoize(
  (text) => addSynonyms(createPhrase(text, readBoundWords(text))),
  cached,
);

/** Reads a must-have, or what can show one, as a phrase. The name or code of a US state becomes one word too. */
export const readStatement: (text: string) => Phrase = memoize(
  (text) => addSynonyms(createPhrase(text, markStates(readBoundWords(text)), isIdleInStatement)),
  cached,
);

/** Reads some of the words of a text as a phrase. */
export const readStatementOf = (words: readonly Word[]): Phrase =>
  addSynonyms(createPhrase(words.map(({ text }) => text).join(' '), markStates(words), isIdleInStatement));
