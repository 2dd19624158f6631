import type { ActivityEntry } from '../../../workspace/activity.ts';

type ActedEntry = Pick<ActivityEntry, 'via' | 'actor' | 'client' | 'operation'>;

/** Who reads the activity. */
export interface Reader {
  /** Whether the person at the page is the signed-in owner. */
  isOwner: boolean;
  /** The name that this browser gives itself. */
  visitor: string;
}

/** Who acts in the workspace of a brief besides its people, by operation. */
const briefActors: Record<string, string> = { startBrief: 'A brief', gradeBrief: 'The grader' };

/** Words for people whom the service knows. A caller that names itself so is not believed. */
const knownPeople = /^(you|(the|a|an) (owner|client|party|grader|brief|person of the brief))$/i;

/** The name that a browser gives itself (see `findVisitor`). */
const browserName = /^browser-[a-z0-9]+$/;

/** Says who made a change, as far as that is known. A caller names who asked for it, and a program names itself. */
export function describeActor(
  { via, actor, client, operation }: ActedEntry,
  { isOwner, visitor }: Reader,
): string | { name: string } {
  const isBrowser = actor !== undefined && browserName.test(actor);
  const named = isBrowser || knownPeople.test(actor?.trim() ?? '') ? undefined : actor;
  if (via === 'shortlist') return named === undefined ? 'The client' : { name: named };
  if (via === 'confirmation') return 'A party';
  if (via === 'brief') return briefActors[operation] ?? 'A person of the brief';
  if (isBrowser && actor === visitor) return 'You';
  if (named !== undefined) return { name: named };
  if (via === 'owner') return isOwner ? 'You' : 'The owner';
  if (client === 'browser') return isBrowser ? 'Someone in another browser' : 'Someone in a browser';
  if (client !== undefined) return { name: client };
  return via === 'mcp' ? 'An agent' : 'A program';
}
