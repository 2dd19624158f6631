import { suite } from 'uvu';
import type { Store } from '../../src/workspace/store.ts';
import { TestedStore } from './changes.ts';
import { testActivity } from './store-activity.ts';
import { testCeilings } from './store-ceilings.ts';
import { testCharges } from './store-charges.ts';
import { testDecisions } from './store-decisions.ts';
import { testKeys } from './store-keys.ts';
import { testRecords } from './store-records.ts';
import { testTokens } from './store-tokens.ts';
import { testWholes } from './store-wholes.ts';

/** Two instances over one store. They are the same instance if the store is not shared. */
export interface Instances {
  first: TestedStore;
  other: TestedStore;
}

/**
 * Tests what src/workspace/store.ts promises. `open` opens the store. If the store is shared, each call of `open`
 * opens another instance over the same data.
 */
export function testStore(name: string, open: () => Store | Promise<Store>, { shared = false } = {}): void {
  const test = suite<Instances>(name);

  test.before(async (context) => {
    context.first = new TestedStore(await open());
    context.other = shared ? new TestedStore(await open()) : context.first;
  });
  test.after(async ({ first, other }) => {
    await first.close();
    if (other !== first) await other.close();
  });

  testRecords(test);
  testCeilings(test);
  testDecisions(test);
  testWholes(test);
  testKeys(test);
  testTokens(test);
  testCharges(test);
  testActivity(test);

  test.run();
}
