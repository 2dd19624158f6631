import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { refusedTool } from '../../support/sandbox.ts';

const tool = suite('importing by tool');

const file = {
  format: 'csv',
  kind: 'candidates',
  text: 'First Name,Last Name,Job Title\nAda,Example,Registered Nurse\n',
};

const importFile = async (args: object): Promise<Body> =>
  (await client.tool('importRecords', args)).structuredContent;

tool('reads a CSV file dry', async () => {
  const { records, workspace } = await importFile(file);
  assert.is(records.candidates[0].name, 'Ada Example');
  assert.is(workspace, undefined);
});

tool('creates the records of a CSV file if dryRun is false', async () => {
  const { records, workspace } = await importFile({ ...file, dryRun: false });
  const { candidate } = (await client.tool('getCandidate', { id: records.candidates[0].id, workspace }))
    .structuredContent;
  assert.is(candidate.onetCode, '29-1141.00');
});

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

tool('reads a document that is sent as text', async () => {
  const text = JSON.stringify({ basics: { name: 'Ada Example', label: 'Registered Nurse' } });
  const { records } = await importFile({ format: 'resume', text });
  assert.is(records.candidates[0].title, 'Registered Nurse');
});

tool('reads a document that is sent as data', async () => {
  const data = { basics: { name: 'Ada Example', label: 'Registered Nurse' } };
  const { records } = await importFile({ format: 'resume', data });
  assert.is(records.candidates[0].name, 'Ada Example');
});

tool('refuses a file with a problem, and names its place', async () => {
  const text = 'Name,Job Title,Pay Rate\nAda Example,Registered Nurse,€45\n';
  const result = await client.tool('importRecords', { ...file, text, dryRun: false });
  refusedTool(result, 'invalid_request');
  assert.is(result.structuredContent.issues[0].path, 'row 2, Pay Rate');
});

tool.run();
