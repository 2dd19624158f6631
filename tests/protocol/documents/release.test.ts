import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../support/http.ts';
import { useServer } from '../../support/server.ts';

test('the contract and /healthz name the newest release of the changelog', async () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', '..', 'CHANGELOG.md'), 'utf8');
  const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading!);
  // Only the first may be one that is not released yet.
  if (headings[0] === 'Unreleased') headings.shift();
  for (const one of headings) assert.match(one, /^\d{4}-\d{2}-\d{2}( \(v\d+\.\d+\.\d+\))?$/);
  const releases = headings.map((heading) => heading.slice(0, 10));
  assert.ok(releases.length >= 2);
  assert.equal(releases, releases.toSorted().toReversed());
  const client = await connect((await useServer()).origin);
  const { body: contract } = await client.get('/openapi.json');
  assert.is(contract.info.version, '0.1.0');
  assert.equal(contract.info['x-release'], releases[0]);
  assert.is((await client.get('/healthz')).body.release, releases[0]);
});

test.run();
