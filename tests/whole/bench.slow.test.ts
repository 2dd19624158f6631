import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Report, withGoals } from '../../scripts/bench/report.ts';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
const bench = suite('the bench');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const page = read('scripts/bench/RESULTS.md');

const report: Report = {
  machine: 'One of many, 2 cores; commit abcdef0, 2026-01-02',
  rounds: 5,
  seconds: 2,
  goals: [{ what: 'server bundle', unit: 'MB', atMost: 1.5, reached: { median: 1, min: 1, max: 1 } }],
  rates: [],
};

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

bench('a name that no case has is refused with those there are', async () => {
  const refused = await run(process.execPath, ['scripts/bench.ts', '--only', 'nothing'], { cwd: root }).catch(
    ({ stderr }) => stderr,
  );
  assert.match(refused, /No case is called nothing\. There are: build, bundle, start, memory, pricing/);
});

bench.run();
