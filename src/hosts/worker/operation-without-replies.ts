export * from '../../kernel/operation.ts';

/** Replies are described for the contract alone: esbuild drops calls of empty functions, and what is passed to them. */
export function ok(): void {}
export function blocked(): void {}
export function invalid(): void {}
export function emptyRecord(): void {}
export function emptyList(): void {}
export function describeReplies(): void {}
