import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { workspaceIdPattern } from '../../src/records/workspace.ts';
import { type Client, connect, toIdLike, unknownWorkspace } from '../support/http.ts';
import { startFor, startServer } from '../support/server.ts';

const operationsEach = 300;
const test = suite('isolation');
const server = await startFor(test, { LOG: 'off' });
const client = await connect(server.origin);

type Row = { id: string; name?: string; example: boolean };
const own = (rows: Row[]) => rows.filter(({ example }) => !example).map(({ id }) => id);

/** One caller: creates and reads at random in its own workspace, and holds every read to what it made. */
async function live(client: Client, name: string, ids: Map<string, string>): Promise<string> {
  const made: string[] = [];
  const first = await client.post('/candidates', { name, onetCode: '15-1252.00' });
  const { workspace } = first.body;
  made.unshift(first.body.candidate.id);
  const headers = { 'X-Workspace': workspace };
  for (let count = 0; count < operationsEach; count += 1) {
    const dice = Math.random();
    if (dice < 0.1) {
      const byTool = dice < 0.02;
      const body = { name, onetCode: '29-1141.00' };
      const envelope = byTool
        ? (await client.tool('createCandidate', { ...body, workspace })).structuredContent
        : (await client.post('/candidates', body, { ...headers, 'Idempotency-Key': `${count}` })).body;
      assert.is(envelope.workspace, workspace);
      made.unshift(envelope.candidate.id);
    } else if (dice < 0.5) {
      const path = dice < 0.3 ? '/candidates?limit=200' : '/candidates?limit=200&occupation=29';
      const { body } = await client.get(path, headers);
      const seen = own(body.candidates);
      assert.ok(
        seen.every((id) => made.includes(id)),
        `${name} sees what it did not make`,
      );
      if (dice < 0.3) assert.equal(seen, made.slice(0, seen.length));
    } else {
      const known = [...ids.entries()];
      const [id, owner] = known[Math.floor(Math.random() * known.length)] ?? [made[0]!, name];
      const answer = await client.get(`/candidates/${id}`, headers);
      assert.is(answer.status, owner === name ? 200 : 404, `${name} reads ${id} of ${owner}`);
    }
    for (const id of made) if (!ids.has(id)) ids.set(id, name);
  }
  return workspace;
}

test('two callers with hundreds of interleaved operations never meet', async () => {
  const ids = new Map<string, string>();
  const [one, two] = await Promise.all([live(client, 'One', ids), live(client, 'Two', ids)]);
  assert.is.not(one, two);
  assert.ok(ids.size > 20);
  const { body } = await client.get('/candidates');
  assert.equal(own(body.candidates), [], 'an anonymous caller sees the seed only');
});

/** What of an answer is the same for every caller. */
async function toBytes(origin: string, method: string, path: string, workspace: string): Promise<string> {
  const body = method === 'POST' ? '{"name":"Ann","onetCode":"15-1252.00"}' : undefined;
  const answer = await fetch(origin + path, { method, body, headers: { 'X-Workspace': workspace } });
  const headers = [...answer.headers].filter(([name]) => !/^(date|content-length|x-request-id)/.test(name));
  return `${answer.status} ${JSON.stringify(headers)} ${await answer.text()}`;
}

test('guessed, near-miss and expired ids get the identical 401; malformed ones, one that tells their shape alone', async () => {
  const server = await startServer({ RETENTION_SECONDS: '1', LOG: 'off' });
  const client = await connect(server.origin);
  const mint = async () =>
    (await client.post('/candidates', { name: 'Ann', onetCode: '15-1252.00' })).body.workspace as string;
  const expired = await mint();
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const alive = await mint();
  const last = alive.endsWith('0') ? '1' : '0';
  const wrong = [
    ...[expired, `${alive.slice(0, -1)}${last}`, `ws_${last}${alive.slice(4)}`, alive.slice(0, -1)],
    ...[`${alive}0`, alive.toUpperCase(), alive.slice(3), `${alive}, ${alive}`, unknownWorkspace],
    ...[toIdLike(randomBytes(20).toString('hex')), 'ws_', 'null', "' OR 1=1 --", '../../../etc/passwd'],
    ...['x'.repeat(5000), 'caf\u00e9', ''],
  ];
  /** One answer to every id of the right shape, and one to every other, which says no more than that. */
  function holdToTwo(answers: readonly string[], what: string): void {
    const isShaped = (id: string) => new RegExp(workspaceIdPattern).test(id);
    const reasons = [true, false].map((shaped) => {
      const same = new Set(answers.filter((_, index) => isShaped(wrong[index]!) === shaped));
      assert.is(same.size, 1, `${what}: ${[...same].join('\n')}`);
      return [...same][0]!;
    });
    const [one, two] = reasons.map((text) => text.replace(/"reason":"[^"]+"/, ''));
    assert.is(one, two, what);
  }
  const addresses: [string, string][] = [
    ['GET', '/candidates'],
    ['GET', '/placements?status=active'],
    ['GET', '/job-orders/job_nope'],
    ['POST', '/candidates'],
  ];
  for (const [method, path] of addresses) {
    const answers = await Promise.all(wrong.map((id) => toBytes(server.origin, method, path, id)));
    holdToTwo(answers, `${method} ${path}`);
    for (const answer of answers) {
      assert.match(answer, /^401 .*"code":"unknown_workspace"/);
      assert.match(answer, /Workspace realm=\\"sandbox\\".*A create without it mints a new workspace/);
      assert.not.match(answer, /"x-workspace"/);
    }
    assert.match(answers.at(-1)!, /not shaped like a workspace id, `ws_` and \d+ letters/);
  }
  const tools = await Promise.all(
    wrong.map(async (workspace) => {
      const { isError, structuredContent } = await client.tool('listCandidates', { workspace });
      return JSON.stringify([isError, structuredContent]);
    }),
  );
  holdToTwo(tools, 'over /mcp too');
  assert.is((await client.get('/candidates', { 'X-Workspace': await mint() })).status, 200);
  await server.stop();
});

test.run();
