import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodeUsed } from '../../../src/stores/encode-head.ts';
import { openSqlite, toCreate } from '../../support/changes.ts';
import { inside } from '../../support/doors.ts';
import { connect } from '../../support/http.ts';
import { toCounts } from '../../support/metered.ts';
import { toBody } from '../../support/sandbox.ts';
import { makeFolder, startServer } from '../../support/server.ts';

const test = suite('the meter in SQLite');
const charge = { period: '2026-11', calls: { getCandidate: 1 } };
const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns what the one workspace in a file was charged, and how many records it holds. */
function readFile(dataDir: string): { used: Readonly<Record<string, number>>; records: number } {
  const database = new DatabaseSync(join(dataDir, 'workspaces.sqlite'), { readOnly: true });
  const { used } = database.prepare("SELECT used FROM workspaces WHERE version <> 'check'").get() as {
    used: string;
  };
  const { records } = database
    .prepare("SELECT count(*) AS records FROM records WHERE kind <> 'check'")
    .get() as { records: number };
  database.close();
  return { used: decodeUsed(used).calls, records };
}

test('is exact after a drain, with reads and writes at the same time', async () => {
  const server = await startServer({ RATE_LIMIT: 'off', LOG: 'off' });
  const client = await connect(server.origin);
  const { body } = await client.post('/candidates', toBody.candidate());
  const mine = inside(body.workspace);
  const path = `/candidates/${body.candidate.id}`;
  const calls = Array.from({ length: 400 }, (_, index) =>
    index % 8 ? client.get(path, mine) : client.post('/candidates', toBody.candidate(), mine),
  );
  for (const { status } of await Promise.all(calls)) assert.ok(status < 300);
  const expected = { createCandidate: 51, getCandidate: 350 };
  const { usage } = (await client.get('/workspace', mine)).body.workspace;
  assert.equal(toCounts(usage), expected);
  assert.is(await server.stop(), 0);
  assert.equal(readFile(server.dataDir).used, expected);
  const again = await startServer({ DATA_DIR: server.dataDir });
  const later = await (await connect(again.origin)).get('/workspace', mine);
  assert.equal(toCounts(later.body.workspace.usage), expected);
  await again.stop();
});

test('charges of reads are on disk within a second, without a write', async () => {
  const folder = makeFolder();
  const tested = openSqlite(join(folder, 'workspaces.sqlite'));
  const { store } = tested;
  const change = toCreate();
  await tested.change(change);
  for (let count = 0; count < 5; count += 1) assert.ok(await tested.charge(change.hash, charge));
  const before = store.stats().commits;
  await rest(1300);
  assert.equal(readFile(folder).used, { getCandidate: 5 });
  assert.ok(await tested.charge(change.hash, charge));
  assert.is(store.stats().commits, before, 'reads make no commits');
  assert.equal((await tested.open(change.hash))?.used.calls, { getCandidate: 6 });
  await store.close();
  assert.equal(readFile(folder).used, { getCandidate: 6 });
});

test('killed under load, it never counts what was neither stored nor answered', async () => {
  for (let round = 0; round < 3; round += 1) {
    const server = await startServer({ RATE_LIMIT: 'off', LOG: 'off', RECORD_CEILING: '20000' });
    const ask = (method: string, path: string, headers: object, sent?: object) =>
      fetch(server.origin + path, {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(sent && { body: JSON.stringify(sent) }),
      });
    const made = await (await ask('POST', '/candidates', {}, toBody.candidate())).json();
    const mine = inside((made as { workspace: string }).workspace);
    const path = `/candidates/${(made as { candidate: { id: string } }).candidate.id}`;
    const heard = { reads: 0, creates: 1 };
    const callers = Array.from({ length: 24 }, async (_, index) => {
      try {
        for (;;) {
          const isRead = index % 4 > 0;
          const { status } = isRead
            ? await ask('GET', path, mine)
            : await ask('POST', '/candidates', mine, toBody.candidate());
          if (status < 300) heard[isRead ? 'reads' : 'creates'] += 1;
        }
      } catch {}
    });
    await rest(1200 + round * 300);
    server.process.kill('SIGKILL');
    await Promise.all(callers);
    const { used, records } = readFile(server.dataDir);
    const told = JSON.stringify({ used, records, heard });
    assert.is(used.createCandidate, records, `a create is counted with its record: ${told}`);
    assert.ok(records >= heard.creates, told);
    assert.ok((used.getCandidate ?? 0) <= heard.reads, `only answered reads are counted: ${told}`);
    assert.ok((used.getCandidate ?? 0) > 0, `reads are written while it runs: ${told}`);
    const again = await startServer({ DATA_DIR: server.dataDir });
    assert.is(await again.stop(), 0);
    assert.equal(readFile(server.dataDir).used, used);
  }
});

test.run();
