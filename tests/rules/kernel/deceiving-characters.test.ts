import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  findDeceiving,
  hasMoreCharacters,
  isVisible,
  withoutDeceiving,
} from '../../../src/kernel/plain-text.ts';

const characters = suite('characters that deceive');

const listRange = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** Each code point that no text of one line may have, by what it is. */
const kinds: Record<string, number[]> = {
  'a line break': [0x0a, 0x0d, 0x85, 0x2028, 0x2029],
  'a tab': [0x09],
  'a control character': [
    ...listRange(0, 0x1f).filter((code) => ![0x09, 0x0a, 0x0d].includes(code)),
    ...listRange(0x7f, 0x9f).filter((code) => code !== 0x85),
  ],
  'an annotation mark': listRange(0xfff9, 0xfffb),
  'an invisible tag character': listRange(0xe0000, 0xe007f),
  'a character that changes the direction of text': [
    ...listRange(0x202a, 0x202e),
    ...listRange(0x2066, 0x206f),
  ],
};
const kindOf = new Map(Object.entries(kinds).flatMap(([kind, codes]) => codes.map((code) => [code, kind])));

const formatCode = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

characters('each one is found wherever it is, and named by its kind and its code', () => {
  for (const [code, kind] of kindOf)
    for (const text of [String.fromCodePoint(code), `A${String.fromCodePoint(code)}B`]) {
      const found = findDeceiving(text, 'one')!;
      assert.ok(
        found.startsWith(`holds ${kind} (${formatCode(code)}); send `),
        `${formatCode(code)}: ${found}`,
      );
    }
});

characters('no other character is found', () => {
  for (let code = 0; code < 0x11_0000; code += code < 0x3000 || code > 0xf_0000 ? 1 : 7)
    if (!kindOf.has(code))
      assert.is(findDeceiving(`A${String.fromCodePoint(code)}`, 'one'), undefined, formatCode(code));
});

characters('a text of many lines may have tabs and line breaks of ASCII, and nothing else of these', () => {
  for (const code of kindOf.keys()) {
    const isAllowed = [0x09, 0x0a, 0x0d].includes(code);
    const found = findDeceiving(`A${String.fromCodePoint(code)}B`, 'many');
    assert.is(found === undefined, isAllowed, formatCode(code));
  }
});

characters('says to send one line for white space, and otherwise to leave the character out', () => {
  const cure = (text: string, lines: 'one' | 'many') => findDeceiving(text, lines)?.split('; ')[1];
  assert.is(cure('A\nB', 'one'), 'send one line, with spaces');
  assert.is(cure('A\u2028B', 'one'), 'send one line, with spaces');
  assert.is(cure('A\u2028B', 'many'), 'send the text without it');
  assert.is(cure('A\u0000B', 'one'), 'send the text without it');
});

const toTags = (text: string) =>
  [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.codePointAt(0)!)).join('');

characters('a flag of a region may have tags, and no other text', () => {
  const flag = (region: string) => `\u{1f3f4}${toTags(region)}\u{e007f}`;
  for (const region of ['gbeng', 'gbsct', 'usca', 'us1'])
    assert.is(findDeceiving(flag(region), 'one'), undefined, region);
  for (const text of [
    flag('gb'),
    flag('toolong'),
    toTags('gbeng'),
    flag('gbeng') + toTags('a'),
    flag('GBENG'),
  ])
    assert.match(findDeceiving(text, 'one') ?? '', 'tag character', JSON.stringify(text));
});

characters('they are replaced in a text that is repeated, but for tags', () => {
  for (const code of kindOf.keys()) {
    const text = `A${String.fromCodePoint(code)}B`;
    const expected = code >= 0xe0000 ? text : 'A\ufffdB';
    assert.is(withoutDeceiving(text), expected, formatCode(code));
  }
});

characters('a person sees letters, digits, punctuation and symbols, and nothing of a filler', () => {
  for (const text of ['a', '7', '!', '+', '😀', '語', ' a ']) assert.ok(isVisible(text), text);
  for (const text of [
    '',
    ' ',
    '\u200b',
    '\u200d\u2060',
    '\u3164',
    '\u2800',
    '\u00ad',
    '\ufe0f',
    '\u0301',
    '\ufffc',
  ])
    assert.not(isVisible(text), JSON.stringify(text));
});

characters('a character of two code units is one', () => {
  for (const character of ['a', '😀'])
    for (let length = 0; length < 12; length += 1)
      for (const max of [1, 5, 6])
        assert.is(
          hasMoreCharacters(character.repeat(length), max),
          length > max,
          `${length} of ${character}`,
        );
});

characters.run();
