import type { Row } from './facts.ts';

/** A value of a record as a person reads it. */
export const toText = (value: unknown): string => {
  if (value === undefined || value === null) return 'none';
  if (Array.isArray(value)) return value.join(', ') || 'none';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** Members that say of themselves that something changed. */
const quiet = ['updatedAt', 'revision', 'links', 'transitions'];

/** What two versions of a record differ in. */
export function toDifferences(was: Row, now: Row): { name: string; was: string; now: string }[] {
  const names = [...new Set([...Object.keys(was), ...Object.keys(now)])].filter(
    (name) => !quiet.includes(name),
  );
  return names.flatMap((name) => {
    const [before, after] = [toText(was[name]), toText(now[name])];
    return before === after ? [] : [{ name, was: before, now: after }];
  });
}
