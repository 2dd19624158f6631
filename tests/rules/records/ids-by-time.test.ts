import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mintWorkspaceId } from '../../../src/records/account/workspace.ts';
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

ids.run();
