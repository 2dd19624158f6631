import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createWordTest, PhraseList } from '../../../src/kernel/phrase-list.ts';
import { hasAllWords, readPhrase } from '../../../src/kernel/words.ts';
import { listQualified, readHeldCredential } from '../../../src/records/kind/phrases/held-phrase.ts';
import { holds, readShownPhrases } from '../../../src/records/kind/phrases/shown-phrases.ts';
import { readStatement } from '../../../src/records/kind/phrases/statement.ts';
import { toChance } from '../../support/people.ts';

const lists = suite('lists of phrases');

const words =
  `RN rns nurse nurses company companies thesis theses box boxes woman women bus buses 747 747s 7 12 PA
  Pennsylvania pennsylvania NY New York MD C C++ c# .NET ASP.NET R&D T-SQL Class-A class A Objective-C café cafe
  straße strasse o'neil oneil bus/coach (ICU) ICU icu's Java開発 開発 медсестра медсестры no the an or OR`
    .split(/\s+/)
    .concat('New York', 'new york city', 'United States');
const below = toChance(7);
const pick = (from: readonly string[]) => from[below(from.length)]!;
const makeText = () =>
  Array.from({ length: 1 + below(3) }, () => pick(words)).join(pick([' ', ', ', '-', '/']));

lists('find what a search of every text would find', () => {
  let found = 0;
  for (let n = 0; n < 2000; n += 1) {
    const texts = Array.from({ length: 1 + below(4) }, makeText);
    const query = readStatement(makeText());
    const expected = texts.find((text) => hasAllWords(readStatement(text), query));
    const list = new PhraseList(texts, readStatement);
    assert.is(list.find(query)?.text, expected, `${query.text} in ${texts}`);
    if (expected !== undefined) found += 1;
  }
  assert.ok(found > 50, `${found} found`);
});

lists('say whether a search of every text would find a phrase', () => {
  let had = 0;
  for (let n = 0; n < 2000; n += 1) {
    const texts = Array.from({ length: 1 + below(4) }, makeText);
    const query = readPhrase(makeText());
    const expected = texts.some((text) => hasAllWords(readPhrase(text), query));
    assert.is(new PhraseList(texts, readPhrase).has(query), expected, `${query.text} in ${texts}`);
    if (expected) had += 1;
  }
  assert.ok(had > 50, `${had} had`);
});

lists('say whether a credential has a must-have, whatever states the two name', () => {
  let had = 0;
  for (let n = 0; n < 2000; n += 1) {
    const credentials = Array.from({ length: 1 + below(4) }, makeText);
    const query = readStatement(makeText());
    // What words of status change, tests/rules/matches/held-phrases.test.ts says.
    if (listQualified(credentials, readHeldCredential).length > 0) continue;
    const expected = credentials.some((text) => hasAllWords(readStatement(text), query));
    assert.is(holds(readShownPhrases({ credentials }), query), expected, `${query.text} in ${credentials}`);
    if (expected) had += 1;
  }
  assert.ok(had > 50, `${had} had`);
});

lists('the test for words passes every text that contains them', () => {
  let passed = 0;
  for (let n = 0; n < 2000; n += 1) {
    const [query, text] = [makeText(), makeText()];
    const expected = hasAllWords(readPhrase(text), readPhrase(query));
    assert.is(createWordTest(readPhrase(query), readPhrase)(text), expected, `${query} in ${text}`);
    if (expected) passed += 1;
  }
  assert.ok(passed > 25, `${passed} passed`);
});

lists('read only texts that may contain the words', () => {
  const read: string[] = [];
  const readAndNote = (text: string) => {
    read.push(text);
    return readPhrase(text);
  };
  const list = new PhraseList(['forklift', 'two years of ICU'], readAndNote);
  assert.is(list.find(readPhrase('ICU'))?.text, 'two years of ICU');
  assert.equal(read, ['two years of ICU']);
});

lists.run();
