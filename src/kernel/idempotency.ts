import { type OperationContext, usualBody } from './operation.ts';
import { Refusal } from './refusal.ts';
import { compose, keyPart, type Wording, workspacePart } from './wording.ts';

/** Maximum length of a key in characters, and minimum length if it mints a workspace. That reply holds a capability. */
export const longestKey = 255;
export const shortestMintKey = 16;

const ofQuoted = '(?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\["\\\\])';
const ofBare = '[\\x21\\x23-\\x2b\\x2d-\\x3a\\x3c-\\x7e]';
const [quoted, bare] = [new RegExp(`^"(${ofQuoted}*)"$`), new RegExp(`^${ofBare}+$`)];
export const keyPattern = `^(?:"${ofQuoted}{1,${longestKey}}"|${ofBare}{1,${longestKey}})$`;

function refuseKey(message: Wording): never {
  throw new Refusal('invalid_request', { issues: [{ path: [keyPart], message }] });
}

/**
 * Reads the key in an Idempotency-Key header (draft-ietf-httpapi-idempotency-key-header-07 section 2.1). It is a String
 * of RFC 9651 or a bare key, as many clients send it. Refuses other forms, and a header that is sent twice.
 */
function parseIdempotencyKey(text: string): string {
  const value = text.trim();
  const [, inner] = quoted.exec(value) ?? [];
  const key = inner === undefined ? value : inner.replace(/\\(.)/g, '$1');
  if (key.length < 1 || key.length > longestKey) refuseKey(`must have 1 to ${longestKey} characters`);
  if (inner !== undefined || bare.test(value)) return key;
  const forms = '"quoted" (RFC 9651), or bare without spaces, commas, semicolons and quotes';
  return refuseKey(`must be one key of ASCII characters: ${forms}`);
}

/** Returns JSON with the members of every object sorted by name, so that equal values give equal texts. */
function canonicalize(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalize).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${canonicalize(item)}`).join()}}`;
}

/**
 * Reads the Idempotency-Key of a call. Returns the key, its name in a store, and the SHA-256 of what was sent. Returns
 * undefined without a key. `id` is the record to change, if its id was not sent in the address.
 *
 * A key counts for one operation in one workspace. Without a workspace it counts for one caller, by all that is known
 * of the caller. It then needs at least 16 characters, because the reply holds a capability. `within` replaces both.
 */
export async function readKeyedRequest(
  context: OperationContext,
  { id, within }: { id?: string | undefined; within?: readonly string[] } = {},
) {
  const { service, operation, workspace, call, args, options, sentId = id } = context;
  if (options.key === undefined) return undefined;
  const key = parseIdempotencyKey(options.key);
  if (!workspace && !within && key.length < shortestMintKey) {
    refuseKey(
      compose`must have at least ${String(shortestMintKey)} characters without ${workspacePart}, because its reply holds a new workspace id; send a UUID`,
    );
  }
  const scope =
    within ??
    (workspace ? ['workspace', workspace.hash] : ['caller', call.identify?.() ?? call.client ?? '']);
  // Large arguments are compared as they were sent: sorting them would block other callers.
  const sent = call.body.length > usualBody ? JSON.stringify(args) : canonicalize(args);
  // The id as it was sent: a change can move the ref, or delete the record.
  const parts = [operation.operationId, sent, ...(sentId === undefined ? [] : [sentId])];
  const hash = (values: readonly string[]) => service.platform.sha256(JSON.stringify(values));
  return {
    key,
    name: await hash([...scope, operation.operationId, key]),
    fingerprint: await hash(parts),
  };
}
