import { finished } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { findTurn, UseByClient } from '../../kernel/client-keys.ts';
import { createQueue } from '../../kernel/queue.ts';

/** How many answers are compressed at once, in all and of one client. Each takes about two megabytes. */
const mostAtOnce = 4;
const mostAtOnceOfClient = 2;
/** How many answers may wait for that or be compressed. Others are sent as they are. */
const mostHeld = 64;
const mostHeldOfClient = 16;

const inTurn = createQueue(mostAtOnce, { each: mostAtOnceOfClient });
const held = new UseByClient();

/** The fastest level of each. Denser ones were measured to take two to four times as long to save a tenth. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 };
const chunkSize = 65_536;

const creators = {
  br: () => createBrotliCompress({ params, chunkSize }),
  gzip: () => createGzip({ level: 1, chunkSize }),
};

/** A coding that makes a body smaller. */
export type Compression = keyof typeof creators;

/** What is compressed, and for whom. */
interface CompressionJob {
  coding: Compression;
  client: string;
  /** Whether nobody waits for the result any more. */
  isGone(): boolean;
}

/**
 * Passes the pieces through a zlib stream, each when the stream has room for it. Returns undefined if the result is not
 * smaller, or nobody waits for it.
 */
async function runStream(pieces: readonly Buffer[], { coding, isGone }: CompressionJob) {
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  const stream = creators[coding]();
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
  });
  const ended = finished(stream);
  ended.catch(() => {});
  for (const piece of pieces) {
    if (isGone() || length >= size) {
      stream.destroy();
      return undefined;
    }
    if (!stream.write(piece))
      await Promise.race([new Promise((resolve) => stream.once('drain', resolve)), ended]);
  }
  stream.end();
  await ended;
  return length < size ? chunks : undefined;
}

/**
 * Compresses a body off the main thread, when it is its client's turn. Returns undefined if it should be sent as it is,
 * because too many wait already, compressing fails, or it would not get smaller.
 */
export async function compressPieces(
  pieces: readonly Buffer[],
  job: CompressionJob,
): Promise<readonly Buffer[] | undefined> {
  const { client } = job;
  if (held.all >= mostHeld || !held.hasRoom(client, 1, mostHeldOfClient)) return undefined;
  held.add(client, 1);
  try {
    return await inTurn(findTurn(client), () => runStream(pieces, job));
  } catch {
    return undefined;
  } finally {
    held.add(client, -1);
  }
}
