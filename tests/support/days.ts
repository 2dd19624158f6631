export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The first day of the tests with a fake clock. */
export const today = '2026-11-26';
/** Noon of that day, in milliseconds. */
export const noon = Date.parse(`${today}T12:00:00Z`);

/** Returns the day this many days after `today`, as YYYY-MM-DD. */
export const dayAt = (days: number): string => new Date(noon + days * dayMs).toISOString().slice(0, 10);
