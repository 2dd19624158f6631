/** Records the runs that the pages of the graded briefs show. Needs a build, and is run after a change of a brief. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { recordRuns, runExampleAgent, runSolutions } from '../../tests/support/brief-runs.ts';
import { withServer } from '../../tests/support/server.ts';

const runs = await recordRuns();
await withServer({ RATE_LIMIT: 'off', LOG: 'off' }, async ({ origin }) => {
  const { passed, result } = await runExampleAgent(origin);
  const recorded = { runs, passedByExampleAgent: passed };
  mkdirSync('content/brief-results', { recursive: true });
  const write = (name: string, content: object) =>
    writeFileSync(`content/brief-results/${name}.json`, `${JSON.stringify(content, null, 1)}\n`);
  write('greedy', result);
  write('careful', await runSolutions());
  writeFileSync('content/brief-runs.json', `${JSON.stringify(recorded, null, 1)}\n`);
});
