import { WrongCall } from './command.ts';

/** Formats a count for people: `1 workspace`, `2,000 workspaces`. */
export const formatCount = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

/** Returns the value of an option, or `fallback` if it is absent. Throws a WrongCall if it is not a whole number from 1. */
export function toCount(name: string, text: string | undefined, fallback: number): number {
  const count = Number(text ?? fallback);
  if (!Number.isInteger(count) || count < 1) throw new WrongCall(`--${name} must be a whole number from 1.`);
  return count;
}
