/**
 * `npm run failover [PART-OF-A-NAME]`: kills, stops, promotes and moves servers of Redis under creates, and tells what
 * became of those that were acknowledged. Needs redis-server and redis-cli, or what REDIS_SERVER names.
 */
import { cases } from '../tests/support/failover-cases.ts';

const [part = ''] = process.argv.slice(2);
const longestMs = 5000;
let failed = 0;
for (const [name, run] of Object.entries(cases)) {
  if (!name.includes(part)) continue;
  const told = await run();
  const isGood = told.lost === 0 && told.doubled === 0 && told.backMs <= longestMs;
  if (!isGood) failed += 1;
  console.log(`${isGood ? 'good' : 'BAD '} ${name}: ${JSON.stringify(told)}`);
}
process.exit(failed === 0 ? 0 : 1);
