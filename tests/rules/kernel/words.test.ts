import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { foldText, hasAllWords, readPhrase, readWords } from '../../../src/kernel/words.ts';
import { toChance } from '../../support/people.ts';

const words = suite('words of random texts');

/** Letters of many scripts, marks, digits, signs that join or separate words, and lookalikes. */
const characters = [
  ...'aAbBsSßẞıİłŁđĐøØæÆœŒþÞðÐéÉñçüÅΣσςάΆёЁйЙїקاשभिन्दीกำ日本語がガｶﾞ한국어',
  ...'019٣²½①ⅣﬁＡﾊﾟ™№ǅǆ\u0301\u0327\u3099\u200d\ufeff\u00ad\ufe0f',
  ..."   --‐–./&+#'’,()!・",
  ...['es', 'ies', 'ss', 'men', 'uses', 'RN', 'CDL', '.NET', 'C++', 'T-', '-A', '😀'],
];

function* toTexts(count: number): Generator<string> {
  const chance = toChance(27);
  for (let at = 0; at < count; at += 1) {
    const length = 1 + chance(12);
    yield Array.from({ length }, () => characters[chance(characters.length)]!).join('');
  }
}

/** Finds the first of many random texts for which something does not hold. */
function findExample(holds: (text: string) => boolean, count = 8000): string | undefined {
  for (const text of toTexts(count)) if (!holds(text)) return text;
  return undefined;
}

const toForms = (text: string) => readWords(text).map(({ forms }) => forms[0]!);

words('folding twice is folding once', () => {
  assert.is(
    findExample((text) => foldText(foldText(text)) === foldText(text), 30_000),
    undefined,
  );
});

words('a folded text is not much longer than the text', () => {
  const isLong = (text: string) => foldText(text).length > 3 * text.length + 200;
  const long: string[] = [];
  for (let code = 0x80; code < 0x30_000; code += 1) {
    const character = String.fromCodePoint(code);
    if (character.normalize('NFKC').length > 2 && isLong(character.repeat(200))) long.push(character);
  }
  assert.equal(long, []);
});

words('folding ignores case', () => {
  const example = findExample((text) => foldText(text.toUpperCase()) === foldText(text.toLowerCase()));
  assert.is(example, undefined);
});

words('words that are read again from their folded forms stay the same', () => {
  const example = findExample((text) => {
    const forms = toForms(text);
    return toForms(forms.join(' ')).join() === forms.join();
  });
  assert.is(example, undefined);
});

words('a phrase has its own words', () => {
  const example = findExample((text) => hasAllWords(readPhrase(text), readPhrase(text)));
  assert.is(example, undefined);
});

words('a phrase contains the words of another in any order', () => {
  const chance = toChance(28);
  const example = findExample((text) => {
    const forms = toForms(text);
    if (forms.length === 0) return true;
    const turn = chance(forms.length);
    const turned = [...forms.slice(turn), ...forms.slice(0, turn)].join(' ');
    return hasAllWords(readPhrase(turned), readPhrase(forms.join(' ')));
  });
  assert.is(example, undefined);
});

words('a phrase loses no word when another phrase is added to it', () => {
  let before = 'RN';
  const example = findExample((text) => {
    const added = `${before}, ${text}`;
    const isKept = hasAllWords(readPhrase(added), readPhrase(before));
    before = readWords(text).length > 0 ? text : before;
    return isKept;
  });
  assert.is(example, undefined);
});

words.run();
