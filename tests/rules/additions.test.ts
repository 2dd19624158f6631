import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Contract, checkReply, toContractCheck } from '../support/contract.ts';
import type { Body } from '../support/http.ts';
import { makeFolder } from '../support/server.ts';

const kind = suite('a new kind of record and a new operation');
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
  for (const part of ['dist', 'node_modules']) symlinkSync(resolve(part), join(folder, part));
  const before = readFileSync(file, 'utf8');
  const after = imported + before.replace('\n    note,', lines);
  writeFileSync(join(folder, file), after);
  return { folder, load: (path: string) => import(join(folder, path)) };
}

const { folder, load } = copyWithMember();
const home = process.cwd();
process.chdir(folder);
member.after(() => process.chdir(home));

// The line in the list of kinds, and the operation in the table.
const { kinds } = await load('src/kinds.ts');
const { interview } = await load('tests/support/newcomer/interview.ts');
kinds.push(interview);
const { World } = await load('tests/support/world.ts');
const { operations } = await load('src/table.ts');
const { renameContracts, renameWorkspace } = await load('tests/support/newcomer/rename-workspace.ts');
const { describeOperations } = await load('src/kernel/contract.ts');

const extended = [...operations, ...describeOperations([renameWorkspace], renameContracts)];
const makeService = () => new World({ operations: extended });

/** Returns the message of the error that a function throws. */
function findMessage(run: () => unknown): string {
  try {
    run();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const withoutSeed = findMessage(makeService);
const seed = { id: 'int_001', example: true, ...interview.sample };
writeFileSync(join(folder, 'content', 'seed', 'interviews.json'), JSON.stringify([seed]));
const { ask, tool } = makeService();
const { workspaceFacts } = await load('src/pages/_parts/workspace-facts.ts');
const contract: Contract = (await ask('GET', '/openapi.json')).body;
const { check } = toContractCheck(contract);

/** Sends a call, and checks its reply against the contract. */
async function askChecked(method: string, target: string, sent?: object, headers?: object) {
  const reply = await ask(method, target, sent, headers);
  checkReply(check, method, target, reply);
  return reply;
}

kind('stops the build without its seed content, and names the file', () => {
  assert.match(withoutSeed, 'interviews.json');
});

const person = { name: 'Ada', onetCode: '29-1141.00', pronouns: 'she/her' };
const order = { client: 'Mercy', title: 'Nurse', onetCode: '29-1141.00' };
const { workspace, candidates, jobOrders } = (
  await ask('POST', '/batch', { candidates: [person, { ...person, pronouns: 'they' }], jobOrders: [order] })
).body;
const mine = { 'x-workspace': workspace };
const read = async (target: string): Promise<Body> => (await ask('GET', target, undefined, mine)).body;
const listPronouns = (rows: Body[]) => rows.map(({ pronouns }) => pronouns);

kind('is one file, and appears in HTTP, tools, contract, card, home, seed and store', async () => {
  assert.ok(contract.components.schemas.Interview);
  assert.is((await askChecked('GET', '/interviews')).body.interviews[0].status, 'planned');
  assert.is(
    (await askChecked('GET', '/interviews/int_001')).body.interview.links.candidate,
    '/candidates/cand_036',
  );
  const made = await askChecked('POST', '/interviews', interview.sample);
  assert.is(made.status, 201);
  const inside = { 'x-workspace': made.body.workspace };
  const id = made.body.interview.id;
  assert.match(id, /^int_/);
  assert.is((await askChecked('GET', `/interviews/${id}`, undefined, inside)).body.interview.id, id);
  assert.is((await askChecked('GET', '/interviews?status=planned&limit=1', undefined, inside)).body.total, 1);
  const lost = await askChecked('POST', '/interviews', { ...interview.sample, candidateId: 'cand_none' });
  assert.is(lost.body.warnings[0].path, 'candidateId');
  const card = (await ask('GET', '/.well-known/agents.json')).body;
  assert.ok(card.interfaces.mcp.tools.includes('createInterview'));
  assert.is((await ask('GET', '/')).body.seed.interviews, 1);
  assert.match(
    (await ask('GET', '/llms.txt')).text,
    /POST \/interviews with \{"candidateId", "jobOrderId", "onetCode", "day"\}/,
  );

  const { workspace } = made.body;
  assert.is((await tool('getInterview', { id, workspace })).structuredContent.interview.id, id);
});

kind('an operation is one description, and appears in HTTP, tools and contract', async () => {
  const renamed = await askChecked('PATCH', '/workspace-name/one', { name: 'New' }, mine);
  assert.equal(renamed.body, { type: 'OK', name: 'New', of: 'a workspace' });
  assert.is((await askChecked('PATCH', '/workspace-name/one', {})).status, 400);
  assert.is((await ask('GET', '/workspace-name/one')).status, 405);
  const options = await ask('OPTIONS', '/workspace-name/one');
  assert.is(options.headers.get('allow'), 'PATCH, OPTIONS');
  assert.match(options.headers.get('access-control-allow-methods')!, /PATCH/);
  const byTool = await tool('renameWorkspace', { id: 'one', name: 'By tool' });
  assert.equal(byTool.structuredContent, { type: 'OK', name: 'By tool', of: 'one' });
  const listed = await ask('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const { annotations } = listed.body.result.tools.find((one: Body) => one.name === 'renameWorkspace');
  assert.is(annotations.readOnlyHint, false);
  assert.is(annotations.destructiveHint, true);
  const { requestBody, parameters } = contract.paths['/workspace-name/{id}']!.patch!;
  assert.ok(requestBody);
  assert.match(JSON.stringify(parameters), /Idempotency-?Key/);
});

member('is in the contract and in the documents', async () => {
  const { properties } = contract.components.schemas.Candidate as Body;
  assert.ok(properties.pronouns);
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
  const changed = await ask('PATCH', path, { pronouns: 'xe' }, mine);
  assert.is(changed.body.candidate.pronouns, 'xe');
  await ask('PATCH', path, { pronouns: person.pronouns }, mine);
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
  const { parameters } = contract.components as Body;
  const described = Object.values<Body>(parameters).filter(({ name }) => name === 'q');
  assert.ok(described.some(({ description }) => /pronouns/.test(description)));
});

member('is read from a file', async () => {
  const text = 'Name,Job Title,Pronouns\nBo,Nurse,he/him\n';
  const { records } = (await ask('POST', '/imports', { format: 'csv', kind: 'candidates', text })).body;
  assert.equal(listPronouns(records.candidates), ['he/him']);
});

member('is in exports', async () => {
  assert.equal(listPronouns((await read('/workspace/export')).candidates), ['she/her', 'they']);
  const { text } = await ask('GET', '/workspace/export.csv?kind=candidates', undefined, mine);
  assert.match(text.split('\r\n')[0]!, /,pronouns,/);
});

member('is shown to a client', async () => {
  const proposal = { candidateId: candidates[0].id, jobOrderId: jobOrders[0].id, onetCode: order.onetCode };
  await ask('POST', '/placements', { ...proposal, status: 'proposed' }, mine);
  const link = await ask('POST', `/job-orders/${jobOrders[0].id}/shortlist`, {}, mine);
  const { token } = link.body.shortlist;
  const { shortlist } = (await ask('GET', '/shortlist', undefined, { 'x-shortlist': token })).body;
  assert.is(shortlist.placements[0].candidate.pronouns, person.pronouns);
});

member('has a field and a column on the desk', () => {
  const kind = workspaceFacts.kinds.find(({ name }: Body) => name === 'candidate');
  assert.ok(kind.fields.some(({ name }: Body) => name === 'pronouns'));
  assert.ok(kind.columns.some(({ title }: Body) => title === 'Pronouns'));
});

kind.run();
member.run();
