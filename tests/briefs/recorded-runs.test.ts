import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recordRuns } from '../support/brief-runs.ts';

const recorded = suite('the recorded runs of the briefs');
const { runs } = JSON.parse(readFileSync('content/brief-runs.json', 'utf8'));

recorded('are what the solutions do today; scripts/briefs/record-runs.ts records them again', async () => {
  assert.equal(runs, await recordRuns());
});

recorded('pass every check', () => {
  for (const [id, { passed, checks }] of Object.entries<{ passed: boolean; checks: { passed: boolean }[] }>(
    runs,
  )) {
    assert.ok(passed, id);
    assert.ok(
      checks.every((check) => check.passed),
      id,
    );
  }
});

recorded.run();
