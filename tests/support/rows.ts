import type { Body } from './http.ts';

/** The words of a text, whatever white space is between them. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

/** One member of each row. */
export const pluck = (rows: readonly Body[], member: string): Body[] => rows.map((row) => row[member]);
