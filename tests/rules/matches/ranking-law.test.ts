import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildService } from '../../../src/hosts/build/build-service.ts';
import { createGatedWorld, gateDay } from '../../support/gated-people.ts';

const ranking = suite('the ranking of matches');
const matcher = await buildService().matcher();

type Options = Omit<Parameters<typeof matcher.rankCandidates>[1], 'readHeld'>;
type Match = ReturnType<typeof matcher.match>;

/** One order, many candidates, and the placements that hold them. */
function createCase(seed: number) {
  const world = createGatedWorld(seed);
  const order = world.drawOrder(seed);
  const people = Array.from({ length: 60 }, (_, at) => world.drawCandidate(at));
  const heldById = new Map(people.map(({ id }) => [id, { holds: world.drawHolds(), today: gateDay }]));
  const readHeld = (id: string) => heldById.get(id)!;
  return { ...world, order, people, readHeld };
}

type Case = ReturnType<typeof createCase>;

function rank({ order, people, readHeld }: Case, options: Options) {
  const ranked = matcher.rankCandidates<{ record: (typeof people)[number] }>(order, { ...options, readHeld });
  for (const record of people) ranked.add({ record });
  const rows = [...ranked.explain()];
  return { rows, ids: rows.map(({ other }) => other.record.id), total: ranked.total() };
}

/** Compares each pair alone. */
function matchEach({ order, people, readHeld }: Case, isUnstatedUnmet: boolean): Map<string, Match> {
  return new Map(
    people.map((person) => {
      const options = { held: readHeld(person.id), isUnstatedUnmet };
      return [person.id, matcher.match(order, person, options)];
    }),
  );
}

/** A match comes before another if it meets, then if less of it ends during the work, then if it has more points. */
const isBefore = (a: Match, b: Match): boolean => {
  const [failsA, failsB] = [a.meets === false, b.meets === false];
  if (failsA !== failsB) return failsB;
  const [endingA, endingB] = [a, b].map(({ endsDuring }) => Math.min(endsDuring.length, 12)) as [
    number,
    number,
  ];
  return endingA === endingB ? a.score > b.score : endingA < endingB;
};

const seeds = Array.from({ length: 40 }, (_, at) => at + 1);

/** Checks each random case with random options of a ranking. */
function holdForEach(check: (world: Case, options: Options, pairs: Map<string, Match>) => void): void {
  for (const seed of seeds) {
    const world = createCase(seed);
    const isUnstatedUnmet = world.chance(2) === 0;
    const options = {
      limit: 100,
      minScore: world.pick([undefined, 0, 15, 20.1, 40.25]),
      onlyMeets: world.chance(3) === 0,
      isUnstatedUnmet,
    };
    check(world, options, matchEach(world, isUnstatedUnmet));
  }
}

const listExpected = (pairs: Map<string, Match>, { minScore = 0, onlyMeets }: Options) =>
  [...pairs].filter(
    ([, { score, meets }]) => score > 0 && score >= minScore && (!onlyMeets || meets === true),
  );

ranking('has each record with enough points, and with meets=true each that meets', () => {
  let count = 0;
  holdForEach((world, options, pairs) => {
    const expected = listExpected(pairs, options).map(([id]) => id);
    assert.equal(rank(world, options).ids.toSorted(), expected.toSorted());
    count += expected.length;
  });
  assert.ok(count > 500, String(count));
});

ranking('shows the match of each pair', () => {
  holdForEach((world, options, pairs) => {
    for (const { other, match } of rank(world, options).rows) assert.equal(match, pairs.get(other.record.id));
  });
});

ranking('leaves what is not stated unknown unless the reader asks for unmet', () => {
  for (const seed of seeds) {
    const world = createCase(seed);
    const pairs = matchEach(world, false);
    for (const { other, match } of rank(world, { limit: 100 }).rows)
      assert.is(match.meets, pairs.get(other.record.id)!.meets);
  }
});

ranking('has no match after one that it should come before', () => {
  holdForEach((world, options) => {
    const { rows } = rank(world, options);
    for (const [at, { match }] of rows.slice(1).entries())
      assert.not.ok(isBefore(match, rows[at]!.match), JSON.stringify([match, rows[at]!.match]));
  });
});

ranking(
  'tells apart up to 12 credentials that end during the work, and puts those who fail behind all',
  () => {
    const permits = Array.from({ length: 17 }, (_, at) => `Permit ${at}`);
    const order = {
      ...{ id: 'job_a', onetCode: '15-1252.00', skills: ['ICU'], shift: 'day' },
      ...{ requires: permits, startDate: '2027-01-01', endDate: '2027-06-30' },
    };
    const drawPerson = (ending: number, more: object = {}) => ({
      id: `cand_${ending}`,
      onetCode: '15-1252.00',
      shifts: ['day'],
      credentials: permits.map((permit, at) => (at < ending ? `${permit} until 2027-03-01` : permit)),
      ...more,
    });
    // The skill gives more points to those of whom more ends. It counts only from 12 on.
    const skilled = { skills: ['ICU'] };
    const people = [
      drawPerson(0, { id: 'fails', shifts: ['night'], ...skilled }),
      ...[12, 13, 17].map((ending) => drawPerson(ending, ending === 13 ? skilled : {})),
      ...[11, 5, 1].map((ending) => drawPerson(ending)),
      drawPerson(0),
    ];
    const ranked = matcher.rankCandidates<{ record: (typeof people)[number] }>(order, { limit: 100 });
    for (const record of people) ranked.add({ record });
    const ids = [...ranked.explain()].map(({ other }) => other.record.id.replace('cand_', ''));
    assert.equal(ids.slice(0, 5), ['0', '1', '5', '11', '13']);
    assert.equal(ids.slice(5, 7).toSorted(), ['12', '17']);
    assert.is(ids.at(-1), 'fails');
  },
);

ranking('gives each pair a whole position below 10^15 that rises', () => {
  holdForEach((world, options) => {
    let last = -1;
    for (const { position } of rank(world, options).rows) {
      assert.ok(Number.isSafeInteger(position), String(position));
      assert.ok(position > last && position < 1e15, String(position));
      last = position;
    }
  });
});

ranking('of any length begins with the same matches, and counts the same', () => {
  holdForEach((world, options) => {
    const whole = rank(world, options);
    for (const limit of [1, 2, 7, 25]) {
      const short = rank(world, { ...options, limit });
      assert.equal(short.ids, whole.ids.slice(0, limit));
      assert.is(short.total, whole.ids.length);
    }
  });
});

ranking('after a position has those behind it', () => {
  holdForEach((world, options) => {
    const whole = rank(world, options);
    const at = world.chance(Math.max(1, whole.rows.length));
    const next = rank(world, { ...options, limit: 5, after: whole.rows[at]?.position });
    assert.equal(next.ids, whole.rows.length === 0 ? [] : whole.ids.slice(at + 1, at + 6));
  });
});

ranking(
  'of orders for a candidate has the matches and positions that the candidate has for the orders',
  () => {
    for (const seed of seeds.slice(0, 10)) {
      const { drawOrder, people } = createCase(seed);
      const orders = Array.from({ length: 20 }, (_, at) => drawOrder(at));
      const [person] = people as [(typeof people)[number]];
      const backward = matcher.rankOrders<{ record: (typeof orders)[number] }>(person, { limit: 100 });
      for (const record of orders) backward.add({ record });
      for (const { other, match, position } of backward.explain()) {
        const forward = matcher.rankCandidates<{ record: typeof person }>(other.record, { limit: 1 });
        forward.add({ record: person });
        const [row] = forward.explain();
        assert.equal(row!.match, match);
        assert.is(row!.position, position);
      }
    }
  },
);

ranking('favours no id among equal matches', () => {
  const onetCode = '15-1252.00';
  const people = Array.from({ length: 10 }, (_, at) => ({ id: `cand_00${at}`, onetCode }));
  const firsts = people.map(() => 0);
  const rounds = 4000;
  for (let round = 0; round < rounds; round += 1) {
    const order = { id: `job_${round}`, onetCode };
    const ranked = matcher.rankCandidates<{ record: (typeof people)[number] }>(order, { limit: 1 });
    for (const record of people) ranked.add({ record });
    const [best] = ranked.explain();
    firsts[people.indexOf(best!.other.record)]! += 1;
  }
  const expected = rounds / people.length;
  const chiSquare = firsts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  // More than 27.9 with 9 degrees of freedom is less likely than 1 in 1000.
  assert.ok(chiSquare < 27.9, `chi-square ${chiSquare}: ${firsts}`);
});

ranking.run();
