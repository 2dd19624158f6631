import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deriveWorkspaceId, mintWorkspaceId } from '../../../src/records/account/workspace.ts';
import type { RecordService } from '../../../src/records/service.ts';
import { shortHash } from '../../../src/records/write/write.ts';
import { toChance } from '../../support/people.ts';

const ids = suite('ids of workspaces by time');

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/** Milliseconds after which the times in ids repeat. */
const period = 2 ** 35;
const chance = toChance(1);

const mint = (now: number, byte = 0) =>
  mintWorkspaceId({ platform: { now: () => now, randomBytes: (count) => new Uint8Array(count).fill(byte) } });

/** Reads the time in an id: seven digits in base 32. */
const readTime = (id: string) =>
  [...id.slice(3, 10)].reduce((time, digit) => time * 32 + alphabet.indexOf(digit), 0);

ids('begin with the milliseconds of their time, which repeat after a year', () => {
  for (let run = 0; run < 200; run += 1) {
    const now = Date.parse('2026-11-22T12:00:00Z') + chance(period);
    assert.is(readTime(mint(now)), now % period, `${now}`);
  }
});

ids('end with five bits of each random byte', () => {
  for (let byte = 0; byte < 256; byte += 1)
    assert.is(mint(0, byte), `ws_${'0'.repeat(7)}${alphabet[byte % 32]!.repeat(32)}`);
});

ids('of a create under a key have the time of its salt, and five bits of each byte of a digest', async () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const salt = mint(1_795_000_000_000, 9).slice(3);
  for (const key of ['a', 'b', 'nurse-7']) {
    const id = await deriveWorkspaceId({ platform: { sha256 } } as unknown as RecordService, salt, key);
    const digest = createHash('sha256').update(`${salt}${key}`).digest();
    const text = [...digest].map((byte) => alphabet[byte % 32]).join('');
    assert.is(id, `ws_${salt.slice(0, 7)}${text}`);
  }
});

ids('of stored replies are the first 128 bits of a digest, as stores of earlier releases have them', () => {
  const digest = createHash('sha256').update('a').digest();
  assert.is(shortHash(digest.toString('hex')), digest.subarray(0, 16).toString('hex'));
});

ids.run();
