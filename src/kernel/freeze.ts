import type { Call, Reply } from './call.ts';
import type { Suffix } from './router.ts';

export type PackSlice = [offset: number, length: number];

/** One file that never changes. It is compressed if that pays. */
export interface PackedFile {
  type: string;
  /** First 32 hex digits of the SHA-256 of the identity bytes. */
  hash: string;
  slices: { identity?: PackSlice; br?: PackSlice; gzip?: PackSlice };
}

/** One address that is answered from a file. */
export interface FrozenAddress {
  file: string;
  /** Index in `headers` of the manifest, and in its `links`. */
  headers: number;
  link?: number;
  /** true if X-Workspace changes the answer. */
  perWorkspace?: true;
  /** true if a query changes nothing, so that the file answers requests with a query too. */
  ignoresQuery?: true;
  /** true if the answer has absolute addresses, a date or a setting. It is replayed when a server starts. */
  atStart?: true;
}

/** Everything that the build froze, for the Node host and for the rules of static hosts. */
export interface Manifest {
  tag: string;
  files: Record<string, PackedFile>;
  /** Headers that addresses share: all but Link and those of the bytes themselves (type, length, ETag, coding). */
  headers: Record<string, string>[];
  links: string[];
  addresses: Record<string, FrozenAddress>;
  /** The headers of `/` by negotiated representation. Its bytes are those of `/index.REPRESENTATION`. */
  home: Record<Suffix, Record<string, string>>;
}

/** The headers of an address, without those of its bytes. */
export function findAddressHeaders(
  { headers, links }: Pick<Manifest, 'headers' | 'links'>,
  { headers: place, link }: FrozenAddress,
): Record<string, string> {
  return link === undefined ? headers[place]! : { ...headers[place], Link: links[link]! };
}

/**
 * Returns the reply to a plain anonymous GET. Throws unless it is a 200: a frozen refusal would look like a success.
 */
export async function replay(answer: (call: Call) => Reply | Promise<Reply>, path: string): Promise<Reply> {
  const reply = await answer({ method: 'GET', path, query: '', headers: {}, body: new Uint8Array() });
  if (reply.status === 200) return reply;
  throw new Error(`${path} answered ${reply.status}, so it cannot be frozen: ${reply.body}`);
}
