import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { make, type TestedStore } from './changes.ts';
import type { Instances } from './store-contract.ts';

type Range = { before?: number; after?: number; limit: number };

const activity = { via: 'http' as const, operation: 'createCandidate', records: [] };

/** Tests what a store keeps of the changes of a workspace. */
export function testActivity(test: Test<Instances>): void {
  const pages: [title: string, range: Range, revisions: number[]][] = [
    ['the newest first', { limit: 3 }, [5, 4, 3]],
    ['those before a revision, the newest first', { limit: 3, before: 4 }, [3, 2]],
    ['those after a revision, the oldest first', { limit: 2, after: 2 }, [3, 4]],
    ['none after the last revision', { limit: 2, after: 5 }, []],
  ];
  for (const [title, range, revisions] of pages) {
    test(`reads entries of the activity: ${title}`, async ({ first, other }) => {
      const { hash } = await makeActive(first, 4);
      assert.equal(await listRevisions(other, hash, range), revisions);
    });
  }

  test('keeps the newest thousand entries of the activity', async ({ first }) => {
    const { hash } = await makeActive(first, 1010);
    const revisions = await listRevisions(first, hash, { limit: 2000 });
    assert.is(revisions.length, 1000);
    assert.is(revisions.at(-1), 12);
  });
}

/** Makes a workspace without an entry at its first revision, then this many changes with one. */
async function makeActive(first: TestedStore, changes: number) {
  const made = await make(first);
  for (let count = 0; count < changes; count += 1) await made.write({ activity: [activity] });
  return made;
}

async function listRevisions({ store }: TestedStore, hash: string, range: Range): Promise<number[]> {
  const entries = await store.readActivity((await store.open(hash))!, range);
  return entries.map(({ revision }) => revision);
}
