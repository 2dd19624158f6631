import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRandom } from '../../scripts/titles/train-network.ts';
import { dayMs } from '../../src/kernel/text.ts';
import { findClash, type Hold, readPeriod } from '../../src/placements/period.ts';
import type { PlacementRecord } from '../../src/placements/placement-record.ts';
import { makeCore } from '../support/core.ts';
import type { Body } from '../support/http.ts';
import { countHours, isAcceptedRow, isTooMuch, toNumber } from '../support/placement-oracle.ts';
import { holdToSense } from '../support/sense.ts';

const desk = suite('a random desk over many days');

const first = '2026-11-26';
const onetCode = '15-1252.00';
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
  const draw = (): Body => {
    const start = below(6) === 0 ? undefined : today + below(60) - 30;
    const from = start ?? today;
    return {
      ...(start !== undefined && { startDate: toDay(start) }),
      ...(below(4) > 0 && { plannedEndDate: toDay(from + below(25)) }),
      ...(below(3) === 0 && { hoursPerWeek: pick([8, 16, 20, 30]) }),
    };
  };
  const read = (one: Body): Hold | undefined => readPeriod(one as unknown as PlacementRecord, first);
  for (let run = 0; run < 3000; run += 1) {
    const one = draw();
    const others = Array.from({ length: below(5) }, draw);
    const mostHours = pick([20, 40, 40, 60]);
    const holds = others.flatMap((other) => read(other) ?? []);
    const clash = findClash(read(one)!, holds, mostHours);
    const expected = isTooMuch(one, others, { today: first, mostHours, horizon: 120 });
    assert.is(clash !== undefined, expected, JSON.stringify({ one, others, mostHours }));
    if (!clash) continue;
    const taken = countHours([one, ...others], toNumber(clash.day), first);
    assert.ok(taken > mostHours, `${taken} hours on ${clash.day}`);
  }
});

/** Runs a desk for ten years in one workspace, with a fake clock and strict handling. */
async function openDesk() {
  const core = makeCore({
    now: Date.parse(`${first}T12:00:00Z`),
    settings: { retentionSeconds: 400 * 86_400, recordCeiling: 2000 },
  });
  const people = Array.from({ length: 5 }, (_, at) => ({ ref: `p${at}`, name: `Sample ${at}`, onetCode }));
  const orders = Array.from({ length: 3 }, (_, at) => ({
    ref: `o${at}`,
    client: 'Example Works',
    title: 'Developer',
    onetCode,
    openings: 1 + at,
  }));
  const made = await core.ask('POST', '/batch', { candidates: people, jobOrders: orders });
  const mine = { 'x-workspace': made.body.workspace };
  const send = (method: string, path: string, body?: object, headers: object = {}) =>
    core.ask(method, path, body, { ...mine, ...headers });
  const list = async (path: string, member: string): Promise<Body[]> =>
    (await send('GET', `${path}?scope=workspace&limit=200`)).body[member] ?? [];
  return {
    ...{ core, send, people, orders },
    read: async () => ({
      candidate: await list('/candidates', 'candidates'),
      jobOrder: await list('/job-orders', 'jobOrders'),
      placement: await list('/placements', 'placements'),
    }),
  };
}

type Desk = Awaited<ReturnType<typeof openDesk>>;
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

/** Asserts that nobody has too many hours on any day that the placements cover. */
function holdNobodyTwice(rows: readonly Body[], today: string): void {
  for (const [, own] of Map.groupBy(rows.filter(isAcceptedRow), ({ candidateId }) => candidateId)) {
    const starts = own.flatMap(({ startDate }) => (startDate ? [toNumber(startDate)] : []));
    const ends = own.flatMap(({ endDate, plannedEndDate }) => endDate ?? plannedEndDate ?? []);
    const last = Math.max(...ends.map(toNumber), ...starts) + 1;
    for (let at = Math.min(...starts); at <= last; at += 1)
      assert.ok(countHours(own, at, today) <= 40, `${own[0]!.candidateId} is held twice on ${toDay(at)}`);
  }
}

desk('holds nobody twice and fills no opening twice in ten years', async () => {
  const choice = createChoice(2026);
  const world = await openDesk();
  const { core } = world;
  const start = toNumber(first);
  const tally: Record<number, number> = {};
  for (let day = start; day < start + 3652; day += 3 + choice.below(25)) {
    core.clock.now = (day + 0.5) * dayMs;
    const today = toDay(day);
    const before = await world.read();
    holdToSense(before, today);
    const { status, text } = await act(world, choice, day, before.placement);
    assert.ok(status < 500, text);
    tally[status] = (tally[status] ?? 0) + 1;
    const after = await world.read();
    holdToSense(after, today);
    holdNobodyTwice(after.placement, today);
    for (const { id, openings } of after.jobOrder) {
      const taken = after.placement.filter(
        (row) => row.jobOrderId === id && isAcceptedRow(row) && row.status !== 'ended-early',
      );
      const raised = before.jobOrder.find((row) => row.id === id)!.openings !== openings;
      assert.ok(raised || taken.length <= openings || taken.length <= countTaken(before.placement, id), id);
    }
  }
  for (const status of [200, 201, 409]) assert.ok((tally[status] ?? 0) > 20, JSON.stringify(tally));
});

const countTaken = (rows: readonly Body[], id: string): number =>
  rows.filter((row) => row.jobOrderId === id && isAcceptedRow(row) && row.status !== 'ended-early').length;

desk('frees all people once their placements are over', async () => {
  const choice = createChoice(7);
  const world = await openDesk();
  const { core, send } = world;
  const start = toNumber(first);
  for (let day = start; day < start + 700; day += 5) {
    core.clock.now = (day + 0.5) * dayMs;
    await act(world, choice, day, (await world.read()).placement);
  }
  const day = start + 700;
  core.clock.now = (day + 0.5) * dayMs;
  for (const row of (await world.read()).placement) {
    if (row.status !== 'active' && row.status !== 'scheduled') continue;
    const hasStarted = row.startDate <= toDay(day);
    const end = { endDate: toDay(day), endReason: hasStarted ? 'other' : 'cancelled' };
    assert.is((await send('PATCH', `/placements/${row.id}`, end)).status, 200);
  }
  for (const { id, status } of (await world.read()).candidate)
    if (status === 'placed') await send('PATCH', `/candidates/${id}`, { status: 'available' });
  const { candidate } = await world.read();
  for (const { status } of candidate) assert.is(status, 'available');
  for (const { freeFrom } of candidate) assert.ok(freeFrom <= toDay(day + 1), freeFrom);
});

desk.run();
