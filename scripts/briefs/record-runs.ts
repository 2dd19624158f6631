/**
 * Records the runs that the pages of the graded briefs show. Run it after a change of a brief. With `--runs` it records
 * only those of the solutions: a build needs them, and the rest needs a build.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { recordRuns, runExampleAgent, runSolutions } from '../../tests/support/brief-runs.ts';
import { withServer } from '../../tests/support/server.ts';

const path = 'content/brief-runs.json';
const write = (name: string, content: object) => writeFileSync(name, `${JSON.stringify(content, null, 1)}\n`);

const runs = await recordRuns();
if (process.argv.includes('--runs')) {
  const { passedByExampleAgent } = JSON.parse(readFileSync(path, 'utf8'));
  write(path, { runs, passedByExampleAgent });
} else
  await withServer({ RATE_LIMIT: 'off', LOG: 'off' }, async ({ origin }) => {
    const { passed, result } = await runExampleAgent(origin);
    mkdirSync('content/brief-results', { recursive: true });
    write('content/brief-results/greedy.json', result);
    write('content/brief-results/careful.json', await runSolutions());
    write(path, { runs, passedByExampleAgent: passed });
  });
