import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { operations } from '../../../src/table.ts';
import { buildSampledCall } from '../../support/sampled-calls.ts';
import { World } from '../../support/world.ts';

const admission = suite('admission of new workspaces');

/** What the host was asked about new workspaces, and what it was told of each in the end. */
const admitted: (boolean | undefined)[] = [];
const world = new World({
  watch: {
    admitMint() {
      const at = admitted.push(undefined) - 1;
      const settle = (hasMinted: boolean) => {
        admitted[at] = hasMinted;
      };
      return { headers: {}, settle };
    },
    report(error) {
      throw error;
    },
  },
});

for (const row of operations)
  admission(`${row.operationId} asks the host exactly if it makes a workspace`, async () => {
    admitted.length = 0;
    const { method, target, body } = buildSampledCall(row);
    const { status, headers } = await world.ask(method, target, body);
    const isMade = status === 201 && headers.has('x-workspace');
    if (isMade) assert.equal(admitted, [true]);
    // The sample of an import is a preview, which makes none in the end.
    else assert.equal(admitted, row.operationId === 'importRecords' ? [false] : [], `${status}`);
  });

admission('no call in a workspace asks the host', async () => {
  const made = await world.post('/candidates', { name: 'Ada', onetCode: '15-1252.00' });
  admitted.length = 0;
  const workspace = made.body.workspace;
  const again = { name: 'Bo', onetCode: '15-1252.00' };
  assert.is((await world.post('/candidates', again, { 'x-workspace': workspace })).status, 201);
  assert.equal(admitted, []);
});

admission.run();
