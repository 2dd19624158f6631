import * as v from 'valibot';

export * from 'valibot';

/** Names nothing: esbuild drops calls of empty functions, and what is passed to them. */
export function description(_: string): void {}
export function title(_: string): void {}

/** `v.pipe` without the actions that are left out here. */
export const pipe = (...items: unknown[]) =>
  (v.pipe as (...items: unknown[]) => unknown)(...items.filter((item) => item !== undefined));
