import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
const bench = suite('the benchmark');

bench('runs, beside peers that answer the same', async () => {
  const only = ['own list', 'batch 8'].flatMap((name) => ['--only', name]);
  const args = ['scripts/bench.ts', ...only, '--rounds', '1', '--seconds', '1'];
  const { stdout } = await run(process.execPath, args, { cwd: root });
  for (const row of [/in a workspace of 20 .*from a Map/, /by record, 8 connections .*by HTTP/])
    assert.match(stdout, row);
});

bench('refuses an unknown case and lists the cases', async () => {
  const refused = await run(process.execPath, ['scripts/bench.ts', '--only', 'nothing'], { cwd: root }).catch(
    ({ stderr }) => stderr,
  );
  assert.match(
    refused,
    /No case is called nothing\. There are: build, bundle, start, memory, mix, peer, plan, pricing/,
  );
});

bench.run();
