import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { operations } from '../../../src/table.ts';
import { dayMs } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { createRandom } from '../../support/random-desk.ts';
import { World } from '../../support/world.ts';

const times = suite('times of a record');
const random = createRandom(61);
/** Makes a record of each kind, whose refs are the names of the kinds. */
const { sample: batch } = operations.find(({ operationId }) => operationId === 'createBatch')!.contract;

/** Makes a workspace with a placement, and a clock that jumps to and fro before each call. */
async function openJumping() {
  const { ask, clock } = new World();
  const start = clock.now;
  const { body } = await ask('POST', '/batch', batch);
  const mine = { 'x-workspace': body.workspace };
  return async (method: string, target: string, sent?: object) => {
    clock.now = start + Math.round((random() - 0.5) * 0.8 * dayMs);
    return ask(method, target, sent, mine);
  };
}

const changes: [target: string, sent: (count: number) => object][] = [
  ['/candidates/%23candidate', (count) => ({ name: `Ann ${count}` })],
  ['/candidates/%23candidate', (count) => ({ status: count % 2 ? 'withdrawn' : 'available' })],
  ['/job-orders/%23jobOrder', (count) => ({ status: count % 2 ? 'closed' : 'open' })],
  ['/job-orders/%23jobOrder', (count) => ({ title: `Developer ${count}` })],
  ['/placements/%23placement', () => ({ status: 'submitted' })],
  ['/placements/%23placement', () => ({ status: 'interviewing' })],
  ['/placements/%23placement', () => ({ status: 'declined', declineReason: 'client' })],
  ['/placements/%23placement', () => ({ status: 'proposed' })],
];

const readRow = (body: Body): Body => body.candidate ?? body.jobOrder ?? body.placement;

/** Asserts that the times of a row are in order. */
function assertOrdered({ createdAt, updatedAt, transitions }: Body): void {
  const moves = transitions.map(({ at }: { at: string }) => at);
  assert.ok(createdAt <= updatedAt, `created ${createdAt}, updated ${updatedAt}`);
  assert.equal(moves, [...moves].sort());
  for (const at of moves) assert.ok(createdAt <= at && at <= updatedAt, `${createdAt} ${at} ${updatedAt}`);
}

times('never go back, even if the clock does', async () => {
  const ask = await openJumping();
  let moved = 0;
  for (let count = 0; count < 200; count += 1) {
    const [target, toSent] = changes[Math.floor(random() * changes.length)]!;
    const before = readRow((await ask('GET', target)).body);
    const { status, body } = await ask('PATCH', target, toSent(count));
    if (status !== 200) continue;
    const after = readRow(body);
    assertOrdered(after);
    assert.ok(before.updatedAt <= after.updatedAt, `${before.updatedAt}, then ${after.updatedAt}`);
    if (after.transitions.length > before.transitions.length) moved += 1;
  }
  assert.ok(moved > 5, `${moved} moves`);
});

times.run();
