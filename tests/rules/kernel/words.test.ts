import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createPhrase,
  foldText,
  hasAllWords,
  hasWord,
  isUnspaced,
  readPhrase,
  readWords,
} from '../../../src/kernel/words.ts';
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

words('a short text is unified as a whole, and a text of many ligatures is compared as it is', () => {
  const long = 'ＳＱＬ '.repeat(200);
  assert.is(foldText(long), 'sql '.repeat(200));
  assert.is(foldText('…'.repeat(100)), '.'.repeat(300));
  assert.is(foldText('…'.repeat(101)), '…'.repeat(101));
});

const forms: Record<string, string[]> = {
  companies: ['companies', 'company', 'companie'],
  ties: ['ties', 'tie'],
  boxes: ['boxes', 'box', 'boxe'],
  axes: ['axes', 'axe'],
  classes: ['classes', 'class', 'classe'],
  women: ['women', 'woman'],
  omen: ['omen'],
  buses: ['buses', 'buse', 'bus'],
  uses: ['uses', 'use'],
  theses: ['theses', 'thesis'],
  analyses: ['analyses', 'analysis'],
  Nurses: ['nurses', 'nurse'],
  jobs: ['jobs', 'job'],
  gas: ['gas'],
  glass: ['glass'],
  bonus: ['bonus'],
  basis: ['basis'],
  RN: ['rn'],
  ACLS: ['acls'],
  RNs: ['rns', 'rn'],
  MScs: ['mscs', 'msc'],
  Łódź: ['lodz'],
  STRAẞE: ['strasse'],
  "O'Neil": ['oneil'],
  'Ph.D': ['phd'],
  '.NET': ['.net'],
  'C++': ['c++'],
  '2.5': ['2.5'],
  ＳＱＬ: ['sql'],
};

words('a word has the forms of its singulars, and an acronym has none but of a small s', () => {
  for (const [text, expected] of Object.entries(forms))
    assert.equal(
      readWords(text).map((word) => word.forms),
      [expected],
      text,
    );
});

words('the parts of a name with a dot count too, if each has two letters', () => {
  const toParts = (text: string) => readWords(text).map(({ parts }) => parts);
  assert.equal(toParts('ASP.NET Node.js'), [
    ['asp', '.net'],
    ['node', '.js'],
  ]);
  assert.equal(toParts('U.S a.bc 2.5 SQL'), [[], [], [], []]);
});

/** Which words of a text count only together with which others. */
const toPartners = (text: string) =>
  readWords(text).map(({ text, partners = [] }) =>
    [text, ...partners.map((partner) => partner.text)].join(':'),
  );

words('a letter that a hyphen joins counts only with its word', () => {
  const partners: Record<string, string[]> = {
    'Objective-C': ['Objective', 'C:Objective'],
    'T-SQL': ['T:SQL', 'SQL:T'],
    'Class-A': ['Class', 'A'],
    'A-B': ['A:B', 'B:A'],
    'x-ray-tech': ['x:ray', 'ray:x', 'tech'],
    'T SQL': ['T', 'SQL'],
    'T - SQL': ['T', 'SQL'],
    'T–SQL': ['T:SQL', 'SQL:T'],
    'front-end': ['front', 'end'],
  };
  for (const [text, expected] of Object.entries(partners)) assert.equal(toPartners(text), expected, text);
});

words('words that hyphens join know each other', () => {
  const compounds = readWords('full front-end job').map(({ compound }) => compound?.map(({ text }) => text));
  assert.equal(compounds, [undefined, ['front', 'end'], ['front', 'end'], undefined]);
});

words('a word knows what is between it and the word before it', () => {
  assert.equal(
    readWords('RN, ICU/ER').map(({ before }) => before),
    ['', ', ', '/'],
  );
});

words('a script without spaces ends a word of another script', () => {
  assert.equal(toForms('Java開発 x'), ['java', '開発', 'x']);
  assert.equal(readWords('Java開発').map(isUnspaced), [false, true]);
});

/** Whether a text has all words of a query. */
const has: [text: string, query: string, isFound: boolean][] = [
  ['registered nurses', 'nurse', true],
  ['nurse', 'nurses', true],
  ['ASP.NET', 'asp', true],
  ['ASP.NET', 'NET', false],
  ['C', 'Objective-C', false],
  ['Objective-C', 'C', false],
  ['Objective-C', 'objective c', true],
  ['SQL', 'T-SQL', false],
  ['T-SQL', 'SQL', false],
  ['T-SQL', 'sql T', true],
  ['director nursing', 'director of nursing', true],
  ['nursing', 'the', false],
  ['the', 'the', true],
  ['RN', 'OR', false],
  ['RN', 'or RN', true],
  ['RN', 'OR RN', false],
  ['C++', 'C', false],
  ['!', '!', true],
  ['?', '!', false],
];

words('a text has a query if it has all words that count', () => {
  for (const [text, query, isFound] of has)
    assert.is(hasAllWords(readPhrase(text), readPhrase(query)), isFound, `${query} in ${text}`);
});

words('a phrase has each different word once', () => {
  const toTexts = (text: string) => readPhrase(text).words.map((word) => word.text);
  assert.equal(toTexts('RN rn ICU'), ['rn', 'ICU']);
  assert.equal(toTexts('C Objective-C'), ['C', 'Objective']);
  assert.equal(toTexts(' ! '), [' ! ']);
});

words('a word that counts alone is found in a phrase of other words', () => {
  const query = readPhrase('sql nurse');
  const [sql, nurse] = query.words;
  const phrase = createPhrase('nurse', readWords('nurse'));
  assert.ok(hasWord(phrase, nurse!, query));
  assert.not(hasWord(phrase, sql!, query));
});

words('a phrase may leave out other words than the idle ones', () => {
  const phrase = createPhrase(
    'senior nurse of',
    readWords('senior nurse of'),
    ({ text }) => text === 'senior',
  );
  assert.equal(
    phrase.wanted.map(({ text }) => text),
    ['nurse', 'of'],
  );
});

words.run();
