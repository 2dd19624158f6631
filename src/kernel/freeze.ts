import type { Call, Reply } from './call.ts';
import type { Suffix } from './router.ts';

export type PackSlice = [offset: number, length: number];

/** One file that never changes; its bytes are compressed where that pays. */
export interface PackedFile {
  type: string;
  /** First 32 hex digits of the SHA-256 of the identity bytes. */
  hash: string;
  slices: { identity?: PackSlice; br?: PackSlice; gzip?: PackSlice };
}

/** One address that is answered from a file. */
export interface FrozenAddress {
  file: string;
  /** Places in the `headers` and `links` of the manifest. */
  headers: number;
  link?: number;
  /** true where X-Workspace changes the answer. */
  perWorkspace?: true;
  /** true where a query changes nothing, so that the file answers it too. */
  ignoresQuery?: true;
  /** true if it has absolute addresses, a date or a setting: replayed when a server starts. */
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
  /** The headers of `/` by the representation negotiated there; its bytes are those of `/index.REPRESENTATION`. */
  home: Record<Suffix, Record<string, string>>;
}

/** The headers of an address, but those of its bytes. */
export function findAddressHeaders(
  { headers, links }: Pick<Manifest, 'headers' | 'links'>,
  { headers: place, link }: FrozenAddress,
): Record<string, string> {
  return link === undefined ? headers[place]! : { ...headers[place], Link: links[link]! };
}

/** The answer to a plain anonymous GET. Throws unless it is 200: a frozen refusal would be a fake success. */
export async function replay(answer: (call: Call) => Reply | Promise<Reply>, path: string): Promise<Reply> {
  const reply = await answer({ method: 'GET', path, query: '', headers: {}, body: new Uint8Array() });
  if (reply.status === 200) return reply;
  throw new Error(`${path} answered ${reply.status}, so it cannot be frozen: ${reply.body}`);
}
