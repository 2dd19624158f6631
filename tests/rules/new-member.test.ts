import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../support/http.ts';
import { makeFolder } from '../support/server.ts';

const member = suite('a new member of a kind');

/** What a newcomer adds to one file. */
const file = 'src/candidates/candidate.ts';
const lines = `
    pronouns: {
      schema: v.optional(textSchema(40, 'Pronouns', 'How to refer to the candidate.')),
      filters: { pronouns: createEqualFilter('pronouns', 'Pronouns', 'Those with these pronouns.') },
      search: 'words',
      isSortable: true,
      isInSummary: true,
      client: 'shown',
      column: { title: 'Pronouns' },
    },
    note,`;
const imported = "import { createEqualFilter } from '../records/kind/filters.ts';\n";

/** Copies the service with the member in it. Returns how to import a file of the copy. */
function copyWithMember() {
  const folder = makeFolder();
  for (const part of ['src', 'content', 'tests/support', 'package.json', 'tsconfig.json'])
    cpSync(part, join(folder, part), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const before = readFileSync(file, 'utf8');
  const after = imported + before.replace('\n    note,', lines);
  writeFileSync(join(folder, file), after);
  return { folder, load: (path: string) => import(join(folder, path)) };
}

const { folder, load } = copyWithMember();
const home = process.cwd();
process.chdir(folder);
const { makeCore } = await load('tests/support/core.ts');
const { workspaceFacts } = await load('src/pages/_parts/workspace-facts.ts');
const { ask, tool } = makeCore();
member.after(() => process.chdir(home));

const person = { name: 'Ada', onetCode: '29-1141.00', pronouns: 'she/her' };
const order = { client: 'Mercy', title: 'Nurse', onetCode: '29-1141.00' };
const { workspace, candidates, jobOrders } = (
  await ask('POST', '/batch', { candidates: [person, { ...person, pronouns: 'they' }], jobOrders: [order] })
).body;
const inside = { 'x-workspace': workspace };
const read = async (target: string): Promise<Body> => (await ask('GET', target, undefined, inside)).body;
const listPronouns = (rows: Body[]) => rows.map(({ pronouns }) => pronouns);

member('is in the contract and in the documents', async () => {
  const { components } = (await ask('GET', '/openapi.json')).body;
  assert.ok(components.schemas.Candidate.properties.pronouns);
  assert.match((await ask('GET', '/api.md')).text, /pronouns/);
});

member('is an argument of the tools', async () => {
  const { body } = await ask('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const create = body.result.tools.find(({ name }: Body) => name === 'createCandidate');
  assert.ok(create.inputSchema.properties.pronouns);
  const { structuredContent } = await tool('createCandidate', { ...person, pronouns: 'he/him' });
  assert.is(structuredContent.candidate.pronouns, 'he/him');
});

member('is in records, and can be changed', async () => {
  const [{ id }] = candidates;
  const path = `/candidates/${id}`;
  const changed = await ask('PATCH', path, { pronouns: 'xe' }, inside);
  assert.is(changed.body.candidate.pronouns, 'xe');
  await ask('PATCH', path, { pronouns: person.pronouns }, inside);
});

member('filters lists and matches', async () => {
  assert.equal(listPronouns((await read('/candidates?pronouns=they')).candidates), ['they']);
  const { matches } = await read(`/job-orders/${jobOrders[0].id}/matches?pronouns=they`);
  assert.equal(listPronouns(matches.map(({ candidate }: Body) => candidate)), ['they']);
});

member('sorts lists', async () => {
  assert.equal(listPronouns((await read('/candidates?sort=-pronouns')).candidates), ['they', 'she/her']);
});

member('is searched, and the description of the search names it', async () => {
  assert.equal(listPronouns((await read('/candidates?q=they')).candidates), ['they']);
  const { components } = (await ask('GET', '/openapi.json')).body;
  const described = Object.values(components.parameters as Body[]).filter(({ name }) => name === 'q');
  assert.ok(described.some(({ description }) => /pronouns/.test(description)));
});

member('is read from a file', async () => {
  const text = 'Name,Job Title,Pronouns\nBo,Nurse,he/him\n';
  const { records } = (await ask('POST', '/imports', { format: 'csv', kind: 'candidates', text })).body;
  assert.equal(listPronouns(records.candidates), ['he/him']);
});

member('is in exports', async () => {
  assert.equal(listPronouns((await read('/workspace/export')).candidates), ['she/her', 'they']);
  const { text } = await ask('GET', '/workspace/export.csv?kind=candidates', undefined, inside);
  assert.match(text.split('\r\n')[0]!, /,pronouns,/);
});

member('is shown to a client', async () => {
  const proposal = { candidateId: candidates[0].id, jobOrderId: jobOrders[0].id, onetCode: order.onetCode };
  await ask('POST', '/placements', { ...proposal, status: 'proposed' }, inside);
  const link = await ask('POST', `/job-orders/${jobOrders[0].id}/shortlist`, {}, inside);
  const { token } = link.body.shortlist;
  const { shortlist } = (await ask('GET', '/shortlist', undefined, { 'x-shortlist': token })).body;
  assert.is(shortlist.placements[0].candidate.pronouns, person.pronouns);
});

member('has a field and a column on the desk', () => {
  const kind = workspaceFacts.kinds.find(({ name }: Body) => name === 'candidate');
  assert.ok(kind.fields.some(({ name }: Body) => name === 'pronouns'));
  assert.ok(kind.columns.some(({ title }: Body) => title === 'Pronouns'));
});

member.run();
