import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Operation } from '../../../src/kernel/operation.ts';
import { operations } from '../../../src/table.ts';
import { makeCore } from '../../support/core.ts';
import { buildSampledCall } from '../../support/sampled-calls.ts';

const kept = suite('replies that are kept for a key');
const { sample: batch } = operations.find(({ operationId }) => operationId === 'createBatch')!.contract;
const core = makeCore({ settings: { live: true } });

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
  const { status, text, headers: told } = await core.ask(method, target, sent, more);
  const { 'Idempotency-Replayed': replayed, ...rest } = told;
  return { reply: { status, text, headers: rest }, replayed };
}

for (const row of writes) {
  const ways = row.access.workspace === 'required' ? [true] : [true, false];
  for (const isWithin of ways) {
    const title = `${row.operationId} ${isWithin ? 'in a workspace' : 'without a workspace'}`;
    kept(`${title} repeats its reply byte for byte`, async () => {
      const made = isWithin ? await core.ask('POST', '/batch', batch) : undefined;
      const key = `key of ${title}`.replaceAll(' ', '-');
      const first = await send(row, made?.body.workspace, key);
      const again = await send(row, made?.body.workspace, key);
      if (first.reply.status >= 300 || row.operationId === 'deleteWorkspace') return;
      assert.equal(again.reply, first.reply);
      assert.is(again.replayed, 'true');
    });
  }
}

kept.run();
