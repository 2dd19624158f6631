import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';

const tool = suite('importing by tool');

const file = {
  format: 'csv',
  kind: 'candidates',
  text: 'First Name,Last Name,Job Title\nAda,Example,Registered Nurse\n',
};

const importFile = async (args: object): Promise<Body> =>
  (await client.tool('importRecords', args)).structuredContent;

tool('settles an unclear row with codes that are sent as JSON text', async () => {
  const text = 'Name,Job Title\nAda Example,Zzyzx Wrangler\n';
  const codes = JSON.stringify([{ at: 'row 2', onetCode: '45-2093.00' }]);
  const reply = await importFile({ ...file, text, codes });
  assert.is(reply.codes[0].certainty, 'stated');
  // A result leaves out empty lists.
  assert.is(reply.problems, undefined);
});

tool('reads a column that is named in a list', async () => {
  const text = 'Name,Position Desired\nAda Example,Registered Nurse\n';
  const columns = [{ from: 'Position Desired', to: 'title' }];
  const { records } = await importFile({ ...file, text, columns });
  assert.is(records.candidates[0].title, 'Registered Nurse');
});

tool.run();
