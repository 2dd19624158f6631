import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Reply } from '../../kernel/call.ts';
import { type Encoding, findHeader, toEncoding } from './serve-frozen.ts';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Characters of a body below which it goes out as it is: less fits one network packet. */
const worthwhile = 1024;

/** The fastest of each: the denser ones were measured to take two to four times as long for a tenth less. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 };

type Coding = Exclude<Encoding, 'identity'>;

const encoders: Record<Coding, (body: string) => Promise<Buffer>> = {
  br: (body) => toBrotli(body, { params }),
  gzip: (body) => toGzip(body, { level: 1 }),
};

/** The bytes of a text in a coding, made off the main thread. */
export const encode = (body: string, coding: Coding): Promise<Buffer> => encoders[coding](body);

/**
 * Whether what stands at an address is sent compressed to who takes that. A strong tag tells bytes, and is sent back
 * with a change; what is made for one write may hold a secret beside what its caller wrote.
 */
export function canEncode({ method }: IncomingMessage, { status, headers }: Reply): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && (status === 200 || status === 304) && headers.ETag?.startsWith('"') !== true;
}

/** The coding in which a reply of which `canEncode` holds is sent. */
export function toCoding({ rawHeaders }: IncomingMessage, { body }: Reply): Encoding {
  return body.length < worthwhile ? 'identity' : toEncoding(findHeader(rawHeaders, 'accept-encoding'));
}

/** A reply that says what it depends on, in whichever coding it goes out. */
export function toVaried(reply: Reply): Reply {
  const { Vary } = reply.headers;
  return {
    ...reply,
    headers: { ...reply.headers, Vary: Vary ? `${Vary}, Accept-Encoding` : 'Accept-Encoding' },
  };
}
