import { blocked } from '../kernel/operation.ts';
import type { Kind, RowTexts } from './kind.ts';

/** The 400 of arguments that are not valid, with one place as its example. */
export const invalid = (path: string, message: string) =>
  blocked('invalid_request', 'The arguments are not valid; issues names each place.', [{ path, message }]);

export const unknownWorkspace = blocked('unknown_workspace', 'No such workspace.');
export const mismatch = blocked('idempotency_mismatch', 'The Idempotency-Key was used for another request.');

/** The texts of a row; where it is a tool, that is called by its summary. */
export function toTexts({ tool, ...texts }: RowTexts, summary: string) {
  return { ...texts, summary, ...(tool && { tool: { title: summary, description: tool } }) };
}

/** What the three operations on one record have in common. */
export function toRecordRow({ collection, path, prefix, noun }: Kind) {
  return {
    path: `${path}/{id}`,
    idText: `The ${noun}'s id, \`${prefix}…\`.`,
    tag: collection,
    listed: true,
  } as const;
}
