/**
 * Fills a store and measures creates and reads by the core over it at two sizes: `node scripts/growth.ts [--small 1000]
 * [--large 1000000] [--folder FOLDER]`. Prints both rates at each, their ratio, and the memory of the process.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openSqliteStore } from '../src/stores/sqlite.ts';
import { toCore } from '../tests/support/fuzz/senders.ts';

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '1000' },
    large: { type: 'string', default: '1000000' },
    folder: { type: 'string', default: tmpdir() },
  },
});
const folder = mkdtempSync(join(values.folder, 'growth-'));
const path = join(folder, 'workspaces.sqlite');
const store = openSqliteStore(path);
const day = 86_400_000;
const together = 64;
const seconds = 5;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const toId = (number: number) => `ws_${sha256(`workspace ${number}`).slice(0, 32)}`;
const body = JSON.stringify({ name: 'Ann Sample', onetCode: '15-1252.00', skills: ['SQL', 'Go'] });
const send = toCore(store);
let size = 0;

/** Puts workspaces of one record into the store, without the core around it. */
function fill(count: number): Promise<unknown> {
  const now = Date.now();
  const additions = Array.from({ length: count }, () => {
    const fact = { id: `cand_${size}`, ...JSON.parse(body) };
    const place = { workspace: sha256(toId(size++)), mint: true, ceiling: 1000 };
    return store.add({ ...place, record: { kind: 'candidate', fact }, now, expiresAt: now + day });
  });
  return Promise.all(additions);
}

/** How many of `run` are done in a second by `together` callers, each waiting for its answer. */
async function measure(run: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  let count = 0;
  const caller = async () => {
    for (; performance.now() - from < seconds * 1000; count += 1) await run();
  };
  await Promise.all(Array.from({ length: together }, caller));
  return (count / (performance.now() - from)) * 1000;
}

async function create(): Promise<void> {
  const { status } = await send('POST', '/candidates', {}, body);
  if (status !== 201) throw new Error(`a create was answered ${status}`);
}

async function read(): Promise<void> {
  const headers = { 'X-Workspace': toId(Math.floor(Math.random() * size)) };
  const { status } = await send('GET', '/candidates?limit=1', headers, undefined);
  if (status !== 200) throw new Error(`a read was answered ${status}`);
}

async function measureAt(wanted: number) {
  while (size < wanted) await fill(Math.min(1000, wanted - size));
  const reads = await measure(read);
  const creates = await measure(create);
  const memory = Math.round(process.memoryUsage.rss() / 1e6);
  const file = Math.round(statSync(path).size / 1e6);
  const told = [creates, reads].map((rate) => Math.round(rate).toLocaleString('en'));
  console.log(
    `at ${wanted.toLocaleString('en')}: ${told[0]} creates/s, ${told[1]} reads/s, ${memory} MB resident, ${file} MB file`,
  );
  return { creates, reads };
}

const small = await measureAt(Number(values.small));
const large = await measureAt(Number(values.large));
const ratio = (of: 'creates' | 'reads') => (small[of] / large[of]).toFixed(2);
console.log(`small over large: creates ${ratio('creates')}, reads ${ratio('reads')}`);
await store.close();
rmSync(folder, { recursive: true });
