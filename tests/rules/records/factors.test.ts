import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Factor, Matchable, OccupationFacts } from '../../../src/records/kind/factor.ts';
import { metro } from '../../../src/records/kind/fields/metro.ts';
import { onetCode } from '../../../src/records/kind/fields/occupation.ts';
import { skills } from '../../../src/records/kind/fields/skills.ts';
import { createSearchTest } from '../../../src/records/kind/search.ts';

const factors = suite('what a factor of a match counts and says');

/** How close two occupations are is the number behind the first. */
const facts: OccupationFacts = {
  closeness: (order, candidate) => (order === candidate ? 100 : Number(candidate)),
  titleOf: (code) => `title ${code}`,
  skillsOf: () => ({
    words: ['nursing'],
    technologies: ['Microsoft Excel', 'Epic Systems'],
    names: ['Active listening'],
  }),
};

/** Compares an order with a candidate by one factor of ten points. */
function compare(factor: Factor<never>, order: object, candidate: object) {
  const settings = { sameState: 4, skillsForAll: 2 };
  const { rate, explain } = factor.create({ points: 10, settings }, facts);
  const read = (record: object) => factor.read({ id: 'a', onetCode: '11', ...record } as Matchable);
  const [one, other] = [read(order), read(candidate)];
  return { rate: rate(one, other), ...explain(one, other) };
}

factors('an occupation counts by how close it is', () => {
  const byCloseness = (closeness: number) =>
    compare(onetCode.factor as never, { onetCode: '11' }, { onetCode: String(closeness) });
  assert.equal(compare(onetCode.factor as never, { onetCode: '11' }, { onetCode: '11' }), {
    rate: 40,
    reason: 'is of the same occupation, title 11',
  });
  for (const [closeness, how] of [
    [99, 'is close to'],
    [60, 'is close to'],
    [59, 'is related to'],
    [30, 'is related to'],
    [29, 'is distantly related to'],
    [1, 'is distantly related to'],
    [0, 'is distantly related to'],
  ] as const) {
    const { rate, reason, gap } = byCloseness(closeness);
    assert.is(rate, Math.round(0.4 * closeness));
    assert.is(reason, `title ${closeness} ${how} title 11 (${(closeness / 100).toFixed(2)} of 1)`);
    assert.is(
      gap,
      closeness === 0
        ? 'title 0 is not related to title 11'
        : `the order is for title 11, not for title ${closeness}`,
    );
  }
});

factors('a metro area counts if it is the same, and less in the same state', () => {
  const rows: [order: object, candidate: object, rate: number, reason?: string, gap?: string][] = [
    [{}, {}, 40, 'the order names no metro area'],
    [{ workplace: 'remote', metro: 'Columbus, OH' }, {}, 40, 'the work is remote'],
    [{ metro: 'Columbus, OH' }, {}, 0, undefined, 'names no metro area; the order is in Columbus, OH'],
    [{ metro: 'Columbus, OH' }, { metro: 'columbus OH' }, 40, 'is in columbus OH, where the order is'],
    [
      { metro: 'Columbus, OH' },
      { metro: 'Columbus' },
      40,
      'is in Columbus, where the order is',
      'state not stated',
    ],
    [
      { metro: 'Columbus, OH' },
      { metro: 'Cleveland, OH' },
      16,
      'is in Cleveland, OH, in the same state as the order (Columbus, OH)',
      'is in Cleveland, OH; the order is in Columbus, OH',
    ],
  ];
  for (const [order, candidate, rate, reason, gap] of rows) {
    const expected = { rate, ...(reason && { reason }), ...(gap && { gap }) };
    assert.equal(
      compare(metro.factor as never, order, candidate),
      expected,
      JSON.stringify([order, candidate]),
    );
  }
  assert.is(compare(metro.factor as never, { metro: 'Columbus, OH' }, { metro: 'Austin, TX' }).rate, 0);
});

const six = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Kappa', 'Omega'];
const bySkills = (order: string[], candidate: string[]) =>
  compare(skills.factor as never, { skills: order }, { skills: candidate });

factors('the skills that an order asks for count by the share that a candidate has', () => {
  for (let had = 0; had <= 6; had += 1)
    assert.is(bySkills(six, six.slice(0, had)).rate, Math.round((40 * had) / 6));
  assert.equal(bySkills(['SQL'], ['SQL', 'Go']), { rate: 40, reason: 'has 1 of the 1 skill asked for: SQL' });
  assert.is(bySkills(['SQL', 'sql', 'Go'], ['Go']).gap, 'lacks 1 of the 2 skills asked for: SQL');
  assert.is(bySkills(['SQL'], ['advanced SQL queries']).rate, 40);
  assert.is(bySkills(['SQL queries'], ['SQL', 'queries']).rate, 0);
});

factors('at most five skills are named, and the others counted', () => {
  const names = six.slice(0, 5).join(', ');
  assert.is(bySkills(six, six).reason, `has 6 of the 6 skills asked for: ${names} and 1 more`);
  assert.is(bySkills(six.slice(0, 5), six).reason, `has 5 of the 5 skills asked for: ${names}`);
  assert.is(bySkills(six, []).gap, `lacks 6 of the 6 skills asked for: ${names} and 1 more`);
});

factors('if an order asks for no skill, those that go with its occupation count', () => {
  assert.equal(bySkills([], ['Pottery']), {
    rate: 0,
    gap: 'names no skill that goes with title 11, and the order asks for none',
  });
  const one = bySkills([], ['nursing', 'Pottery']);
  assert.is(one.rate, 20);
  assert.is(one.reason, 'has 1 skill that goes with title 11: nursing');
  assert.is(one.gap, 'names only 1 skill that goes with title 11; 2 count in full');
  for (const known of ['Excel', 'advanced Microsoft Excel', 'active listening', 'pediatric nursing'])
    assert.is(bySkills([], [known]).rate, 20, known);
  const three = bySkills([], ['nursing', 'Excel', 'active listening']);
  assert.equal(three, {
    rate: 40,
    reason: 'has 3 skills that go with title 11: nursing, Excel, active listening',
  });
});

factors('a skill that is lacking does not count, and is named', () => {
  const { rate, gap } = bySkills(['SQL', 'Go'], ['no SQL', 'Go']);
  assert.is(rate, 20);
  assert.is(gap, 'lacks 1 of the 2 skills asked for: SQL; says that it lacks: no SQL');
  assert.is(bySkills(['Go'], ['no SQL', 'Go']).gap, 'says that it lacks: no SQL');
});

/** Whether a search finds a record with these texts, in this place. */
const finds = (query: string, texts: string[], metro?: string) =>
  createSearchTest(query, () => ({ texts, metro }))({} as never);

const searches: [query: string, texts: string[], isFound: boolean, metro?: string][] = [
  ['nurse', ['Registered nurses'], true],
  ['nurse icu', ['Registered nurse', 'ICU'], true],
  ['nurse icu', ['Registered nurse', 'ER'], false],
  ['nur', ['nurse'], true],
  ['nu', ['nurse'], false],
  ['nirse', ['nurse'], true],
  ['nirze', ['nurse'], false],
  ['nurs', ['nurze'], false],
  ['nurseee', ['nurse'], false],
  ['nurze', ['nurs'], false],
  ['nurses', ['nurse'], true],
  ['vankirk', ['Van Kirk'], true],
  ['van kirk', ['Vankirk'], true],
  ['vank', ['Van Kirk'], false],
  ['kirk van', ['Vankirk'], false],
  ['12345', ['12346'], false],
  ['123', ['12345'], true],
  ['C', ['Objective-C'], false],
  ['日本', ['日本語'], true],
  ['!', ['a!b'], true],
  ['!', ['ab'], false],
  ['nurse columbus', ['nurse'], true, 'Columbus, OH'],
  ['nurse ohio', ['nurse'], true, 'Columbus, OH'],
  ['nurse oh', ['nurse'], true, 'Columbus, OH'],
  ['nurse york', ['nurse'], true, 'Albany, NY'],
  ['nurse ohio', ['nurse'], false, 'Austin, TX'],
  ['nurse ohio', ['nurse'], false],
  ['nurse missouri', ['nurse'], true, 'Kansas City, MO-KS'],
  ['nurse texas', ['nurse'], true, 'Austin, TX'],
  ['nurse umbus', ['nurse'], false, 'Columbus, OH'],
  ['vanki', ['Van Kirk'], true],
  ['vankir', ['Van Kirk'], true],
  ['van 1', ['van1 x'], false],
  ['sql', ['T-SQL'], false],
  ['-', ['a-b'], true],
  ['(', ['(a)'], true],
  ['(', ['a'], false],
];

factors(
  'a search finds each word in a text, at its beginning or with one wrong letter, or in the place',
  () => {
    for (const [query, texts, isFound, place] of searches)
      assert.is(finds(query, texts, place), isFound, `${query} in ${texts} ${place ?? ''}`);
  },
);

factors.run();
