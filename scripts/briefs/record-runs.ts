/** Records the runs that the pages of the graded briefs show. Needs a build, and is run after a change of a brief. */
import { writeFileSync } from 'node:fs';
import { recordRuns, runExampleAgent } from '../../tests/support/brief-runs.ts';
import { withServer } from '../../tests/support/server.ts';

const runs = await recordRuns();
await withServer({ RATE_LIMIT: 'off', LOG: 'off' }, async ({ origin }) => {
  const recorded = { runs, passedByExampleAgent: await runExampleAgent(origin) };
  writeFileSync('content/brief-runs.json', `${JSON.stringify(recorded, null, 1)}\n`);
});
