import type { Outcome } from '../core/operation.ts';
import type { Created } from './created.ts';

/** What is kept of a 201 under an Idempotency-Key: all but the workspace id, which no store may hold. */
interface Kept {
  /** There where the id is derived from it and the key; absent where the caller has the id. */
  salt?: string;
  location: string;
  body: Created['body'];
}

/** The text that `fromKept` makes the same reply of. */
export function toKept({ body, headers }: Created, salt: string | undefined): string {
  const kept: Kept = { salt, location: headers.Location, body: { ...body, workspace: '' } };
  return JSON.stringify(kept);
}

/**
 * The same status and body, byte for byte, marked with `Idempotency-Replayed: true`. `toId` gives the
 * workspace id, from the salt where there is one.
 */
export async function fromKept(
  text: string,
  toId: (salt: string | undefined) => string | Promise<string>,
): Promise<Outcome> {
  const { salt, location, body } = JSON.parse(text) as Kept;
  const id = await toId(salt);
  return {
    status: 201,
    headers: { Location: location, 'X-Workspace': id, 'Idempotency-Replayed': 'true' },
    body: { ...body, workspace: id },
  };
}
