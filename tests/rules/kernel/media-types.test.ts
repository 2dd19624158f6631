/** Bodies under the media types that clients send, at every operation that reads a body. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasBody } from '../../../src/kernel/operation.ts';
import { operations } from '../../../src/table.ts';
import { words } from '../../support/rows.ts';
import { World } from '../../support/world.ts';

const media = suite('media types of bodies');

const world = new World();
const made = await world.post('/candidates', { name: 'Ada', onetCode: '15-1252.00' });
const mine = { 'X-Workspace': made.body.workspace };

const rows = operations.filter(({ method, rawBody }) => hasBody(method) && !rawBody);
/** Types of JSON, and none at all. */
const ofJson = ['', ...words('application/json application/merge-patch+json text/json application/ld+json')];
const other = words(`
  text/plain text/html text/xml text/csv application/xml application/x-www-form-urlencoded multipart/form-data;boundary=x
  application/octet-stream application/vnd.ms-excel application/pdf image/png application/jsonp nonsense */*
`);
/** Bodies that are no JSON. */
const noJson = ['name=a&onetCode=15-1252.00', 'a,b\n1,2', '<a/>', '--x\r\n\r\n--x--', '{"a":', "{'a':1}"];

const send = (row: (typeof rows)[number], type: string, body: string) => {
  const secret = row.access.capability;
  const token = secret && { [secret.header]: `${secret.prefix}${'0'.repeat(39)}` };
  const path = row.path.replace('{id}', row.path.startsWith('/briefs') ? 'none' : 'cand_none');
  return world.ask(row.method, path, body, { ...mine, ...token, 'Content-Type': type });
};

media('a body that is no JSON is 415 under another type, and 400 under a type of JSON', async () => {
  for (const row of rows)
    for (const type of [...ofJson, ...other, ...other.map((one) => one.toUpperCase())])
      for (const body of noJson) {
        const what = `${row.operationId} ${type} ${body}`;
        const isFile = row.otherBody?.type === type.toLowerCase();
        const { status, body: reply } = await send(row, type, body);
        // A capability is checked before the body.
        if (status === 401 || isFile) continue;
        assert.is(status, ofJson.includes(type) ? 400 : 415, what);
        assert.is(reply.code, ofJson.includes(type) ? 'invalid_json' : 'unsupported_media', what);
        assert.match(reply.reason, /Send one JSON object in UTF-8/, what);
        if (status === 415) assert.match(reply.reason, 'as application/json', what);
        if (status === 415 && row.otherBody)
          assert.match(reply.reason, 'text/csv with ?kind=candidates', what);
      }
});

media('a body that is JSON is read under any type', async () => {
  for (const type of [...ofJson, ...other]) {
    const sent = JSON.stringify({ name: 'Ada', onetCode: '15-1252.00' });
    const { status } = await world.post('/candidates', sent, { 'Content-Type': type });
    assert.is(status, 201, type);
  }
});

const table = 'Name,Job Title,Notes\nAnn Sample,Registered Nurse,"a, b"\n';
const tables = words(`
  text/csv application/csv application/vnd.ms-excel text/plain application/octet-stream text/csv;charset=utf-8
  APPLICATION/VND.MS-EXCEL
`);
const json = JSON.stringify({ format: 'csv', kind: 'candidates', text: table });

media(
  'an import reads a table under the types that browsers and clients give it, if kind says what it is',
  async () => {
    for (const type of tables) {
      const headers = { 'Content-Type': type };
      const { status, body } = await world.post('/imports?kind=candidates', table, headers);
      assert.is(status, 200, type);
      assert.is(body.records.candidates[0].note, 'a, b', type);
      if (type.startsWith('text/csv')) continue;
      assert.is((await world.post('/imports', table, headers)).status, 415, type);
      const { status: read } = await world.post('/imports', json, headers);
      assert.is(read, 200, `JSON as ${type}`);
    }
    for (const type of [...ofJson, 'application/x-www-form-urlencoded'])
      assert.is((await world.post('/imports?kind=candidates', json, { 'Content-Type': type })).status, 200);
  },
);

media('an import reads a tab separated table as such, whatever its first row holds', async () => {
  const headers = { 'Content-Type': 'text/tab-separated-values' };
  const sent = 'Name\tJob Title, as we say, or not\tNotes, if any\nAnn\tNurse\tb, c\n';
  const { body } = await world.post('/imports?kind=candidates', sent, headers);
  const columns = [...body.mapping.map((one: { from: string }) => one.from)];
  assert.ok(columns.includes('Name'), JSON.stringify(body));
  assert.is(body.records.candidates[0].name, 'Ann');
});

media.run();
