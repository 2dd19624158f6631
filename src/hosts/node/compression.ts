import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
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

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Streams, and functions for a short body in one piece, which take a fifth less of the processor. */
const encoders = {
  br: {
    open: () => createBrotliCompress({ params }),
    encode: (bytes: Buffer) => toBrotli(bytes, { params }),
  },
  gzip: {
    open: () => createGzip({ level: 1 }),
    encode: (bytes: Buffer) => toGzip(bytes, { level: 1 }),
  },
};

/** A coding that makes a body smaller. */
export type Compression = keyof typeof encoders;

/** What is compressed, and for whom. */
interface CompressionJob {
  coding: Compression;
  client: string;
  /** Whether its caller has gone. */
  isGone(): boolean;
}

/**
 * Passes the pieces through a zlib stream, each when the stream has room for it. Returns undefined if the result is not
 * smaller, or nobody waits for it.
 */
async function runStream(pieces: readonly Buffer[], { coding, isGone }: CompressionJob) {
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  const stream = encoders[coding].open();
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
  });
  const ended = new Promise<void>((resolve, reject) => {
    stream.once('end', resolve).once('error', reject).once('close', resolve);
  });
  for (const [at, piece] of pieces.entries()) {
    if (isGone() || length >= size) {
      stream.destroy();
      return undefined;
    }
    // With its last piece the stream compresses and ends in one step.
    if (at === pieces.length - 1) stream.end(piece);
    else if (!stream.write(piece))
      await Promise.race([new Promise((resolve) => stream.once('drain', resolve)), ended]);
  }
  await ended;
  return length < size ? chunks : undefined;
}

/** Returns undefined if the result is not smaller, or if its caller is gone. */
async function runEncoder(pieces: readonly Buffer[], job: CompressionJob) {
  const [piece] = pieces;
  if (pieces.length > 1 || !piece) return runStream(pieces, job);
  if (job.isGone()) return undefined;
  const bytes = await encoders[job.coding].encode(piece);
  return bytes.length < piece.length ? [bytes] : undefined;
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
    return await inTurn(findTurn(client), () => runEncoder(pieces, job));
  } catch {
    return undefined;
  } finally {
    held.add(client, -1);
  }
}
