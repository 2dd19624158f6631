import { blocked } from '../kernel/operation.ts';
import { offer } from '../pricing/offer.ts';

/** The 400 of arguments that are not valid, with one place as its example. */
/* @__NO_SIDE_EFFECTS__ */
export function invalid(path: string, message: string) {
  return blocked('invalid_request', 'The arguments are not valid; issues names each place.', [
    { path, message },
  ]);
}

export const badQuery = blocked('invalid_request', 'The query is not valid.');
export const badAddress = blocked('invalid_path', 'The path or query is not valid.');
export const full = offer('recordCeiling', 'The workspace is full.');
export const unknownWorkspace = blocked('unknown_workspace', 'No such workspace.');
export const forbiddenScope = blocked('forbidden_scope', 'scope is admin or internal.');
export const mismatch = blocked('idempotency_mismatch', 'The Idempotency-Key was used for another request.');
