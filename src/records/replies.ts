import { blocked } from '../kernel/operation.ts';

/** The 400 of arguments that are not valid, with one place as its example. */
/* @__NO_SIDE_EFFECTS__ */
export function invalid(path: string, message: string) {
  return blocked('invalid_request', 'The arguments are not valid; issues names each place.', [
    { path, message },
  ]);
}

export const unknownWorkspace = blocked('unknown_workspace', 'No such workspace.');
export const forbiddenScope = blocked('forbidden_scope', 'scope is admin or internal.');
export const mismatch = blocked('idempotency_mismatch', 'The Idempotency-Key was used for another request.');
