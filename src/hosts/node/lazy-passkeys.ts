import type { Passkeys } from '../../ladder/passkeys.ts';

const load = async () => (await import('./passkeys.ts')).passkeys;

/** What speaks WebAuthn, read when the first person claims or signs in: most hosts never need its memory. */
export const lazyPasskeys: Passkeys = {
  toCreateOptions: async (...given) => (await load()).toCreateOptions(...given),
  toGetOptions: async (...given) => (await load()).toGetOptions(...given),
  made: async (...given) => (await load()).made(...given),
  shown: async (...given) => (await load()).shown(...given),
};
