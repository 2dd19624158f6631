import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { matching } from '../../../scripts/matching.ts';
import { occupationFacts as facts } from '../../../scripts/onet/occupation-facts.ts';
import { buildService } from '../../../src/hosts/build/build-service.ts';
import { Match, Matching, statement } from '../../../src/matches/match.ts';
import { createMatcher, type Matcher } from '../../../src/matches/matcher.ts';
import { type Person, toChance, toPeople } from '../../support/people.ts';

const test = suite('matching');
const tables = await buildService().catalogue.matchTables();
const matcher = createMatcher(tables, matching, facts);
const { points, settings } = matching as unknown as Record<
  'points' | 'settings',
  Record<'occupation' | 'skills' | 'metro' | 'sameState', number>
>;
const { sameState } = settings;
const [critical, carpenters] = ['29-1141.03', '47-2031.00'];

const toRecord = (id: string, onetCode: string, skills?: string[], metro?: string): Person => ({
  id,
  onetCode,
  skills,
  metro,
});
const factorsOf = ({ reasons }: Match) => reasons.map(({ factor, points: given }) => [factor, given]);

/** Returns a page of the ranking of records that are added one by one. */
function rankAll(
  rank: Matcher['rankOrders'],
  one: Person,
  others: Person[],
  options: Parameters<Matcher['rankOrders']>[1],
) {
  const ranking = rank<{ record: Person }>(one, options);
  for (const record of others) ranking.add({ record });
  return { matches: [...ranking.explain()], total: ranking.total() };
}

/** Names of several kinds. The last ones contain what an order asks for, which must not count. */
const given = ['Aisha', 'Nguyễn', 'Ольга', 'ICU Critical Care Nurses Columbus, OH', '29-1141.03'];

test('random pairs: points add up, are bounded and symmetric, and ignore names and ids', () => {
  const chance = toChance(1);
  const [orders, candidates] = [toPeople('job', 500, chance), toPeople('cand', 500, chance)];
  for (let at = 0; at < 1000; at += 1) {
    const [order, candidate] = [orders[chance(500)]!, candidates[chance(500)]!];
    const made = matcher.match(order, candidate);
    let sum = 0;
    for (const { points: given } of made.reasons) sum += given;
    if (sum !== made.score || made.score < 0 || made.score > 100) assert.unreachable(JSON.stringify(made));
    if (at % 20 === 0) v.assert(Match, made);
    const other = { ...candidate, id: `cand_${chance(1e9)}`, name: given[at % given.length]!, createdAt: at };
    const told = { client: `${given[at % given.length]} Example`, title: given[(at + 1) % given.length] };
    const another = { ...order, ...told, id: 'job_other', billRateUsdHour: at, openings: at } as Person;
    assert.equal(matcher.match(another, other), made);
    const there = rankAll(matcher.rankCandidates, order, [candidate], { limit: 1 });
    const back = rankAll(matcher.rankOrders, candidate, [order], { limit: 1 });
    const cleared = { ...order, requires: order.requires?.slice(1) };
    const trained = { ...candidate, credentials: [...(candidate.credentials ?? []), 'RN license PA'] };
    if (made.meets && matcher.match(cleared, candidate).meets === false)
      assert.unreachable('one must-have less');
    if (made.meets && !matcher.match(order, trained).meets) assert.unreachable('one credential more');
    if ((made.meets === false) !== made.unmet.length > 0) assert.unreachable(JSON.stringify(made));
    if (made.score === 0) {
      assert.is(there.total, 0);
      assert.is(back.total, 0);
      assert.equal(there.matches, []);
      assert.equal(back.matches, []);
    } else {
      assert.equal(there.matches[0]!.match, made);
      assert.equal(back.matches[0]!.match, made);
      assert.is(there.matches[0]!.position, back.matches[0]!.position);
    }
    const asked = order.skills?.[chance(order.skills.length)];
    if (asked === undefined) continue;
    const skilled = { ...candidate, skills: [...(candidate.skills ?? []), asked] };
    assert.ok(matcher.match(order, skilled).score >= made.score, 'a requested skill never lowers the score');
  }
});

test('skills match by whole words, whatever the case or number', () => {
  const score = (asked: string, had: string) =>
    factorsOf(matcher.match(toRecord('j', carpenters, [asked]), toRecord('c', critical, [had]))).some(
      ([factor]) => factor === 'skills',
    );
  const pairs: [asked: string, had: string, isMet: boolean][] = [
    ['ICU', 'icu', true],
    ['icu nurse', 'ICU Nurses, nights', true],
    ['C++', 'c++', true],
    ['crème brûlée', 'Creme Brulee', true],
    ['!', '!', true],
    ['ICU nurse', 'ICU', false],
    ['Java', 'JavaScript', false],
    ['C', 'C++', false],
    ['!', '?', false],
  ];
  for (const [asked, had, isMet] of pairs) assert.is(score(asked, had), isMet, `${asked}: ${had}`);
  const twice = matcher.match(
    toRecord('j', critical, ['ICU', 'icu ', 'CRRT']),
    toRecord('c', critical, ['ICU']),
  );
  assert.is(twice.reasons[1]!.text, 'has 1 of the 2 skills asked for: ICU');
});

test('a skill that names something missing earns nothing, and is reported', () => {
  for (const lacking of ['no ICU experience', 'Not ICU', 'without ICU', ' lacks ICU']) {
    const { reasons, gaps } = matcher.match(
      toRecord('j', critical, ['ICU']),
      toRecord('c', critical, [lacking]),
    );
    assert.not.ok(
      reasons.some(({ factor }) => factor === 'skills'),
      lacking,
    );
    assert.match(gaps.join(), new RegExp(`says that it lacks: ${lacking}`));
  }
  const nothing = matcher.match(toRecord('j', critical, ['Notary']), toRecord('c', critical, ['Notary']));
  assert.ok(nothing.reasons.some(({ factor }) => factor === 'skills'));
});

test('an order without skills is judged by its occupation', () => {
  const order = toRecord('j', '15-1252.00');
  const given = (...skills: string[]) => {
    const found = matcher
      .match(order, toRecord('c', '15-1252.00', skills))
      .reasons.find(({ factor }) => factor === 'skills');
    return found?.points ?? 0;
  };
  assert.is(given(), 0);
  assert.is(given('Knitting'), 0);
  assert.is(given('Python', 'PostgreSQL databases', 'Knitting'), points.skills);
  assert.is(given('Python', 'pythons'), given('Python'), 'the same skill counts once');
  assert.ok(given('Kafka') > 0, 'a part of the name of a technology');
  assert.ok(given('Software design') > 0, 'a word of a title');
});

test('points for metro areas', () => {
  const given = (asked: string | undefined, own: string | undefined) => {
    const { reasons } = matcher.match(
      toRecord('j', critical, ['A'], asked),
      toRecord('c', carpenters, ['B'], own),
    );
    return reasons.find(({ factor }) => factor === 'metro')?.points ?? 0;
  };
  for (const own of ['Columbus, OH', ' columbus  oh', 'Columbus, Ohio', 'COLUMBUS,OH'])
    assert.is(given('Columbus, OH', own), points.metro, own);
  for (const own of ['Cleveland, OH', 'Cincinnati, OH-KY-IN', 'Toledo Ohio'])
    assert.is(given('Columbus, OH', own), sameState, own);
  for (const own of ['Columbus, GA', 'Columbus, Nowhere', undefined, 'Ulm, Germany', ',', ''])
    assert.is(given('Columbus, OH', own), 0, own);
  assert.is(given('Columbus, OH', 'Columbus'), points.metro);
  assert.is(given('Ulm, Germany', 'ulm germany'), points.metro);
  assert.is(given(undefined, undefined), points.metro);
});

test('a changed weight changes the scores and the statement, and needs no other change', () => {
  const moved = { ...points, occupation: points.occupation - 10, skills: points.skills + 10 };
  const changed = v.parse(Matching, { ...matching, points: moved });
  const pair = [toRecord('j', critical, ['ICU']), toRecord('c', critical, ['ICU'])] as const;
  const given = Object.fromEntries(factorsOf(createMatcher(tables, changed, facts).match(...pair)));
  for (const name of ['occupation', 'skills', 'metro'] as const) assert.is(given[name], moved[name]);
  assert.match(statement, /alone: no name, id.*unmet must-have.*come last.*a person decides/);
  assert.throws(
    () => v.parse(Matching, { ...matching, points: { ...points, metro: points.metro + 1 } }),
    /100/,
  );
  assert.ok(sameState <= points.metro, 'another metro area gives no more than the same one');
});

test.run();
