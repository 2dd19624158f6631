import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { toChance } from '../../support/people.ts';
import { nurse, order, placeAt, readPlan, type Stage, world } from '../../support/plans.ts';

const law = suite('the plan of a workspace, computed a second time');

interface Pair {
  jobOrder: string;
  candidate: string;
  score: number;
  ending: number;
}

/** What a random desk knows of one order. */
interface OrderOfDesk {
  ref: string;
  openings: number;
  matches: Body[];
  /** The refs of people who must not be planned for it. */
  excluded: Set<string>;
}

const people = ['a', 'b', 'c', 'd'];
const jobs = ['o', 'p', 'q'];
/** Stages of a placement after which the two are not planned together, unless they are proposed again. */
const endings: readonly Stage[] = ['declined', 'declined-by-client', 'declined-by-candidate', 'left'];
const stages: readonly Stage[] = [...endings, 'accepted', 'proposed', 'declined-closed', 'cancelled'];

const queries = ['', 'minScore=0', 'minScore=60.5', 'unstated=unmet', 'unstated=unmet&minScore=75.25'];

/** Draws records of few values. The work of no order ends, so each person is planned once. */
function drawRecords(chance: (below: number) => number) {
  const pick = <T>(all: readonly T[]): T => all[chance(all.length)]!;
  const rarely = (members: object) => (chance(5) === 0 ? members : {});
  const codes = ['29-1141.03', '29-1141.03', '29-1141.03', '29-1141.00', '29-2061.00', '47-2031.00'];
  const metros = ['Columbus, OH', 'Cleveland, OH', 'Austin, TX'];
  const candidates = people.slice(chance(20) === 0 ? 4 : chance(3)).map((ref) =>
    nurse(ref, {
      onetCode: pick(codes),
      metro: pick(metros),
      skills: pick([['ICU'], []]),
      ...(chance(2) === 0 && { shifts: [pick(['day', 'night'])] }),
      credentials: ['ACLS', 'BLS'].flatMap((name) =>
        chance(4) === 0 ? [] : [`${name} until ${dayAt(pick([-5, 30, 60, 200]))}`],
      ),
      ...rarely({ status: 'withdrawn' }),
    }),
  );
  const jobOrders = jobs.map((ref) =>
    order(ref, {
      onetCode: pick(codes),
      metro: pick(metros),
      openings: 1 + chance(2),
      requires: ['ACLS', 'BLS'].slice(chance(3)),
      startDate: dayAt(pick([0, 20, 45])),
      ...(chance(3) === 0 && { shift: pick(['day', 'night']) }),
      ...rarely({ status: 'closed' }),
    }),
  );
  return { candidates, jobOrders };
}

/** Makes a desk with a history. Returns what each open order, newest first, can be planned with. */
async function openDesk(chance: (below: number) => number, query: string) {
  const { candidates, jobOrders } = drawRecords(chance);
  const desk = await world.open({ candidates, jobOrders });
  const excluded = new Map(jobs.map((ref) => [ref, new Set<string>()]));
  for (const person of candidates) {
    const job = jobOrders[chance(3)]!;
    if (chance(4) === 0 || 'status' in person || 'status' in job) continue;
    const stage = stages[chance(stages.length)]!;
    const pair = [`#${person.ref}`, `#${job.ref}`] as const;
    await placeAt(desk, stage, pair);
    const isAgain = endings.includes(stage) && chance(3) === 0;
    if (isAgain) await placeAt(desk, 'proposed', pair);
    else if (stage === 'accepted' || endings.includes(stage)) excluded.get(job.ref)!.add(person.ref);
  }
  const list: Body[] = (await desk.get('/job-orders?status=open')).body.jobOrders ?? [];
  const least = new URLSearchParams(query).has('minScore') ? '' : '&minScore=30';
  const orders: OrderOfDesk[] = [];
  for (const { ref, openingsLeft } of list) {
    const path = `/job-orders/%23${ref}/matches?scope=workspace&${query}${least}`;
    const { matches = [] } = (await desk.get(path)).body;
    orders.push({ ref, openings: openingsLeft, matches, excluded: excluded.get(ref)! });
  }
  return { desk, orders };
}

const listAllowed = ({ matches, excluded }: OrderOfDesk): Body[] =>
  matches.filter(({ meets, candidate }) => meets !== false && !excluded.has(candidate.ref));

type Sum = [filled: number, ending: number, score: number];

/** Whether a sum is better: more filled, then less that ends, then a higher score. */
const isBetter = (a: Sum, b: Sum) =>
  a[0] !== b[0] ? a[0] > b[0] : a[1] !== b[1] ? a[1] < b[1] : a[2] > b[2];

/** Tries every assignment of pairs, each opening and each person once. */
function findBest(pairs: readonly Pair[], openings: readonly string[], sum: Sum = [0, 0, 0], used = ''): Sum {
  const [first, ...rest] = openings;
  if (first === undefined) return sum;
  let best = findBest(pairs, rest, sum, used);
  for (const { jobOrder, candidate, ending, score } of pairs) {
    if (jobOrder !== first || used.includes(candidate)) continue;
    const next = findBest(pairs, rest, [sum[0] + 1, sum[1] + ending, sum[2] + score], used + candidate);
    if (isBetter(next, best)) best = next;
  }
  return best;
}

function toPairs({ ref, ...rest }: OrderOfDesk): Pair[] {
  return listAllowed({ ref, ...rest }).map(({ candidate, score, endsDuring }) => {
    return { jobOrder: ref, candidate: candidate.ref, score, ending: endsDuring.length };
  });
}

/** Says why openings of an order stay empty. */
function explainEmpty(each: OrderOfDesk, hasPeople: boolean): string {
  if (!hasPeople) return 'The workspace has no candidate who can be planned.';
  if (each.matches.length === 0) return 'No candidate reaches the score.';
  if (each.matches.every(({ meets }) => meets === false))
    return 'No candidate who reaches the score meets the gates.';
  if (listAllowed(each).length === 0)
    return 'Each candidate who fits was declined for this order, left it, or is placed in it.';
  return 'Each candidate who fits is planned already.';
}

interface PlannedDesk {
  plan: Body;
  orders: OrderOfDesk[];
  hasPeople: boolean;
}

/** Makes random desks, and plans each. Some have no open order. */
async function planDesks(count: number): Promise<PlannedDesk[]> {
  const chance = toChance(48);
  const desks: PlannedDesk[] = [];
  for (let run = 0; run < count; run += 1) {
    const query = queries[run % queries.length]!;
    const { desk, orders } = await openDesk(chance, query);
    const { total } = (await desk.get('/candidates?status=available,placed')).body;
    desks.push({ plan: await readPlan(desk, query), orders, hasPeople: total > 0 });
  }
  return desks;
}

const desks = await planDesks(150);
const withOrders = desks.filter(({ orders }) => orders.length > 0);

law('is EMPTY if no order is open', () => {
  assert.ok(withOrders.length < desks.length);
  for (const { plan, orders } of desks) assert.is(plan.type, orders.length === 0 ? 'EMPTY' : 'OK');
});

law('fills the most openings, then has the least that ends during the work, then the highest score', () => {
  for (const {
    plan: { plan },
    orders,
  } of withOrders) {
    const sum: Sum = [0, 0, 0];
    for (const { score, endsDuring } of plan) {
      sum[0] += 1;
      sum[1] += endsDuring.length;
      sum[2] += score;
    }
    const openings = orders.flatMap((one) => Array<string>(one.openings).fill(one.ref));
    const best = findBest(orders.flatMap(toPairs), openings);
    assert.equal(sum, best, JSON.stringify({ plan, orders }));
  }
});

law('has only allowed pairs, each person once, and no more people for an order than it has openings', () => {
  for (const {
    plan: { plan },
    orders,
  } of withOrders) {
    const refs = plan.map(({ candidate }: Body) => candidate.ref);
    assert.is(new Set(refs).size, plan.length);
    for (const each of orders) {
      const allowed = listAllowed(each).map(({ candidate }) => candidate.ref);
      const planned = plan.filter(({ jobOrder }: Body) => jobOrder.ref === each.ref);
      assert.ok(planned.length <= each.openings);
      for (const { candidate } of planned) assert.ok(allowed.includes(candidate.ref), candidate.ref);
    }
  }
});

law('lists the newest orders first, and those who fit an order best first', () => {
  for (const {
    plan: { plan },
    orders,
  } of withOrders) {
    const place = ({ jobOrder }: Body) => orders.findIndex(({ ref }) => ref === jobOrder.ref);
    const sorted = plan.toSorted((a: Body, b: Body) => place(a) - place(b) || b.score - a.score);
    assert.equal(plan, sorted);
  }
});

law('says of each pair what its match says', () => {
  for (const {
    plan: { plan },
    orders,
  } of withOrders) {
    for (const { jobOrder, candidate, ...row } of plan) {
      const { matches } = orders.find(({ ref }) => ref === jobOrder.ref)!;
      const match = matches.find((one) => one.candidate.ref === candidate.ref)!;
      for (const member of ['score', 'unknown', 'endsDuring'])
        assert.equal(row[member], match[member], member);
      const { id, ref, name } = match.candidate;
      assert.equal(candidate, { id, ref, name });
      assert.equal(jobOrder, { id: jobOrder.id, ref: jobOrder.ref, title: `Order ${jobOrder.ref}` });
    }
  }
});

law('says how many openings of an order stay empty, and why', () => {
  const reasons = new Set<string>();
  for (const {
    plan: { plan, unfilled },
    orders,
    hasPeople,
  } of withOrders) {
    const expected = orders.flatMap((each) => {
      const planned = plan.filter(({ jobOrder }: Body) => jobOrder.ref === each.ref).length;
      if (planned === each.openings) return [];
      return [[each.ref, each.openings - planned, explainEmpty(each, hasPeople)]];
    });
    const read = ({ jobOrder, openings, reason }: Body) => [jobOrder.ref, openings, reason];
    assert.equal(unfilled.map(read), expected);
    for (const { reason } of unfilled) reasons.add(reason);
  }
  assert.is(reasons.size, 5);
});

law.run();
