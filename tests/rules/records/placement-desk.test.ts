import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRandom } from '../../../scripts/titles/train-network.ts';
import { dayMs } from '../../../src/kernel/text.ts';
import { findClash, type Hold } from '../../../src/placements/period.ts';
import type { PlacementRecord } from '../../../src/placements/placement-record.ts';
import { readPeriod } from '../../../src/placements/status.ts';
import type { Body } from '../../support/http.ts';
import {
  countHeld,
  countHours,
  isAcceptedRow,
  isTooMuch,
  toNumber,
  usualHours,
} from '../../support/placement-oracle.ts';
import { onetCode } from '../../support/sandbox.ts';
import { holdToSense } from '../../support/sense.ts';
import { World } from '../../support/world.ts';

const desk = suite('a random desk over many days');

const first = '2026-11-26';
const endReasons = ['candidate-left', 'client-ended', 'cancelled', 'finished', 'converted', 'other'];

/** Returns seeded random choices, so that each run is the same. */
function createChoice(seed: number) {
  const random = createRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  return { below, pick: <T>(all: readonly T[]): T => all[below(all.length)]! };
}

const toDay = (number: number): string => new Date(number * dayMs).toISOString().slice(0, 10);

desk('finds a conflict of periods exactly if a day has too many hours', () => {
  const { below, pick } = createChoice(30);
  const today = toNumber(first);
  const orders = [{ id: 'job_a' }, { id: 'job_b', hoursPerWeek: 20 }, { id: 'job_c', hoursPerWeek: 10 }];
  const draw = (): Body => {
    const start = below(6) === 0 ? undefined : today + below(60) - 30;
    const from = start ?? today;
    return {
      ...(start !== undefined && { startDate: toDay(start) }),
      ...(below(4) > 0 && { plannedEndDate: toDay(from + below(25)) }),
      ...(below(3) === 0 && { hoursPerWeek: pick([8, 16, 20, 30]) }),
      jobOrderId: pick(orders).id,
    };
  };
  const read = (one: Body): Hold | undefined => {
    const order = orders.find(({ id }) => id === one.jobOrderId);
    return readPeriod(one as unknown as PlacementRecord, first, order);
  };
  for (let run = 0; run < 3000; run += 1) {
    const one = draw();
    const others = Array.from({ length: below(5) }, draw);
    const mostHours = pick([20, 40, 40, 60]);
    const holds = others.flatMap((other) => read(other) ?? []);
    const clash = findClash(read(one)!, holds, mostHours);
    const expected = isTooMuch(one, others, { today: first, orders, mostHours, horizon: 120 });
    assert.is(clash !== undefined, expected, JSON.stringify({ one, others, mostHours }));
    if (!clash) continue;
    const taken = countHours([one, ...others], toNumber(clash.day), { today: first, orders });
    assert.ok(taken > mostHours, `${taken} hours on ${clash.day}`);
  }
});

/** The hours that people and job orders of the desk state. */
const statedHours = [undefined, 20, 60, 30, undefined];

/** Opens a desk in a workspace that lives for years, with a fake clock. */
async function openDesk() {
  const world = new World({
    now: Date.parse(`${first}T12:00:00Z`),
    settings: { retentionSeconds: 400 * 86_400, recordCeiling: 2000 },
  });
  const people = statedHours.map((hoursPerWeek, at) => ({
    ...{ ref: `p${at}`, name: `Sample ${at}`, onetCode },
    hoursPerWeek,
  }));
  const orders = Array.from({ length: 3 }, (_, at) => ({
    ref: `o${at}`,
    client: 'Example Works',
    title: 'Developer',
    onetCode,
    openings: 1 + at,
    hoursPerWeek: statedHours[at],
  }));
  const made = await world.post('/batch', { candidates: people, jobOrders: orders });
  const mine = { 'x-workspace': made.body.workspace };
  const send = (method: string, path: string, body?: object, headers: object = {}) =>
    world.ask(method, path, body, { ...mine, ...headers });
  const list = async (path: string, member: string): Promise<Body[]> =>
    (await send('GET', `${path}?scope=workspace&limit=200`)).body[member] ?? [];
  return {
    ...{ world, send, people, orders },
    read: async () => ({
      candidate: await list('/candidates', 'candidates'),
      jobOrder: await list('/job-orders', 'jobOrders'),
      placement: await list('/placements', 'placements'),
    }),
  };
}

type Desk = Awaited<ReturnType<typeof openDesk>>;
type Rows = Awaited<ReturnType<Desk['read']>>;
type Choice = ReturnType<typeof createChoice>;

const strict = { prefer: 'handling=strict' };

/** Runs one event at the desk on a day. Strict handling refuses conflicts. */
async function act({ send, people, orders }: Desk, { below, pick }: Choice, day: number, placements: Body[]) {
  const accepted = placements.filter(isAcceptedRow);
  const one = accepted.length > 0 ? pick(accepted) : undefined;
  const patch = (body: object) => send('PATCH', `/placements/${one!.id}`, body, strict);
  const event = below(10);
  if (event < 4 || !one) {
    const start = day + below(40) - 5;
    const body = {
      candidateId: `#${pick(people).ref}`,
      jobOrderId: `#${pick(orders).ref}`,
      onetCode,
      startDate: toDay(start),
      ...(below(5) > 0 && { plannedEndDate: toDay(start + below(200)) }),
      ...(below(3) === 0 && { hoursPerWeek: pick([10, 20, 30]) }),
    };
    return send('POST', '/placements', body, strict);
  }
  if (event < 6) return patch({ endDate: toDay(day - below(60)), endReason: pick(endReasons) });
  if (event === 6) return patch({ endDate: null });
  if (event === 7) return patch({ plannedEndDate: toDay(day + below(120)) });
  if (event === 8) return send('PATCH', `/candidates/%23${pick(people).ref}`, { status: 'available' });
  const order = pick(orders);
  return send('PATCH', `/job-orders/%23${order.ref}`, { openings: 1 + below(200) }, strict);
}

/** Asserts that no two placements together take more of a person's hours than there are, on any day that they cover. */
function holdNobodyTwice({ candidate, jobOrder: orders, placement }: Rows, today: string): void {
  const byPerson = Map.groupBy(placement.filter(isAcceptedRow), ({ candidateId }) => candidateId);
  for (const { id, hoursPerWeek: mostHours = usualHours } of candidate) {
    const own = byPerson.get(id) ?? [];
    const starts = own.map(({ startDate }) => toNumber(startDate));
    const ends = own.flatMap(({ endDate, plannedEndDate }) => endDate ?? plannedEndDate ?? []);
    const last = Math.max(...ends.map(toNumber), ...starts) + 1;
    for (let at = Math.min(...starts); at <= last; at += 1) {
      const isAlone = countHeld(own, at, today) === 1;
      const hours = countHours(own, at, { today, orders });
      assert.ok(isAlone || hours <= mostHours, `${id} has ${hours} hours on ${toDay(at)}`);
    }
  }
}

/** Runs a desk for some days, and checks it before and after each event. Adds up the statuses of the events. */
async function runDesk(seed: number, days: number, tally: Record<number, number>): Promise<void> {
  const choice = createChoice(seed);
  const desk = await openDesk();
  const { world } = desk;
  const start = toNumber(first);
  for (let day = start; day < start + days; day += 3 + choice.below(25)) {
    world.clock.now = (day + 0.5) * dayMs;
    const today = toDay(day);
    const before = await desk.read();
    holdToSense(before, today);
    const { status, text } = await act(desk, choice, day, before.placement);
    assert.ok(status < 500, text);
    tally[status] = (tally[status] ?? 0) + 1;
    const after = await desk.read();
    holdToSense(after, today);
    holdNobodyTwice(after, today);
    for (const { id, openings } of after.jobOrder) {
      const taken = after.placement.filter(
        (row) => row.jobOrderId === id && isAcceptedRow(row) && row.status !== 'ended-early',
      );
      const raised = before.jobOrder.find((row) => row.id === id)!.openings !== openings;
      assert.ok(raised || taken.length <= openings || taken.length <= countTaken(before.placement, id), id);
    }
  }
}

const firstSeed = Number(process.env.DESK_SEED ?? 2026);

desk('holds nobody twice and fills no opening twice, in five desks over two years each', async () => {
  const tally: Record<number, number> = {};
  for (let seed = firstSeed; seed < firstSeed + 5; seed += 1) await runDesk(seed, 730, tally);
  for (const status of [200, 201, 409]) assert.ok((tally[status] ?? 0) > 20, JSON.stringify(tally));
});

/** The periods of a few random placements, so that many of them meet. */
function drawPeriod({ below, pick }: Choice): Body {
  const start = toNumber(first) + below(30);
  return {
    ...(below(5) > 0 && { startDate: toDay(start) }),
    ...(below(4) > 0 && { plannedEndDate: toDay(start + below(12)) }),
    ...(below(2) === 0 && { hoursPerWeek: pick([8, 10, 20, 30]) }),
  };
}

/** The ways to propose or accept a placement under strict handling. */
const acceptances: Record<string, (desk: Desk, body: Body) => Promise<{ text: string; body: Body }>> = {
  async 'a proposal'({ send }, body) {
    const proposed = await send('POST', '/placements', { ...body, status: 'proposed' }, strict);
    if (proposed.status === 201) await send('POST', '/placements', body, strict);
    return proposed;
  },
  'a create': ({ send }, body) => send('POST', '/placements', body, strict),
  'a batch': ({ send }, body) => send('POST', '/batch', { placements: [body] }, strict),
  async 'a move of a proposal'({ send }, body) {
    const { placement } = (await send('POST', '/placements', { ...body, status: 'proposed' })).body;
    return send('PATCH', placement.links.self, { status: 'scheduled' }, strict);
  },
  async 'a change in a batch'({ send }, body) {
    const { placement } = (await send('POST', '/placements', { ...body, status: 'proposed' })).body;
    return send('POST', '/batch', { changes: [{ id: placement.id, status: 'scheduled' }] }, strict);
  },
};

for (const [way, accept] of Object.entries(acceptances))
  desk(`refuses a placement exactly if its person has too few hours: ${way}`, async () => {
    const choice = createChoice(58);
    const tally = { refused: 0, accepted: 0 };
    for (let round = 0; round < 6; round += 1) {
      const desk = await openDesk();
      for (const { ref } of desk.orders)
        await desk.send('PATCH', `/job-orders/%23${ref}`, { openings: 1000 });
      const { candidate, jobOrder: orders } = await desk.read();
      for (let run = 0; run < 30; run += 1) {
        const person = choice.pick(candidate);
        const [candidateId, jobOrderId] = [person.id, choice.pick(orders).id];
        const body = { candidateId, jobOrderId, onetCode, ...drawPeriod(choice) };
        const rows = (await desk.read()).placement.filter(isAcceptedRow);
        const others = rows.filter((row) => row.candidateId === candidateId);
        const mostHours = person.hoursPerWeek ?? usualHours;
        const expected = isTooMuch(body, others, { today: first, orders, mostHours, horizon: 60 });
        const { text } = await accept(desk, body);
        assert.is(/is placed already/.test(text), expected, JSON.stringify({ person, body, others, text }));
        tally[expected ? 'refused' : 'accepted'] += 1;
      }
    }
    assert.ok(tally.refused > 20 && tally.accepted > 20, JSON.stringify(tally));
  });

const countTaken = (rows: readonly Body[], id: string): number =>
  rows.filter((row) => row.jobOrderId === id && isAcceptedRow(row) && row.status !== 'ended-early').length;

desk('frees all people once their placements are over', async () => {
  const choice = createChoice(7);
  const desk = await openDesk();
  const { world, send } = desk;
  const start = toNumber(first);
  for (let day = start; day < start + 700; day += 5) {
    world.clock.now = (day + 0.5) * dayMs;
    await act(desk, choice, day, (await desk.read()).placement);
  }
  const day = start + 700;
  world.clock.now = (day + 0.5) * dayMs;
  for (const row of (await desk.read()).placement) {
    if (row.status !== 'active' && row.status !== 'scheduled') continue;
    const hasStarted = row.startDate <= toDay(day);
    const end = { endDate: toDay(day), endReason: hasStarted ? 'other' : 'cancelled' };
    assert.is((await send('PATCH', `/placements/${row.id}`, end)).status, 200);
  }
  for (const { id, status } of (await desk.read()).candidate)
    if (status === 'placed') await send('PATCH', `/candidates/${id}`, { status: 'available' });
  const { candidate } = await desk.read();
  for (const { status } of candidate) assert.is(status, 'available');
  for (const { freeFrom } of candidate) assert.ok(freeFrom <= toDay(day + 1), freeFrom);
});

desk.run();
