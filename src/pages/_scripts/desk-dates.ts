import { dayFromNow } from './format.ts';

/**
 * Replaces each number of days, such as `@-86` or `@+14`, by a date: `@-86` is 86 days before the day of `from`. By
 * default, `from` is now.
 */
export const fillDates = (text: string, from?: string): string =>
  text.replace(/@([+-]\d+)/g, (_, days) => dayFromNow(Number(days), from));
