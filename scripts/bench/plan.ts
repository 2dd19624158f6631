import { toSpread } from './load.ts';
import type { Goal } from './report.ts';
import { startOurs } from './servers.ts';
import { candidates, get, post, send } from './wire.ts';

const orders = 40;
const people = 200;

const metros = ['Columbus, OH', 'Cleveland, OH', 'Austin, TX', 'Reno, NV'];
const skills = ['SQL', 'TypeScript', 'ICU', 'ER', 'Docker', 'Triage', 'Go'];
const pick = <T>(list: readonly T[], at: number): T => list[at % list.length]!;

/** People who differ in occupation, place, skills and shifts, so that the best plan is no list of the best matches. */
const desk = {
  jobOrders: Array.from({ length: orders }, (_, at) => ({
    client: `Client ${at % 9}`,
    title: `Order ${at}`,
    onetCode: pick(candidates, at).onetCode,
    metro: pick(metros, at * 3),
    skills: [pick(skills, at), pick(skills, at + 2)],
    shift: pick(['day', 'night'], at * 5),
  })),
  candidates: Array.from({ length: people }, (_, at) => ({
    name: `Person ${at}`,
    onetCode: pick(candidates, at).onetCode,
    metro: pick(metros, at),
    skills: [pick(skills, at), pick(skills, at * 2 + 1), pick(skills, at * 3 + 2)],
    ...(at % 3 > 0 && { shifts: [pick(['day', 'night'], at * 7)] }),
  })),
};

/** Measures the milliseconds of a plan of 40 orders and 200 people. Each has another minScore, so none is cached. */
export async function measurePlan({ rounds }: { rounds: number }): Promise<Goal[]> {
  const server = await startOurs();
  const made = await send(server.port, post('/batch', { jobOrders: desk.jobOrders }));
  const headers = { 'X-Workspace': made.headers['x-workspace']! };
  await send(server.port, post('/batch', { candidates: desk.candidates }, headers));
  const times: number[] = [];
  // The first plan waits for the tables of matches, and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    const from = performance.now();
    const { status, body } = await send(
      server.port,
      get(`/workspace/plan?minScore=${30 + round / 100}`, headers),
    );
    if (status !== 200) throw new Error(`${status}: ${body}`);
    if (round > 0) times.push(performance.now() - from);
  }
  await server.stop();
  const what = `plan of ${orders} orders and ${people} people`;
  return [{ what, unit: 'ms', atMost: 100, reached: toSpread(times) }];
}
