/**
 * Measures the service beside the limit and its peers: `npm run bench -- [--quick] [--only NAME]
 * [--rounds 5] [--seconds 2] [--requests 200000]`. NAME is a part of the name of a case, or start,
 * bundle, build or memory. A whole run writes scripts/bench/results.json and the table in RESULTS.md;
 * with --only nothing is written.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Case } from './bench/cases.ts';
import { toCases } from './bench/cases.ts';
import { startOurs, writeFacts } from './bench/field.ts';
import { measureMemory } from './bench/memory.ts';
import { root } from './bench/processes.ts';
import { type Report, toMachine, toReportText, withGoals } from './bench/report.ts';
import { measure } from './bench/rounds.ts';
import { measureBuild, measureBundle, measureFirstSearch, measureStart } from './bench/single.ts';
import { get, headerOf, send } from './bench/wire.ts';
import { installReferees } from './referees/install.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    requests: { type: 'string' },
  },
});

function toCount(name: 'rounds' | 'seconds' | 'requests', fallback: number): number {
  const count = Number(values[name] ?? fallback);
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${name} must be a whole number from 1`);
  return count;
}

const rounds = toCount('rounds', values.quick ? 3 : 5);
const seconds = toCount('seconds', values.quick ? 1 : 2);
const requests = toCount('requests', values.quick ? 50_000 : 200_000);
const isWanted = (name: string) => !values.only || values.only.some((part) => name.includes(part));

function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
  else process.stderr.write(`${line}\n`);
}

/** On a disk, because a flush to memory costs nothing. */
const shelf = join(root, 'node_modules/.cache');
mkdirSync(shelf, { recursive: true });
const folder = mkdtempSync(join(shelf, 'bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));
/** Every server adds one, so that none outlives the bench. */
process.setMaxListeners(0);

/** What our server is asked before anything is measured: the file of facts for the peers, and the cases. */
async function prepare(): Promise<{ facts: string; cases: Case[] }> {
  const server = await startOurs(folder);
  const facts = await writeFacts(server.port, folder);
  const etag = headerOf(await send(server.port, get('/pricing')), 'etag');
  await server.stop();
  return { facts, cases: toCases(etag!).filter(({ name }) => isWanted(name)) };
}

const report: Report = { machine: toMachine(), rounds, seconds, results: [] };
if (isWanted('build') || !existsSync(join(root, 'dist/host/main.mjs'))) {
  progress('Build');
  report.build = await measureBuild();
}
if (isWanted('bundle')) report.bundle = measureBundle();
if (isWanted('start')) {
  progress('Start to first answer');
  report.start = await measureStart(rounds * 2, folder);
  report.firstSearch = await measureFirstSearch(rounds * 2, folder);
}

installReferees();
const { facts, cases } = await prepare();
const settings = { rounds, seconds, warmUp: 1, folder, facts };
for (const one of cases) {
  report.results.push(await measure(one, settings, progress));
}
if (isWanted('memory')) report.memory = await measureMemory(requests, folder, progress);

progress('');
console.log(toReportText(report));
if (!values.only) {
  const into = join(root, 'scripts/bench');
  writeFileSync(join(into, 'results.json'), `${JSON.stringify(report, null, 1)}\n`);
  const page = join(into, 'RESULTS.md');
  writeFileSync(page, withGoals(readFileSync(page, 'utf8'), report));
  console.log('\nWritten to results.json and RESULTS.md in scripts/bench');
}
process.exit();
