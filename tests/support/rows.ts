import type { Body } from './http.ts';

/** Returns the words of a text, without white space. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

/** Returns one member of each row. */
export const pluck = (rows: readonly Body[], member: string): Body[] => rows.map((row) => row[member]);
