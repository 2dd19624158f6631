import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { BriefResult } from '../../../src/briefs/brief-result.ts';
import { solutions } from '../../support/brief-solutions.ts';
import { listWrongGrades } from '../../support/brief-variants.ts';
import { makeFolder, startFor } from '../../support/server.ts';

const briefs = suite('graded briefs in several variants');
const server = await startFor(briefs, { RATE_LIMIT: 'off', LOG: 'off' });

/** `npm run soak -- briefs` takes all from 0 to 99. */
const sampledVariants = [1, 29, 64, 98];

for (const id of Object.keys(solutions))
  for (const variant of sampledVariants)
    briefs(`${id}: good ways pass and a careless agent fails in variant ${variant}`, async () => {
      assert.equal(await listWrongGrades(id, variant), []);
    });

briefs('the runner gives an agent the task, counts its calls, grades it and sums up', async () => {
  const args = ['scripts/briefs.ts', server.origin, '--brief', 'three-openings', '--brief', 'must-haves'];
  const agent = `${process.execPath} scripts/briefs/example-agent.ts`;
  const run = promisify(execFile);
  const out = join(makeFolder(), 'result.json');
  const options = ['--agent', agent, '--times', '2', '--out', out, '--name', 'Example', '--json'];
  const { stdout } = await run(process.execPath, [...args, ...options]);
  const { results, times, passPowK, levels } = JSON.parse(stdout);
  assert.is(results.length, 4);
  assert.is(times, 2);
  for (const { calls, passed, failed, seconds } of results) {
    assert.ok(calls >= 1, 'its calls are counted');
    assert.is(failed.length > 0, !passed);
    assert.type(seconds, 'number');
  }
  // The example agent does not read the brief: it proposes whenever a placement is asked for.
  assert.is(passPowK, 0);
  assert.equal(
    levels.map(({ level, briefs: count }: { level: number; briefs: number }) => [level, count]),
    [
      [1, 1],
      [2, 1],
    ],
  );
  const result = v.parse(BriefResult, JSON.parse(readFileSync(out, 'utf8')));
  assert.is(result.name, 'Example');
  assert.is(result.kind, 'agent');
});

briefs.run();
