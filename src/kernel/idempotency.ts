import { usualBody } from './effect.ts';
import type { Context } from './operation.ts';
import { Refusal } from './refusal.ts';
import type { Platform } from './service.ts';

const header = 'Idempotency-Key';
/** Characters of a key at most. */
export const longestKey = 255;
/** Characters of a key at least that mints a workspace, where the reply holds a capability. */
export const shortestMintKey = 16;

const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;
const bare = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x7e]+$/;

function refuse(path: string, message: string): never {
  throw new Refusal('invalid_request', { issues: [{ path, message }] });
}

/**
 * The key in an Idempotency-Key header (draft-ietf-httpapi-idempotency-key-header-07 section 2.1): a String
 * of RFC 9651 without parameters or, as many clients send it, bare. Refuses an empty one, one of more than
 * 255 characters, characters that are not visible ASCII, and a header sent twice.
 */
function parseIdempotencyKey(text: string): string {
  const value = text.trim();
  const [, inner] = quoted.exec(value) ?? [];
  const key = inner === undefined ? value : inner.replace(/\\(.)/g, '$1');
  if (key.length < 1 || key.length > longestKey) refuse(header, `must have 1 to ${longestKey} characters`);
  if (inner === undefined && !bare.test(value)) {
    refuse(
      header,
      'must be one key of ASCII characters: "quoted" (RFC 9651), or bare without spaces, commas, semicolons and quotes',
    );
  }
  return key;
}

/** JSON with the members of every object in the order of their names, so that equal values are equal text. */
function toCanonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${toCanonical(item)}`).join()}}`;
}

/** A change under a key, before its reply is known. */
interface KeyedRequest {
  /** The key as the caller sent it. */
  key: string;
  name: string;
  fingerprint: string;
}

async function toNamed(
  platform: Platform,
  key: string,
  scope: string[],
  what: string[],
): Promise<KeyedRequest> {
  const name = await platform.sha256(JSON.stringify([...scope, key]));
  return { key, name, fingerprint: await platform.sha256(JSON.stringify(what)) };
}

/**
 * What a change is known by where its caller sent an Idempotency-Key; `id` is what it is of, where its address says.
 * The same key is another key under another operation and in another workspace. Without a workspace the reply holds
 * a fresh capability, so the key counts only for the same client address, and must have at least 16 characters: it is
 * what keeps a neighbour at that address from asking for the reply.
 */
export async function toKeyedRequest(context: Context, id?: string): Promise<KeyedRequest | undefined> {
  const { service, operation, workspace, call, args, options } = context;
  const { key: sent } = options;
  if (sent === undefined) return undefined;
  const key = parseIdempotencyKey(sent);
  if (!workspace && key.length < shortestMintKey) {
    refuse(
      header,
      `must have at least ${shortestMintKey} characters without X-Workspace (over MCP the argument workspace), because its reply holds a new workspace id; send a UUID`,
    );
  }
  const scope = workspace ? ['workspace', workspace.hash] : ['client', call.client ?? ''];
  // What is large is told apart as it was written: to sort it would take others' time.
  const said = call.body.length > usualBody ? JSON.stringify(args) : toCanonical(args);
  const what = [operation.operationId, said, ...(id === undefined ? [] : [id])];
  return toNamed(service.platform, key, [...scope, operation.operationId], what);
}
