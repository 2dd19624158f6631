import { createHash, randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSearch, createSha256, hasZeroBits } from '../../src/pages/_scripts/proof-of-work.ts';
import { toCourse, toDueWords } from '../../src/pages/_scripts/workspace-page/course.ts';
import type { Outcome, Placement } from '../../src/pages/_scripts/workspace-page/model.ts';
import { toDifferences } from '../../src/pages/_scripts/workspace-page/versions.ts';

const logic = suite('what the page of a workspace works out');
const startDate = '2026-08-24';
const validateBy = '2026-11-22';

function toPlacement(outcome: Partial<Outcome> = {}, more: object = {}): Placement {
  return {
    id: 'plc_1',
    onetCode: '15-1252.00',
    candidateId: 'cand_1',
    jobOrderId: 'job_1',
    status: 'active',
    example: false,
    createdAt: '2026-08-20T08:00:00.000Z',
    startDate,
    links: { self: '/placements/plc_1' },
    outcome: {
      result: 'pending',
      validateBy,
      validated: false,
      confirmations: [],
      disputed: false,
      ...outcome,
    },
    ...more,
  };
}

const agreed = { party: 'client', agrees: true, at: '2026-11-20T08:00:00.000Z' } as const;
const stated = {
  result: 'retained',
  asOf: '2026-11-19',
  day: 87,
  statedAt: '2026-11-19T08:00:00.000Z',
} as const;

for (const [name, placement, today, words, next, daysLeft, states] of [
  [
    'without a start',
    toPlacement({ validateBy: null }, { startDate: undefined }),
    '2026-11-22',
    'No start is known.',
    'start',
    undefined,
    'done open open open open',
  ],
  [
    'before its start',
    toPlacement(),
    '2026-08-23',
    'Starts in 1 day. Nothing is stated yet.',
    undefined,
    91,
    'done open open open open',
  ],
  [
    'on its first day',
    toPlacement(),
    startDate,
    'Day 0 of 90. Nothing is stated yet.',
    'state',
    90,
    'done done open open open',
  ],
  [
    'on its last day',
    toPlacement(),
    validateBy,
    'Day 90 of 90. Nothing is stated yet.',
    'state',
    0,
    'done done open open open',
  ],
  [
    'a day too late',
    toPlacement(),
    '2026-11-23',
    'The 90 days are over. Nothing is stated yet. Closed: the time to validate it is over.',
    undefined,
    undefined,
    'done done open open bad',
  ],
  [
    'stated',
    toPlacement(stated),
    '2026-11-20',
    'Day 88 of 90. Stated: still in the placement on day 87.',
    'ask',
    2,
    'done done done open open',
  ],
  [
    'validated',
    toPlacement({ ...stated, validated: true, confirmations: [agreed] }),
    '2026-11-20',
    'Day 88 of 90. Stated: still in the placement on day 87; the client agrees. Validated.',
    undefined,
    undefined,
    'done done done done done',
  ],
  [
    'disputed',
    toPlacement({ ...stated, disputed: true, confirmations: [{ ...agreed, agrees: false }] }),
    '2026-11-20',
    'Day 88 of 90. Stated: still in the placement on day 87; the client disagrees.',
    'restate',
    2,
    'done done done bad open',
  ],
  [
    'disputed, and stated again',
    toPlacement({ ...stated, disputed: true }),
    '2026-11-20',
    'Day 88 of 90. Stated: still in the placement on day 87.',
    'ask',
    2,
    'done done done bad open',
  ],
  [
    'ended early',
    toPlacement({}, { status: 'ended-early', endDate: '2026-09-01' }),
    '2026-09-02',
    'Ended early on 1 Sept 2026. Nothing is stated yet.',
    'state',
    81,
    'done done open open open',
  ],
] as const) {
  logic(`the course of a placement: ${name}`, () => {
    const course = toCourse(placement, today);
    assert.is(course.words, words);
    assert.equal([course.next, course.daysLeft], [next, daysLeft]);
    assert.is(course.steps.map(({ state }) => state).join(' '), states);
    assert.ok(course.part >= 0 && course.part <= 1);
  });
}

logic('days left are told in words', () => {
  assert.equal([0, 1, 5].map(toDueWords), ['Last day: today', 'One day left', '5 days left']);
});

logic('two versions differ in what a person can see', () => {
  const was = toPlacement();
  const now = { ...toPlacement(), revision: 2, updatedAt: 'later', feeModel: 'perm-fee', skills: ['a', 'b'] };
  assert.equal(toDifferences(was, now), [
    { name: 'feeModel', was: 'none', now: 'perm-fee' },
    { name: 'skills', was: 'none', now: 'a, b' },
  ]);
  assert.equal(toDifferences(was, { ...was }), []);
});

const toHex = (words: Int32Array) =>
  Array.from(words, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');

logic('SHA-256 is that of Node, for every length around the ends of its blocks', () => {
  for (let length = 0; length < 200; length += 1) {
    const prefix = randomBytes(length).toString('base64').slice(0, length);
    const digest = createSha256(prefix);
    for (const text of ['', 'a', 'é'.repeat(20), 'x'.repeat(63)]) {
      const expected = createHash('sha256')
        .update(prefix + text)
        .digest('hex');
      assert.is(toHex(digest(text)), expected, `${length} and ${text.length}`);
    }
  }
});

logic('zero bits are counted to the bit', () => {
  const words = Int32Array.from([0, 0x00ffffff, -1, -1, -1, -1, -1, -1]);
  assert.equal(
    [0, 31, 32, 40].map((bits) => hasZeroBits(words, bits)),
    [true, true, true, true],
  );
  assert.equal(
    [41, 64, 256].map((bits) => hasZeroBits(words, bits)),
    [false, false, false],
  );
  assert.is(hasZeroBits(new Int32Array(8), 256), true);
});

logic('a search finds a nonce that holds, and says where there is none', () => {
  const search = createSearch('salt', 12);
  const nonce = search(0, 1_000_000)!;
  const digest = createHash('sha256').update(`salt.${nonce}`).digest();
  assert.is(digest.readUInt32BE() >>> 20, 0);
  assert.is(createSearch('salt', 200)(0, 100), undefined);
});

logic.run();
