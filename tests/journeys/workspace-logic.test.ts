import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeCourse, formatDaysLeft } from '../../src/pages/_desk/common/course.ts';
import type { Outcome, Placement } from '../../src/pages/_desk/state/model.ts';
import { formatPayRange } from '../../src/pages/_scripts/format.ts';

const logic = suite('logic of the workspace page');
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
    guaranteeDays: 90,
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
const validated = { ...stated, validated: true, confirmations: [agreed] };
const disputed = { ...stated, disputed: true, confirmations: [{ ...agreed, agrees: false }] };
const ended = toPlacement({}, { status: 'ended-early', endDate: '2026-09-01' });

const over =
  'The guarantee of 90 days is over. Nothing is stated yet. Lapsed: the time to validate it is over.';
const on87 = 'Day 88 of 90. Stated: still in the placement on day 87';
type Course = [placement: Placement, today: string, words: string, next?: string, daysLeft?: number];

/** Placements on a day: the states of their steps, the text, what to do next, and the days left. */
const courses: Record<string, Course[]> = {
  'done open open open open': [
    [toPlacement({ validateBy: null }, { startDate: undefined }), validateBy, 'No start is known.', 'start'],
    [toPlacement(), '2026-08-23', 'Starts in 1 day. Nothing is stated yet.', undefined, 91],
  ],
  'done done open open open': [
    [toPlacement(), startDate, 'Day 0 of 90. Nothing is stated yet.', 'state', 90],
    [toPlacement(), validateBy, 'Day 90 of 90. Nothing is stated yet.', 'state', 0],
    [ended, '2026-09-02', 'Ended early on 1 Sept 2026. Nothing is stated yet.', 'state', 81],
  ],
  'done done open open bad': [[toPlacement(), '2026-11-23', over]],
  'done done done open open': [[toPlacement(stated), '2026-11-20', `${on87}.`, 'ask', 2]],
  'done done done done done': [
    [toPlacement(validated), '2026-11-20', `${on87}; the client agrees. Validated.`],
  ],
  'done done done bad open': [
    [toPlacement(disputed), '2026-11-20', `${on87}; the client disagrees.`, 'restate', 2],
    [toPlacement({ ...disputed, confirmations: [] }), '2026-11-20', `${on87}.`, 'ask', 2],
  ],
};

logic('the steps of a placement', () => {
  for (const [states, rows] of Object.entries(courses)) {
    for (const [placement, today, words, next, daysLeft] of rows) {
      const course = describeCourse(placement, today);
      assert.equal(course.words, words);
      assert.equal(course.next, next);
      assert.equal(course.daysLeft, daysLeft);
      assert.is(course.steps.map(({ state }) => state).join(' '), states);
      assert.ok(course.part >= 0 && course.part <= 1);
    }
  }
});

logic('describes days left in words', () => {
  assert.equal([0, 1, 5].map(formatDaysLeft), ['Last day: today', 'One day left', '5 days left']);
});

/** Pay from one amount to another, and how it reads. */
const ranges: [member: string, from: number | undefined, to: number | undefined, text: string | undefined][] =
  [
    ['payRateUsdHour', undefined, undefined, undefined],
    ['payRateUsdHour', 40, undefined, '$40.00 an hour'],
    ['payRateUsdHour', undefined, 48.5, 'to $48.50 an hour'],
    ['payRateUsdHour', 40, 40, '$40.00 an hour'],
    ['payRateUsdHour', 40, 48, '$40.00 to $48.00 an hour'],
    ['salaryUsdYear', 85_000, 90_000, '$85,000 to $90,000 a year'],
    ['salaryUsdYear', 85_000.5, 90_000, '$85,000.50 to $90,000 a year'],
  ];

for (const [member, from, to, text] of ranges)
  logic(`shows ${member} from ${from} to ${to} as ${text}`, () => {
    assert.is(formatPayRange(member, from, to), text);
  });

logic(
  'a placement was placed on the day of its acceptance, and one without moves when it was created',
  () => {
    const transitions = [
      { at: '2026-08-18T08:00:00.000Z', from: 'proposed', to: 'scheduled' },
      { at: '2026-08-24T00:00:00.000Z', from: 'scheduled', to: 'active' },
    ];
    assert.is(describeCourse(toPlacement({}, { transitions }), validateBy).steps[0].day, '2026-08-18');
    assert.is(describeCourse(toPlacement(), validateBy).steps[0].day, '2026-08-20');
  },
);

logic.run();
