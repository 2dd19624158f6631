import { memoize } from '../kernel/cache.ts';
import type { Warning } from '../kernel/envelope.ts';
import { foldText } from '../kernel/words.ts';
import { comparePlaces, isWithin, type Place, readPlace } from '../records/kind/fields/places.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';

type Person = StoredRecord & { name: string; metro?: string };

/** Returns the least of all texts that begin at another letter and go round: the same for "anarey" and "reyana". */
function findLeastRotation(text: string): string {
  const twice = text + text;
  let least = text;
  for (let at = 1; at < text.length; at += 1) {
    const rotation = twice.slice(at, at + text.length);
    if (rotation < least) least = rotation;
  }
  return least;
}

/** How many UTF-16 units of a folded name are compared, from its beginning. */
const mostUnits = 60;

/** The folded forms of this many names are kept, because a change compares a name with those of all others. */
const mostNames = 1000;

/**
 * Returns the same text for names that differ in case, accents, spaces, hyphens, apostrophes, middle initials, or in which
 * of two parts comes first: "Rey, Ana" and "Ana M. Rey". A name without letters is compared as it is.
 */
const foldPersonName = memoize(
  (name: string): string => {
    const words = foldText(name)
      .replaceAll(/['’`.]/g, '')
      .split(/[^\p{L}\p{N}\p{M}]+/u)
      .filter((word) => word !== '');
    const whole = words.filter((word) => !/^\p{L}\p{M}*$/u.test(word));
    const letters = (whole.length > 1 ? whole : words).join('').slice(0, mostUnits);
    return letters === '' ? name : findLeastRotation(letters);
  },
  { most: mostNames },
);

/** A candidate is compared with at most this many others of the same name. */
const mostCompared = 25;

const foldName = (record: StoredRecord): string => foldPersonName((record as Person).name);

/** Whether two places can be one: the same, one within the other, or the same city with a state that one leaves out. */
function canBeOne(a: Place, b: Place): boolean {
  const nearness = comparePlaces(a, b);
  return nearness === 'same' || nearness === 'unstated' || isWithin(a, b) || isWithin(b, a);
}

/** Whether two candidates state different metro areas. People change their titles more often. */
const contradicts = (a: Person, b: Person): boolean =>
  a.metro !== undefined && b.metro !== undefined && !canBeOne(readPlace(a.metro), readPlace(b.metro));

/** Returns the first other candidate of the same name who may be the same person. */
function findDuplicate(person: Person, view: View): Person | undefined {
  let compared = 0;
  for (const other of view.eachByKey('candidate', foldName, foldName(person)) as Generator<Person>) {
    if (other.id !== person.id && !contradicts(person, other)) return other;
    compared += 1;
    if (compared === mostCompared) return undefined;
  }
  return undefined;
}

/** Advises if the workspace has another candidate of the same name who may be the same person. */
export function warnOfDuplicate(record: StoredRecord, view: View): Warning[] {
  const person = record as Person;
  const other = findDuplicate(person, view);
  if (!other) return [];
  const message = `is the name of ${other.id} too; if that is the same person, keep one of the two`;
  return [{ code: 'possible_duplicate', path: 'name', message, advice: true }];
}
