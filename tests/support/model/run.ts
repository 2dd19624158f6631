import * as fc from 'fast-check';
import type { Store } from '../../../src/records/store.ts';
import { check } from './check.ts';
import { allCommands } from './commands.ts';
import { toSubject } from './subject.ts';
import { isAlive, readSeed, type World } from './world.ts';

/** Changes in one sequence at most. */
const mostCommands = 30;

/**
 * Runs random sequences of calls against the service over a store, and holds every reply, and after each change the
 * whole workspace, to a plain model of it. Throws at the first that differs, with the seed and path that show it
 * again. Answers how often each change came to each status.
 */
export async function runModel(store: Store, sequences: number, seed: number): Promise<World['tally']> {
  const subject = await toSubject(store);
  const shared = { subject, seed: await readSeed(subject), tally: {} };
  let number = 0;
  const property = fc.asyncProperty(
    fc.commands(allCommands, { maxCommands: mostCommands, size: 'max' }),
    async (commands) => {
      number += 1;
      subject.clock.now = Date.now();
      const world: World = {
        ...shared,
        name: `a-sequence-${seed}-${number}`,
        spaces: [],
        keyless: new Map(),
        gone: [],
        links: [],
        sent: [],
        lists: new Map(),
      };
      await fc.asyncModelRun(() => ({ model: world, real: undefined }), commands);
      for (const space of world.spaces) if (isAlive(world, space)) await check(world, space, false);
    },
  );
  await fc.assert(property, { numRuns: sequences, seed, includeErrorInReport: true });
  return shared.tally;
}
