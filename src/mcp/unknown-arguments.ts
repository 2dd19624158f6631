import { cutExcerpt, mostPlaces, type WordedIssue } from '../kernel/envelope.ts';
import { clearName, isLikeWorkspace, listRemovable } from '../kernel/input.ts';
import { findNearName, isMisspelled, type NearMisses } from '../kernel/near-miss.ts';
import type { Operation } from '../kernel/operation.ts';
import { compose } from '../kernel/wording.ts';
import { listTransportArguments } from './transport-arguments.ts';

/** Returns the known argument that an unknown one probably means, or undefined. */
function findIntendedArgument(
  name: string,
  known: readonly string[],
  misses: NearMisses,
): string | undefined {
  const { fillers } = misses;
  if (fillers.includes(name.toLowerCase().replaceAll(/[_-]/g, ''))) return undefined;
  if (known.includes('workspace') && isLikeWorkspace(name)) return 'workspace';
  return findNearName(name, known, misses);
}

/**
 * Returns an issue for each unknown argument that is nearly a known one, so that a model that guessed a name learns it.
 *
 * Any other unknown argument only warns: the client may have added it, and the model cannot leave it out. An argument that
 * only resembles one that was sent warns too: beside `id`, a `threadId` is probably no `id`.
 */
export function checkUnknown(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  misses: NearMisses,
): WordedIssue[] {
  const { input, unread = [] } = operation;
  const known = [...Object.keys(input.entries), ...Object.keys(listTransportArguments(operation))];
  if (listRemovable(input.entries).length > 0) known.push(clearName);
  const unknown = Object.keys(given).filter((name) => !known.includes(name) && !unread.includes(name));
  return unknown.slice(0, mostPlaces).flatMap((name) => {
    const meant = findIntendedArgument(name, known, misses);
    if (meant === undefined || (Object.hasOwn(given, meant) && !isMisspelled(name, meant))) return [];
    const note = Object.hasOwn(misses.notes, meant) ? compose` (${misses.notes[meant]!})` : '';
    const message = compose`is no argument of this tool; did you mean ${meant}${note}?`;
    return [{ path: cutExcerpt(name), message }];
  });
}
