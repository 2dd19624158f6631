import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useServer } from '../../support/server.ts';
import { mostRows, runInVerifier } from '../../support/verifier.ts';
import { openWire } from '../../support/visit.ts';

const budget = suite('the declarative suite in the runner that it names');
const { origin, port } = await useServer();
const { discovery, requests, rows } = await runInVerifier(openWire(origin, port), '/verify/suite.json');

budget('passes in each row', () => {
  const failed = rows.filter(([, problem]) => problem !== undefined);
  assert.equal(failed, []);
});

budget('has no more rows than the runner takes', () => {
  console.log(`figure: suite rows ${rows.length}`);
  assert.ok(rows.length > 0);
  assert.ok(rows.length <= mostRows, String(rows.length));
});

// The runner may look at more of a service than it does today.
budget('leaves the runner a reserve of its requests', () => {
  console.log(`figure: suite requests ${requests}, ${discovery} of them before the first row`);
  assert.ok(requests <= 50, String(requests));
});

budget.run();
