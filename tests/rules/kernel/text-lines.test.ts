import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  anyText,
  canHaveWord,
  type Needle,
  type Needles,
  TextLines,
} from '../../../src/kernel/text-lines.ts';
import { toChance } from '../../support/people.ts';

const lines = suite('texts that are searched together');

const characters = [...'amzAZ059 ,-/()', 'am', 'zz', '00'];
/** Characters of a text that is not plain, in which any word may be. */
const others = ['é', '.', '&', '😀'];

/** A search for one needle at each place of a text. */
function hasNeedle(text: string, { part, isBeginning, isEnd }: Needle): boolean {
  const isWord = (character: string | undefined) => character !== undefined && /[a-z0-9]/.test(character);
  return [...text, ''].some(
    (_, at) =>
      text.startsWith(part, at) &&
      !(isBeginning && isWord(text[at - 1])) &&
      !(isEnd && isWord(text[at + part.length])),
  );
}

function mayHave(text: string, words: readonly Needles[]): boolean {
  if (!/^[a-z0-9 ,/()-]*$/i.test(text)) return true;
  const lower = text.toLowerCase();
  return words.every((needles) => needles.some((needle) => hasNeedle(lower, needle)));
}

function createTexts(seed: number, known: readonly string[]) {
  const chance = toChance(seed);
  const makeText = (length: number) =>
    Array.from({ length: chance(length) }, () => known[chance(known.length)]!).join('');
  const makeNeedle = (): Needle => ({
    part: ['a', 'z', 'am', '0', '9', 'zz', '00', 'm5'][chance(8)]!,
    isBeginning: chance(2) === 0,
    isEnd: chance(3) === 0,
  });
  const makeWords = () =>
    Array.from({ length: 1 + chance(3) }, () => Array.from({ length: 1 + chance(2) }, makeNeedle));
  return { chance, makeText, makeWords };
}

for (const [what, known] of [
  ['plain texts', characters],
  ['texts of which some are not plain', [...characters, ...others]],
] as const) {
  lines(`of ${what} are found that may have each word, in their order`, () => {
    const { chance, makeText, makeWords } = createTexts(191, known);
    let found = 0;
    for (let round = 0; round < 2000; round += 1) {
      const texts = Array.from({ length: chance(8) }, () => makeText(6));
      const words = makeWords();
      const expected = texts.filter((text) => mayHave(text, words));
      const listed = [...new TextLines(texts).listWith(words)];
      assert.equal(listed, expected, JSON.stringify([texts, words]));
      for (const text of texts)
        for (const needles of words)
          assert.is(canHaveWord(text, needles), mayHave(text, [needles]), JSON.stringify([text, needles]));
      found += listed.length;
    }
    assert.ok(found > 500, `${found} found`);
  });
}

lines('any text may have a word of which nothing is known', () => {
  const texts = ['', 'a', '-', 'é'];
  assert.equal([...new TextLines(texts).listWith([anyText])], texts);
  assert.equal([...new TextLines(texts.slice(0, 3)).listWith([anyText, anyText])], texts.slice(0, 3));
});

lines('without a word every text is found', () => {
  assert.equal([...new TextLines(['a', 'b']).listWith([])], ['a', 'b']);
});

lines.run();
