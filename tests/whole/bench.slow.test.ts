import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Machine, Report } from '../../scripts/bench/report.ts';
import { withGoals } from '../../scripts/bench/report.ts';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
const bench = suite('the bench');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const page = read('scripts/bench/RESULTS.md');

const machine: Machine = {
  cpu: 'One of many',
  cores: 2,
  memoryGb: 8,
  system: 'Linux',
  node: 'v26.0.0',
  load: 'wrk',
  nginx: true,
  commit: 'abcdef0',
  date: '2026-01-02',
  busy: 0,
};
const report: Report = { machine, rounds: 5, seconds: 2, results: [], bundle: { main: 1, all: 900_000 } };

bench('a run writes its goals in the place of those before it, and nothing else', () => {
  const written = withGoals(page, report);
  assert.match(written, /commit abcdef0, 2026-01-02\n5 interleaved rounds of 2 s/);
  assert.match(written, /\| server bundle +\| <= 1\.5 MB/);
  assert.not.match(written, /These figures were taken before/);
  const [before] = page.split('<!--') as [string];
  const after = page.slice(page.lastIndexOf('-->'));
  assert.ok(written.startsWith(before) && written.endsWith(after), 'what stands around them stays');
  assert.is(withGoals(written, report), written);
});

bench('the table of goals stands in one place', () => {
  assert.throws(() => withGoals(read('README.md'), report), /no place/);
  for (const file of ['README.md', 'content/guides/speed.md']) {
    assert.not.match(read(file), /\| *goal *\|/, file);
  }
  assert.match(read('.gitignore'), /^scripts\/bench\/results\.json$/m);
});

bench('runs, beside peers that answer the same', async () => {
  const only = ['own list', 'asked often', 'batch'].flatMap((name) => ['--only', name]);
  const args = ['scripts/bench.ts', ...only, '--rounds', '1', '--seconds', '1'];
  const { stdout } = await run(process.execPath, args, { cwd: root });
  for (const row of [
    /in a workspace of 20 .*from a Map/,
    /asked most .*a constant/,
    /asked most .*a constant, with our log/,
    /by record, 8 connections .*by HTTP/,
  ])
    assert.match(stdout, row);
});

bench.run();
