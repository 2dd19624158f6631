import type * as v from 'valibot';
import { cutExcerpt, type WordedIssue } from '../kernel/envelope.ts';
import { clearName, isRemovable, listRemovable } from '../kernel/input.ts';
import { readJsonText, toText } from './sent-values.ts';

/** Whether a member is set beside being cleared. Members that were cleared before are null in `args`. */
const isSetToo = (name: unknown, args: Readonly<Record<string, unknown>>): boolean =>
  typeof name === 'string' && Object.hasOwn(args, name) && args[name] !== null;

/** Returns what is wrong with a name in `clear`, if anything is. */
function checkCleared(name: unknown, entries: v.ObjectEntries): string | undefined {
  if (typeof name !== 'string') return 'must be the name of a member';
  if (!Object.hasOwn(entries, name)) return `${cutExcerpt(name)} is no member that can be removed`;
  if (!isRemovable(entries[name] as v.GenericSchema)) return `${name} cannot be removed, only changed`;
  return undefined;
}

/** The object whose members `clear` removes. `isAmbiguous`: it is one of several kinds, and not known which. */
interface ClearedObject {
  entries: v.ObjectEntries;
  isAmbiguous: boolean;
  at: string;
}

/**
 * Sets the members that `clear` names to null in `args`, as a JSON Merge Patch removes them. Returns what is wrong with the
 * names.
 */
export function clearMembers(
  args: Record<string, unknown>,
  sent: unknown,
  { entries, isAmbiguous, at }: ClearedObject,
): WordedIssue[] {
  const path = at + clearName;
  const names = typeof sent === 'string' ? readJsonText(sent) : sent;
  if (names === undefined || names === null || names === '') return [];
  const removable = listRemovable(entries);
  const takes = isAmbiguous ? '' : `; it takes ${removable.join(', ')}`;
  if (!Array.isArray(names)) return [{ path, message: `must be an array of names${takes}` }];
  if (names.length > removable.length)
    return [{ path, message: `must hold at most ${removable.length} names${takes}` }];
  const issues: WordedIssue[] = [];
  for (const [index, name] of names.map(toText).entries()) {
    const problem = checkCleared(name, entries);
    if (isSetToo(name, args)) {
      const message = `${name} is set and cleared in one call; leave it out of one`;
      issues.push({ path: `${path}[${index}]`, message });
    } else if (problem) issues.push({ path: `${path}[${index}]`, message: problem + takes });
    else args[name as string] = null;
  }
  return issues;
}
