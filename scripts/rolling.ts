/**
 * Restarts two hosts in turn behind nginx and behind HAProxy, by the examples of scripts/deploy, under a stream of reads
 * and creates, and counts what callers lost: `node scripts/rolling.ts [--rounds 10]`. Needs a build.
 */
import { parseArgs } from 'node:util';
import { type ProxyName, roll } from '../tests/support/rolling.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' } } });
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number from 1');
process.setMaxListeners(0);

for (const name of ['nginx', 'haproxy'] satisfies ProxyName[]) {
  const { gets, posts, restarts, failed, lost } = await roll(name, rounds);
  console.log(
    `${name}: ${restarts} restarts, ${gets} reads, ${posts} creates, ${failed.length} failed, ${lost} lost`,
  );
  for (const told of failed.slice(0, 10)) console.log(`  ${told}`);
  if (failed.length + lost > 0) process.exitCode = 1;
}
