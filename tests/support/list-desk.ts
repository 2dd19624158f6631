import * as assert from 'uvu/assert';
import { inside } from './doors.ts';
import type { Body } from './http.ts';
import { createRandom } from './random-desk.ts';
import { dayFromNow } from './sandbox.ts';
import { World } from './world.ts';

/** Returns a number from 0 to below 1. The same ones follow in each run. */
const random = createRandom(3);
export const below = (count: number): number => Math.floor(random() * count);
export const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
const some = <T>(items: readonly T[]): T[] => items.filter(() => random() < 0.4);
const maybe = <T>(value: T): T | undefined => (random() < 0.7 ? value : undefined);

/** Words of which none begins with another, and none is another with one wrong letter. */
const words = ['Falcon', 'Meadow', 'Quartz', 'Timber', 'Violet'];
const codes = ['29-1141.00', '29-2061.00', '15-1252.00'];
const shifts = ['day', 'evening', 'night', 'weekend'];
const workplaces = ['onsite', 'hybrid', 'remote'];
const places = ['Columbus, OH', 'Dayton, OH', 'Reno, NV'];
const days = [-40, -10, 5, 20, 60].map(dayFromNow);
const phrase = (): string => `${pick(words)} ${pick(words)}`;
const phrases = (): string[] => [...new Set([phrase(), phrase()])];

const drawPerson = (at: number): Body => ({
  ref: `person-${at}`,
  name: `${pick(words)} ${pick(words)}`,
  onetCode: pick(codes),
  title: maybe(phrase()),
  skills: maybe(phrases()),
  credentials: maybe([pick(words), `${phrase()} until ${pick(days)}`]),
  metro: maybe(pick(places)),
  shifts: some(shifts),
  workplaces: some(workplaces),
  availableFrom: maybe(pick(days)),
  status: random() < 0.2 ? 'withdrawn' : undefined,
});

const drawOrder = (at: number): Body => ({
  ref: `order-${at}`,
  client: phrase(),
  title: phrase(),
  onetCode: pick(codes),
  openings: 1 + below(3),
  requires: maybe(phrases()),
  skills: maybe(phrases()),
  metro: maybe(pick(places)),
  shift: maybe(pick(shifts)),
  workplace: maybe(pick(workplaces)),
  startDate: maybe(pick(days)),
  status: random() < 0.2 ? 'closed' : undefined,
});

const drawPlacement = (at: number, people: Body[], orders: Body[]): Body => ({
  ref: `placement-${at}`,
  candidateId: `#${pick(people).ref}`,
  jobOrderId: `#${pick(orders).ref}`,
  onetCode: pick(codes),
  startDate: maybe(pick(days)),
  guaranteeDays: maybe(15 + below(60)),
  status: pick(['proposed', 'offered', 'scheduled', 'declined', undefined]),
});

/** Makes a desk in three batches, an hour apart, and changes some of its records, so that they have different times. */
export async function makeListDesk() {
  const world = new World();
  const start = world.clock.now;
  let mine: Record<string, string> = {};
  for (const hour of [0, 1, 2]) {
    world.clock.now = start + hour * 3_600_000;
    const numbers = Array.from({ length: 12 }, (_, at) => at + hour * 12);
    const candidates = numbers.map(drawPerson);
    const jobOrders = numbers.map(drawOrder);
    const placements = numbers.map((at) => drawPlacement(at, candidates, jobOrders));
    const made = await world.post('/batch', { candidates, jobOrders, placements }, mine);
    assert.is(made.status, 201, made.text);
    mine = inside(made.body.workspace ?? mine['X-Workspace']);
    for (const { id, status } of made.body.placements)
      if (status === 'active' && random() < 0.7)
        await world.post(`/placements/${id}/outcome`, { result: 'retained' }, mine);
    world.pass(60_000);
    const { candidates: people, jobOrders: orders, placements: placed } = made.body;
    for (const { links } of some([...people, ...orders, ...placed] as Body[]))
      await world.patch(links.self, { note: 'Called.' }, mine);
  }
  return { start, ask: (path: string) => world.get(path, mine) };
}

/** The values that records of the desk have, and a phrase of two words. */
export const listValues = { words, codes, shifts, workplaces, places, days, phrase };
