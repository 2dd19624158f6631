import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSearch } from '../src/occupations/search.ts';
import { type SearchIndex, toSearchIndex } from '../src/occupations/search-index.ts';
import { toWords } from '../src/occupations/title-words.ts';
import { everydayTitles } from './support/everyday-titles.ts';
import { occupationFacts } from './support/occupation-facts.ts';

const search = suite('search');
const text = JSON.stringify(toSearchIndex(occupationFacts));
const find = createSearch(JSON.parse(text) as SearchIndex);
const placeOf = (title: string, code: string) => find(title).findIndex((hit) => hit.id === code);

search('the index is small enough to ship', () => {
  assert.ok(text.length < 2_500_000, `${text.length} characters`);
});

search('an everyday title finds its occupation within the first five', () => {
  assert.ok(everydayTitles.length >= 36);
  const missed = everydayTitles.filter(([title, code]) => {
    const place = placeOf(title, code);
    return place < 0 || place >= 5;
  });
  assert.equal(missed, []);
});

search('at least two thirds of them come first', () => {
  const first = everydayTitles.filter(([title, code]) => placeOf(title, code) === 0);
  assert.ok(first.length * 3 >= everydayTitles.length * 2, `${first.length} of ${everydayTitles.length}`);
});

search("an occupation's own title finds it first", () => {
  const missed = occupationFacts
    .filter((fact) => placeOf(fact.title, fact.id) !== 0)
    .map((fact) => fact.title);
  assert.equal(missed, []);
});

search('a title that is the query comes before one that only holds it', () => {
  for (const title of ['Truck Driver', 'Line Cook', 'Project Manager', 'Nurse', 'Cashier']) {
    const hits = find(title);
    const last = hits.findLastIndex((hit) => hit.matched === title || isOwnTitle(hit.id, title));
    const own = occupationFacts.filter(
      (fact) => fact.alternateTitles?.includes(title) || fact.title === title,
    );
    assert.ok(own.length > 0 && last >= own.length - 1, title);
    for (const fact of own) assert.ok(placeOf(title, fact.id) <= last, `${title}: ${fact.id}`);
  }
  assert.is(find('Android Developer')[0]?.matched, 'Android Developer');
  assert.is(find('Dental Hygienist')[0]?.matched, undefined);
});

function isOwnTitle(id: string, title: string): boolean {
  return occupationFacts.some((fact) => fact.id === id && fact.title === `${title}s`);
}

search('every match is an alternate title of the occupation', () => {
  const titlesOf = new Map(occupationFacts.map((fact) => [fact.id, fact.alternateTitles]));
  for (const q of ['manager', 'RN', 'senior barista', 'plumbr', 'machine operator']) {
    assert.ok(find(q).length > 0, q);
    for (const { id, matched } of find(q))
      assert.ok(!matched || titlesOf.get(id)?.includes(matched), matched);
  }
});

search('plurals, word order, short forms, slips and extra words do not matter', () => {
  const same: [string, string][] = [
    ['truck drivers', 'truck driver'],
    ['driver, truck', 'truck driver'],
    ['customer service rep', 'customer service representative'],
  ];
  for (const [q, like] of same) assert.equal(find(q), find(like));
  assert.is(find('plumbr')[0]?.id, '47-2152.00');
  assert.is(find('andriod developer')[0]?.id, '15-1252.00');
  assert.is(find('we need a senior android developer with kotlin')[0]?.id, '15-1252.00');
  assert.is(find('barista, part time')[0]?.id, '35-3023.01');
});

search('unknown words find nothing', () => {
  for (const q of ['zzqxv', 'zzqxv wwkkj', '', '   ', 'of the', '🦊', '(((', '日本語'])
    assert.equal(find(q), [], q);
});

search('a word finds every occupation that has a title with it', () => {
  for (const word of ['technician', 'specialist', 'worker', 'operator', 'underwater']) {
    const having = occupationFacts.filter(({ title, alternateTitles = [] }) =>
      [title, ...alternateTitles].some((one) => toWords(one).includes(word)),
    );
    assert.ok(having.length > 0, word);
    const found = find(word).map(({ id }) => id);
    assert.equal(
      having.map(({ id }) => id).filter((id) => !found.includes(id)),
      [],
      word,
    );
  }
});

search('any string is safe, and no occupation answers twice', () => {
  const common = 'manager operator worker technician supervisor machine engineer assistant service ';
  const strings = [
    'x'.repeat(200),
    'x'.repeat(100_000),
    common.repeat(5),
    '__proto__',
    'constructor',
    'toString hasOwnProperty',
    '.*+?^$()|[]{}\\',
    '\ud800\udc00 \ud800',
    'é'.repeat(200),
    '\u0000\n\t',
    'ﷺ'.repeat(200),
    "<script>'; DROP TABLE--",
  ];
  for (const q of strings) assert.is(new Set(find(q).map(({ id }) => id)).size, find(q).length, q);
});

search('the same question has the same answer', () => {
  const again = createSearch(JSON.parse(text) as SearchIndex);
  for (const q of [
    ...everydayTitles.map(([title]) => title),
    'manager',
    'plumbr',
    'manager operator worker',
  ]) {
    assert.equal(find(q), again(q), q);
    assert.equal(find(q), find(q), q);
  }
});

search.run();
