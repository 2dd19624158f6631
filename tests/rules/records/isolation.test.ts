import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { workspaceIdPattern } from '../../../src/records/account/workspace.ts';
import { connect, toIdLike, unknownWorkspace } from '../../support/http.ts';
import { openFor } from '../../support/open-host.ts';

const test = suite('isolation');

/** Returns the part of an answer that is the same for every caller. */
async function toBytes(origin: string, method: string, path: string, workspace: string): Promise<string> {
  const body = method === 'POST' ? '{"name":"Ann","onetCode":"15-1252.00"}' : undefined;
  const answer = await fetch(origin + path, { method, body, headers: { 'X-Workspace': workspace } });
  const headers = [...answer.headers].filter(([name]) => !/^(date|content-length|x-request-id)/.test(name));
  return `${answer.status} ${JSON.stringify(headers)} ${await answer.text()}`;
}

test('guessed, similar and expired ids get the identical 401, and malformed ones a 401 about their shape', async () => {
  const server = await openFor(test, { RETENTION_SECONDS: '1', LOG: 'off' });
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
  /** Asserts one answer to all ids of the right shape, and one to all others, which names the shape alone. */
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
  assert.is((await client.get('/candidates', { 'X-Workspace': await mint() })).status, 200);
});

test.run();
