import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compressPieces } from '../../../../src/hosts/node/compression.ts';
import { encodeText } from '../../../../src/hosts/node/encode-text.ts';
import { joinPieces, type Piece } from '../../../../src/kernel/call.ts';

const encoding = suite('the bytes of a body');
const toReply = (body: string, pieces?: Piece[]) => ({ status: 200, headers: {}, body, pieces });

async function encodeWhole(body: string, pieces?: Piece[]): Promise<Buffer> {
  const text = await encodeText(toReply(body, pieces), '10.0.0.1');
  const parts = typeof text === 'string' ? [text] : text;
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

/** Texts of up to 1.2 million characters, in which a piece may end anywhere within an emoji. */
const texts = fc
  .tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), fc.integer({ min: 0, max: 1_200_000 }))
  .map(([unit, length]) => `${unit.repeat(Math.ceil(length / unit.length))}😀`);

encoding('a text of any length has the same bytes in pieces', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.nat(3), async (text, shift) => {
      const body = 'x'.repeat(shift) + text;
      assert.ok((await encodeWhole(body)).equals(Buffer.from(body)));
    }),
    { numRuns: 60 },
  );
});

encoding('pieces have the bytes of the text that they are', async () => {
  const piece = fc.oneof(
    texts,
    fc.string(),
    texts.map((text) => ({ text })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
      const body = joinPieces(pieces);
      assert.ok((await encodeWhole(body, pieces)).equals(Buffer.from(body)));
    }),
    { numRuns: 40 },
  );
});

for (const [coding, decode] of [
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const) {
  encoding(`pieces compressed by ${coding} are the same bytes`, async () => {
    const pieces = Array.from({ length: 40 }, (_, n) => Buffer.from(`piece ${n} `.repeat(6000)));
    const chunks = await compressPieces(pieces, { coding, client: '10.0.0.1', isGone: () => false });
    assert.ok(decode(Buffer.concat(chunks!)).equals(Buffer.concat(pieces)));
  });

  encoding(`what ${coding} does not make smaller, or nobody waits for, is not compressed`, async () => {
    const noise = crypto.getRandomValues(Buffer.alloc(65_536));
    const job = { coding, client: '10.0.0.1' };
    assert.is(await compressPieces([noise], { ...job, isGone: () => false }), undefined);
    assert.is(await compressPieces([Buffer.alloc(65_536)], { ...job, isGone: () => true }), undefined);
  });
}

encoding('answers beyond those that may wait for compression are sent as they are', async () => {
  const job = { coding: 'br', client: '10.0.0.1', isGone: () => false } as const;
  const results = await Promise.all(
    Array.from({ length: 40 }, () => compressPieces([Buffer.alloc(200_000)], job)),
  );
  assert.is(results.filter((chunks) => chunks === undefined).length, 40 - 16);
});

encoding.run();
