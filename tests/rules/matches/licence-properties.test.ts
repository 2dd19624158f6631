import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { meets } from '../../../src/job-orders/gate/gate.ts';
import { readNeed } from '../../../src/job-orders/gate/need.ts';
import { readOffer } from '../../../src/job-orders/gate/offer.ts';
import { licenceNames } from '../../../src/occupations/licensed.ts';

const properties = suite('properties of licences');

const codes = [
  '29-1141.00',
  '29-2061.00',
  '29-1171.00',
  '53-3032.00',
  '53-3051.00',
  '47-2111.00',
  '29-2043.00',
];
const words = ['apprentice', 'no RN license', 'Forklift', 'OH', 'assistant', 'CDL', 'BLS until 2030-01-01'];
const phrases = [...licenceNames.map(({ name }) => name), ...words];

/** Returns seeded random numbers from 0 to below 1 (mulberry32). */
function createRandom(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

properties('one more credential never turns meets to false', () => {
  const random = createRandom(27);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  for (let run = 0; run < 20_000; run += 1) {
    const order = readNeed({ id: 'o', onetCode: pick(codes) });
    const credentials = Array.from({ length: Math.floor(random() * 3) }, () => pick(phrases));
    const person = { id: 'c', onetCode: pick(codes) };
    const before = meets(order, readOffer({ ...person, credentials }));
    const more = [...credentials, pick(phrases)];
    assert.ok(!before || meets(order, readOffer({ ...person, credentials: more })), more.join(' | '));
  }
});

properties('each name of a licence shows that licence', () => {
  const missed = licenceNames.filter(({ name, group }) => {
    const held = readOffer({ id: 'c', onetCode: '35-3031.00', credentials: [name] }).licence.held;
    return !held.includes(group);
  });
  assert.equal(missed, []);
});

properties.run();
