import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toRefereeFile } from '../../../scripts/referees/install.ts';
import { makeFolder, startFor } from '../../support/server.ts';

const conformance = suite('the official conformance suite');
const root = join(import.meta.dirname, '..', '..', '..');
const program = toRefereeFile('@modelcontextprotocol/conformance/dist/index.js');
const server = await startFor(conformance);

const baselineOf = (revision: string) => join(root, 'tests/protocol/conformance', `baseline.${revision}.yml`);

function runSuite(revision: string): Promise<{ code: number | null; output: string }> {
  const url = `http://127.0.0.1:${server.port}/mcp`;
  const options = ['--url', url, '--requirements', revision, '--expected-failures', baselineOf(revision)];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, 'server', ...options], { cwd: makeFolder() });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => resolve({ code, output }));
  });
}

for (const revision of ['2026-07-28', '2025-11-25']) {
  conformance(`${revision}: exactly the entries of the baseline fail`, async () => {
    const { code, output } = await runSuite(revision);
    assert.is(code, 0, output.slice(output.indexOf('=== SUMMARY')));
    assert.match(output, `Running requirements ${revision} `);
    assert.match(output, 'Baseline check passed');
  });

  conformance(`${revision}: every entry of the baseline has a reason`, () => {
    const lines = readFileSync(baselineOf(revision), 'utf8').split('\n');
    const entries = lines.filter((line) => /^\s+- /.test(line));
    assert.ok(entries.length > 0);
    assert.equal(
      entries.filter((line) => !/^\s+- [\w:-]+\s+# \S/.test(line)),
      [],
    );
  });
}

conformance.run();
