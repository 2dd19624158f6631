import { dayFromNow } from './format.ts';

/**
 * Replaces each `@` with a number of days, such as `@-86` or `@+14`, by the date that is so many days after the day of
 * `from`, which is now by default.
 */
export const fillDates = (text: string, from?: string): string =>
  text.replace(/@([+-]\d+)/g, (_, days) => dayFromNow(Number(days), from));
