import * as assert from 'uvu/assert';
import type { Body } from './http.ts';
import { toCounts } from './metered.ts';
import { type RunningServer, startServer } from './server.ts';
import { send } from './wire.ts';

/** Calls that run at once. */
const atOnce = 48;
const candidate = { name: 'Ann Sample', onetCode: '15-1252.00' };
/** Calls to one workspace: enough to reach the ceiling from any start. */
const callsEach = 3000;

async function ask(origin: string, method: string, path: string, headers: object, sent?: object) {
  const body = sent && JSON.stringify(sent);
  const reply = await send(origin, path, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body && { body }),
  });
  return { status: reply.status, body: JSON.parse(reply.bytes.toString()) as Body };
}

/** The result of a race. */
interface Race {
  calls: number;
  charged: number;
  refused: number;
  /** Reads of the meter above the authorised amount. */
  above: number;
  readings: number;
}

/**
 * Sends metered calls in one workspace to several hosts at once, and checks its meter against the answers.
 */
async function raceOne(hosts: readonly RunningServer[], count: number, race: Race): Promise<void> {
  const origin = (index: number) => hosts[index % hosts.length]!.origin;
  const batch = (size: number) => ({ candidates: Array.from({ length: size }, () => candidate) });
  const made = await ask(origin(0), 'POST', '/batch', {}, batch(200));
  assert.is(made.status, 201, JSON.stringify(made.body));
  const { workspace, candidates } = made.body;
  const mine = { 'X-Workspace': workspace };
  for (let index = 0; index < 4; index += 1)
    assert.is((await ask(origin(index), 'POST', '/batch', mine, batch(200))).status, 201);
  const answered: Record<string, number> = { createCandidate: 1000 };
  const add = (operation: string, calls: number) => {
    answered[operation] = (answered[operation] ?? 0) + calls;
    race.charged += calls;
  };
  const path = `/candidates/${candidates[0].id}`;

  async function call(index: number): Promise<void> {
    const at = origin(index);
    const which = index % 10;
    race.calls += 1;
    if (which === 9) {
      const params = { name: 'getCandidate', arguments: { id: candidates[0].id, workspace } };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const { body } = await ask(at, 'POST', '/mcp', {}, message);
      const { isError, structuredContent } = body.result;
      if (!isError) add('getCandidate', 1);
      else assert.is(structuredContent.id, 'offer-meter-ceiling');
      race.refused += isError ? 1 : 0;
      return;
    }
    const size = which === 8 ? 7 : 1;
    const [target, sent] = which === 8 ? ['/batch', batch(size)] : ['/candidates', candidate];
    const { status, body } =
      which < 6
        ? await ask(at, 'GET', path, mine)
        : await ask(at, 'POST', target as string, mine, sent as object);
    if (status < 300) add(which < 6 ? 'getCandidate' : 'createCandidate', size);
    else {
      assert.is(status, 402, JSON.stringify(body));
      assert.is(body.id, 'offer-meter-ceiling', JSON.stringify(body));
      race.refused += 1;
    }
  }

  const usage = async (index: number) =>
    (await ask(origin(index), 'GET', '/workspace', mine)).body.workspace.usage;
  let [next, isOver] = [0, false];
  const callers = Array.from({ length: atOnce }, async () => {
    while (next < count) {
      next += 1;
      await call(next);
    }
  });
  const watcher = (async () => {
    for (let index = 0; !isOver; index += 1) {
      const { total, authorised } = await usage(index);
      race.readings += 1;
      race.above += total > authorised ? 1 : 0;
    }
  })();
  await Promise.all(callers);
  isOver = true;
  await watcher;
  while ((await ask(origin(1), 'GET', path, mine)).status === 200) add('getCandidate', 1);
  for (const index of hosts.keys()) {
    const last = await usage(index);
    assert.equal(toCounts(last), answered, 'the meter counts what was answered');
    assert.ok(last.remaining >= 0 && last.remaining < 0.002, `${last.remaining} is left`);
    assert.ok(last.total <= last.authorised, `${last.total} of ${last.authorised}`);
  }
  assert.is((await ask(origin(0), 'GET', '/candidates', mine)).status, 200);
}

/** Sends this many metered calls, in one workspace after the other, to two hosts with one store. */
export async function raceMeter(calls: number, env: Record<string, string>): Promise<Race> {
  const settings = { LOG: 'off', RATE_LIMIT: 'off', RECORD_CEILING: '20000', ...env };
  const hosts = await Promise.all([startServer(settings), startServer(settings)]);
  const race: Race = { calls: 0, charged: 0, refused: 0, above: 0, readings: 0 };
  try {
    while (race.calls < calls) await raceOne(hosts, Math.min(callsEach, calls - race.calls), race);
  } finally {
    await Promise.all(hosts.map((host) => host.stop()));
  }
  assert.is(race.above, 0, 'reads above the authorised amount');
  return race;
}
