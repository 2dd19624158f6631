import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Operation } from '../../../src/kernel/operation.ts';
import { operations } from '../../../src/table.ts';
import { buildSampledCall } from '../../support/sampled-calls.ts';
import { toBody } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const kept = suite('replies that are kept for a key');
const { sample: batch } = operations.find(({ operationId }) => operationId === 'createBatch')!.contract;
const world = new World({ settings: { live: true } });

/** The operations that change something in a workspace, or make one. The sample of an import is a preview. */
const writes = operations.filter(
  ({ access, effect, operationId }) =>
    access.workspace && effect !== 'read' && operationId !== 'importRecords',
);

/** Sends a call with an unknown member and a key. Returns the text of the reply, and its headers. */
async function send(row: Operation, workspace: string | undefined, key: string) {
  const { method, target, headers, body } = buildSampledCall(row, workspace);
  const sent = body && JSON.stringify({ ...JSON.parse(body), nickname: 'ignored' });
  const more = { 'idempotency-key': key, ...headers };
  const { status, text, headers: told } = await world.ask(method, target, sent, more);
  const { 'idempotency-replayed': replayed, ...rest } = Object.fromEntries(told);
  return { reply: { status, text, headers: rest }, replayed };
}

for (const row of writes) {
  const ways = row.access.workspace === 'required' ? [true] : [true, false];
  for (const isWithin of ways) {
    const title = `${row.operationId} ${isWithin ? 'in a workspace' : 'without a workspace'}`;
    kept(`${title} repeats its reply byte for byte`, async () => {
      const made = isWithin ? await world.post('/batch', batch) : undefined;
      const key = `key of ${title}`.replaceAll(' ', '-');
      const first = await send(row, made?.body.workspace, key);
      const again = await send(row, made?.body.workspace, key);
      if (first.reply.status >= 300 || row.operationId === 'deleteWorkspace') return;
      assert.equal(again.reply, first.reply);
      assert.is(again.replayed, 'true');
    });
  }
}

const lifeMs = 60_000;

for (const [ms, isReplayed] of [
  [-1, true],
  [0, false],
  [1, false],
] as const)
  kept(
    `are ${isReplayed ? '' : 'not '}repeated ${ms} ms from their end, if the workspace lives on`,
    async () => {
      const { ask, clock } = new World({ settings: { retentionSeconds: lifeMs / 1000 } });
      const made = await ask('POST', '/batch', batch);
      const start = clock.now;
      const inside = { 'x-workspace': made.body.workspace };
      const create = () =>
        ask('POST', '/candidates', toBody.candidate(), { ...inside, 'idempotency-key': 'one-key-of-many' });
      const first = await create();
      clock.now = start + lifeMs / 2;
      await ask('PATCH', '/candidates/%23candidate', { note: 'Later.' }, inside);
      clock.now = start + lifeMs + ms;
      const again = await create();
      assert.is(again.body.candidate.id === first.body.candidate.id, isReplayed);
    },
  );

kept.run();
