import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../support/http.ts';
import { useServer } from '../support/server.ts';

test('the contract and /healthz name the newest release of the changelog', async () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'CHANGELOG.md'), 'utf8');
  const releases = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading!);
  assert.ok(releases.length >= 2);
  for (const one of releases) assert.match(one, /^\d{4}-\d{2}-\d{2}$/);
  assert.equal(releases, releases.toSorted().toReversed());
  const client = await connect((await useServer()).origin);
  const { body: contract } = await client.get('/openapi.json');
  assert.is(contract.info.version, '0.1.0');
  assert.equal(contract.info['x-release'], releases[0]);
  assert.is((await client.get('/healthz')).body.release, releases[0]);
});

test.run();
