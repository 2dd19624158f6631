import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { dayFromNow } from '../../support/sandbox.ts';
import { useServer } from '../../support/server.ts';

const started = suite('the guide to getting started');
const run = promisify(execFile);
const { origin } = await useServer();
const file = join(import.meta.dirname, '..', '..', '..', 'content', 'guides', 'getting-started.md');
const text = readFileSync(file, 'utf8');
const blocks = [...text.matchAll(/```(sh|json)\n(.*?)```/gs)].map(([, kind, code]) => ({
  kind,
  code: code!,
}));

/** Stores the values of an answer under the names that the guide uses in later calls. */
function learn(known: Record<string, string>, body: Body, etag?: string): void {
  const { workspace, placement, shortlist, confirmation, tag } = body;
  Object.assign(known, {
    ...(typeof workspace === 'string' && { WORKSPACE: workspace }),
    ...(placement?.id && { PLACEMENT: placement.id }),
    ...(shortlist?.token && { SHORTLIST: shortlist.token }),
    ...(confirmation?.token && { CONFIRMATION: confirmation.token }),
    ...(tag && { TAG: tag }),
    ...(shortlist?.placements && { TAG: shortlist.placements[0].tag }),
    ...(etag && { ETAG: etag }),
  });
}

const fill = (known: Record<string, string>, code: string) =>
  code.replace(/\b(ORIGIN|DAY|WORKSPACE|PLACEMENT|SHORTLIST|CONFIRMATION|TAG|ETAG)\b/g, (name) => {
    assert.ok(known[name], `an earlier answer has ${name}`);
    return known[name]!;
  });

const toKnown = (): Record<string, string> => ({ ORIGIN: origin, DAY: dayFromNow(0) });

/** Asserts that the result is what the guide promises. */
async function judge(workspace: string): Promise<void> {
  const headers = { 'X-Workspace': workspace };
  const { placement } = await (await fetch(`${origin}/placements/%23ann-icu`, { headers })).json();
  const moves = placement.transitions.map(({ to, by }: Body) => `${to} ${by}`);
  assert.equal(moves, ['interviewing shortlist', 'scheduled undefined', 'ended-early undefined']);
  assert.is(placement.outcome.result, 'retained');
  assert.is(placement.outcome.validated, true);
}

async function curl(call: string): Promise<Body> {
  const { stdout } = await run('sh', ['-c', call.replace('curl', 'curl --silent')]);
  const { head = '', json } = /^(?<head>HTTP.*?\r\n\r\n)?(?<json>.*)$/s.exec(stdout)!.groups!;
  const body = JSON.parse(json!);
  assert.is(body.type, 'OK', `${call}\n${stdout}`);
  const [, etag] = /^etag: (.*)\r$/im.exec(head) ?? [];
  return { ...body, etag };
}

const calls = (code: string) => code.match(/^curl (?:[^'\n]|'[^']*')+/gm) ?? [];

started('each step works over HTTP', async () => {
  const known = toKnown();
  const all = blocks.filter(({ kind }) => kind === 'sh').flatMap(({ code }) => calls(code));
  assert.is(all.length, 17);
  for (const call of all) {
    const body = await curl(fill(known, call));
    learn(known, body, body.etag);
    if (body.matches) {
      assert.is(body.matches[0].meets, true);
      assert.is(body.matches[0].candidate.ref, 'ann');
    }
  }
  await judge(known.WORKSPACE!);
});

started('each step for agents works over MCP', async () => {
  const known = toKnown();
  const people = blocks
    .filter(({ code }) => calls(code)[0]?.includes('X-Shortlist'))
    .flatMap(({ code }) => calls(code));
  const names: string[] = [];
  for (const { kind, code } of blocks) {
    if (people.includes(calls(code)[0]!)) {
      for (const call of people) learn(known, await curl(fill(known, call)));
    }
    if (kind !== 'json') continue;
    const { name, arguments: given } = JSON.parse(
      fill({ ...known, ...(known.ETAG && { ETAG: JSON.stringify(known.ETAG).slice(1, -1) }) }, code),
    );
    names.push(name);
    const body = await tool(name, given);
    assert.is(body.type, 'OK', `${name} ${JSON.stringify(body)}`);
    learn(known, body, name === 'getPlacement' ? body.tag : undefined);
  }
  assert.is(names.length, 15);
  await judge(known.WORKSPACE!);
});

async function tool(name: string, args: object): Promise<Body> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${origin}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) });
  return (await response.json()).result.structuredContent;
}

started.run();
