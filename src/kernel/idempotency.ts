import { type OperationContext, usualBody } from './operation.ts';
import { Refusal } from './refusal.ts';

/** Characters of a key, at most, and at least where it mints a workspace: that reply has a capability. */
export const longestKey = 255;
export const shortestMintKey = 16;

const ofQuoted = '(?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\["\\\\])';
const ofBare = '[\\x21\\x23-\\x2b\\x2d-\\x3a\\x3c-\\x7e]';
const [quoted, bare] = [new RegExp(`^"(${ofQuoted}*)"$`), new RegExp(`^${ofBare}+$`)];
export const keyPattern = `^(?:"${ofQuoted}{1,${longestKey}}"|${ofBare}{1,${longestKey}})$`;

function refuseKey(message: string): never {
  throw new Refusal('invalid_request', { issues: [{ path: 'Idempotency-Key', message }] });
}

/**
 * The key in an Idempotency-Key header (draft-ietf-httpapi-idempotency-key-header-07 section 2.1): a String of
 * RFC 9651 or, as many clients send it, bare. Refuses other forms, and a header sent twice.
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

/** JSON with the members of every object in the order of their names, so that equal values are equal text. */
function canonicalize(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalize).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${canonicalize(item)}`).join()}}`;
}

/**
 * The keyed change of a caller: its key, the name of that in a store, and the SHA-256 of what was asked. `id` is the
 * record in its address. A key counts for one operation in one workspace. Without one the reply holds a capability: a
 * key counts for one caller by all that is known of it, and has at least 16 characters.
 */
export async function readKeyedRequest(context: OperationContext, id?: string) {
  const { service, operation, workspace, call, args, options } = context;
  if (options.key === undefined) return undefined;
  const key = parseIdempotencyKey(options.key);
  if (!workspace && key.length < shortestMintKey) {
    refuseKey(
      `must have at least ${shortestMintKey} characters without X-Workspace (over MCP the argument workspace), because its reply holds a new workspace id; send a UUID`,
    );
  }
  const scope = workspace ? ['workspace', workspace.hash] : ['caller', call.identity ?? call.client ?? ''];
  // Large arguments are compared as they were sent: sorting them would take everybody's time.
  const sent = call.body.length > usualBody ? JSON.stringify(args) : canonicalize(args);
  const what = [operation.operationId, sent, ...(id === undefined ? [] : [id])];
  const hash = (parts: string[]) => service.platform.sha256(JSON.stringify(parts));
  return {
    key,
    name: await hash([...scope, operation.operationId, key]),
    fingerprint: await hash(what),
  };
}
