/** A number that an option may say; throws unless it is a whole one from 1. */
export function toCount(name: string, said: string | undefined, unlessSaid: number): number {
  const count = Number(said ?? unlessSaid);
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${name} must be a whole number from 1`);
  return count;
}
