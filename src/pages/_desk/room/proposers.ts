import { findVisitor } from '../../_scripts/visitor.ts';
import { type ActivityRow, tellEntry } from '../activity/activity-sentence.ts';
import { isOwner, read } from '../state/client.ts';
import { facts } from '../state/page-facts.ts';
import type { Proposer } from './fits.ts';

/** The operations that create a placement. */
const creating = ['createPlacement', 'createBatch', 'importRecords'];

function nameActor(entry: ActivityRow): string {
  const [actor] = tellEntry(entry, {
    isOwner: isOwner(),
    visitor: findVisitor(),
    kinds: facts.kinds,
    findPlacement: () => undefined,
  });
  return typeof actor === 'string' ? actor : actor.name;
}

/** Reads who created records lately. Returns a function that finds who created a record at a time. */
export async function readProposers(): Promise<(at: string | undefined) => Proposer | undefined> {
  const { body } = await read(`/workspace/activity?limit=${facts.maxLimit}`);
  const entries = (body.activity ?? []) as ActivityRow[];
  const byTime = new Map(
    entries
      .filter(({ operation }) => creating.includes(operation))
      .map((entry) => [entry.at, { name: nameActor(entry), at: entry.at }]),
  );
  return (at) => (at === undefined ? undefined : byTime.get(at));
}
