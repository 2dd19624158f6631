export * from '../../kernel/operation.ts';

/** Only the contract needs replies. esbuild drops calls of empty functions together with their arguments. */
export function ok(): void {}
export function blocked(): void {}
export function invalid(): void {}
export function emptyRecord(): void {}
export function emptyList(): void {}
export function describeReplies(): void {}
