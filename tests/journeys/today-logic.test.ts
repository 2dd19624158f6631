import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ListPage, PageRecord } from '../../src/pages/_desk/state/model.ts';
import { listNeeds, listUnread, type Need } from '../../src/pages/_desk/today/needs.ts';

const logic = suite('what needs a person today');
const today = '2026-11-24';
const now = Date.parse(`${today}T12:00:00Z`);

const toPage = (rows: object[], total = rows.length): ListPage => ({
  rows: rows as PageRecord[],
  total,
  next: undefined,
});

const pending = { result: 'pending', validated: false, confirmations: [], disputed: false };
const names = { candidateName: 'Nina Example', title: 'Truck Driver', client: 'Acme Works' };
const toPlacement = (more: object) => ({
  ...{ id: 'plc_1', jobOrderId: 'job_1', createdAt: `${today}T09:00:00Z`, guaranteeDays: 90 },
  ...names,
  ...more,
});
const toDue = (validateBy: string, outcome: object = {}) =>
  toPlacement({
    ...{ status: 'active', startDate: '2026-09-01' },
    outcome: { ...pending, validateBy, ...outcome },
  });
const moved = (status: string, at: string, by?: string) =>
  toPlacement({ id: `plc_${status}`, status, transitions: [{ at, from: 'proposed', to: status, by }] });
const toOrder = (more: object = {}) => ({
  ...{ id: 'job_1', title: 'ICU nurse', client: 'Riverbend', status: 'open' },
  ...{ openings: 2, openingsLeft: 1, proposals: 0 },
  ...more,
});

const toPages = ({
  due = [],
  deciding = [],
  proposed = [],
  working = [],
  orders = [],
  ending = [],
}: Record<string, object[]>) => ({
  due: toPage(due),
  deciding: toPage(deciding),
  proposed: toPage(proposed),
  working: toPage(working),
  orders: toPage(orders),
  ending: toPage(ending),
});
const list = (records: Record<string, object[]>) => listNeeds(toPages(records), today, now);
const first = (records: Record<string, object[]>) => list(records)[0] as Need;

logic('lists nothing without records', () => {
  assert.equal(list({}), []);
});

const dueRows: [validateBy: string, outcome: object, action: string, what: RegExp][] = [
  [
    '2026-11-24',
    {},
    'state',
    /^Today is the last day to validate it\. Day 84 of 90\. Nothing is stated yet\.$/,
  ],
  ['2026-11-25', {}, 'state', /^1 day left to validate it\./],
  ['2026-12-01', {}, 'state', /^7 days left to validate it\./],
  [
    '2026-11-26',
    { result: 'retained', day: 80 },
    'ask',
    /^2 days left.+Stated: still in the placement on day 80/,
  ],
  [
    '2026-11-26',
    { result: 'retained', confirmations: [{ party: 'client', agrees: false, at: `${today}T08:00:00Z` }] },
    'restate',
    /the client disagrees/,
  ],
];
for (const [validateBy, outcome, action, what] of dueRows)
  logic(`asks to ${action} an outcome that is due on ${validateBy}`, () => {
    const need = first({ due: [toDue(validateBy, outcome)] });
    assert.is(need.action, action);
    assert.match(need.what, what);
  });

logic('leaves out an outcome that can no longer be validated', () => {
  assert.equal(list({ due: [toDue('2026-11-23')] }), []);
});

logic('names the person, the job and the client of a placement', () => {
  const { name, of } = first({ due: [toDue(today)] });
  assert.is(name, 'Nina Example');
  assert.is(of, 'Truck Driver, Acme Works');
});

logic('says that the client asked only if the move came through the shortlist', () => {
  const at = `${today}T11:48:00Z`;
  const asked = first({ deciding: [moved('interviewing', at, 'shortlist')] });
  assert.is(asked.what, 'The client asked to interview 12 min ago.');
  assert.is(first({ deciding: [moved('interviewing', at)] }).what, 'Interviewing, noted 12 min ago.');
});

logic('asks to make an offer to a person who is interviewing', () => {
  assert.is(first({ deciding: [moved('interviewing', `${today}T08:00:00Z`)] }).action, 'offer');
});

logic('asks to accept or decline a person who has an offer', () => {
  const need = first({ deciding: [moved('offered', '2026-11-21T11:00:00Z')] });
  assert.is(need.action, 'accept');
  assert.is(need.what, 'Offered 3 days ago, and not accepted or declined yet.');
});

const starts: [startDate: string, what: string][] = [
  ['2026-11-21', 'Should have started 3 days ago, 1 of 2 openings left, no one is proposed.'],
  ['2026-11-24', 'Starts today, 1 of 2 openings left, no one is proposed.'],
  ['2026-11-25', 'Starts tomorrow, 1 of 2 openings left, no one is proposed.'],
  ['2026-12-01', 'Starts in 7 days, 1 of 2 openings left, no one is proposed.'],
];
for (const [startDate, what] of starts)
  logic(`says of an order that starts on ${startDate}: ${what}`, () => {
    const need = first({ orders: [toOrder({ startDate })] });
    assert.is(need.what, what);
    assert.is(need.action, 'open');
  });

logic('leaves out an order that starts in more than a week', () => {
  assert.equal(list({ orders: [toOrder({ startDate: '2026-12-02' })] }), []);
});

const propose = (count: number, jobOrderId = 'job_1', proposer: string | undefined = undefined) =>
  Array.from({ length: count }, (_, at) =>
    toPlacement({ id: `plc_p${at}`, jobOrderId, status: 'proposed', proposer }),
  );

const proposals: [given: string, records: Record<string, object[]>, what: string][] = [
  [
    'nobody knows who proposed',
    { orders: [toOrder()], proposed: propose(3) },
    '3 proposed, 1 of 2 openings left. The client has no link.',
  ],
  [
    'one agent proposed',
    { orders: [toOrder()], proposed: propose(3, 'job_1', 'Rota agent') },
    'Rota agent proposed 3, 1 of 2 openings left. The client has no link.',
  ],
  [
    'the client has a link',
    { orders: [toOrder({ shortlist: { expiresAt: '2026-12-01T00:00:00Z' } })], proposed: propose(1) },
    '1 proposed, 1 of 2 openings left. The client has a link, too.',
  ],
  [
    'the order starts soon',
    { orders: [toOrder({ startDate: '2026-11-30' })], proposed: propose(3) },
    'Starts in 6 days, 1 of 2 openings left, 3 proposed.',
  ],
  [
    'the order is filled',
    { orders: [toOrder({ status: 'filled', openingsLeft: 0 })], proposed: propose(2) },
    '2 proposed. It is filled already.',
  ],
];
for (const [given, records, what] of proposals)
  logic(`asks once to review the proposals of an order, if ${given}`, () => {
    const needs = list(records);
    assert.is(needs.length, 1);
    assert.is(needs[0]!.what, what);
    assert.is(needs[0]!.action, 'review');
    assert.is(needs[0]!.people, records.proposed!.length);
  });

const work = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    toPlacement({ id: `plc_w${at}`, status: 'active', startDate: '2026-11-01' }),
  );

logic('lists an order that holds more people than it has openings', () => {
  const need = first({ orders: [toOrder({ status: 'filled', openings: 1 })], working: work(6) });
  assert.is(need.what, '6 people for 1 opening. End a placement, or raise the openings.');
});

logic('lists no order that holds as many people as it has openings', () => {
  assert.equal(list({ orders: [toOrder({ status: 'filled', openings: 6 })], working: work(6) }), []);
});

logic('lists an accepted placement without a start', () => {
  const need = first({ working: [toPlacement({ status: 'scheduled' })] });
  assert.is(need.action, 'start');
});

logic('puts a deadline of tomorrow before people who wait, and later deadlines after them', () => {
  const needs = list({
    due: [toDue('2026-11-25')],
    deciding: [moved('interviewing', `${today}T08:00:00Z`)],
    proposed: propose(2, 'job_2'),
    orders: [toOrder({ startDate: '2026-11-30' }), toOrder({ id: 'job_2' })],
  });
  assert.equal(
    needs.map(({ id }) => id),
    ['plc_1', 'job_2', 'plc_interviewing', 'job_1'],
  );
});

logic('puts the person first who has waited longest', () => {
  const needs = list({
    deciding: [moved('interviewing', `${today}T11:00:00Z`), moved('offered', `${today}T08:00:00Z`)],
  });
  assert.equal(
    needs.map(({ status }) => status),
    ['offered', 'interviewing'],
  );
});

logic('lists people whose credential ends, and leaves out what has ended', () => {
  const endsOn = (...days: string[]) => ({
    ...{ id: `cand_${days[0]}`, name: 'Ann Sample', title: 'Nurse', status: 'placed' },
    expiring: days.map((until) => ({ credential: `RN until ${until}`, until })),
  });
  const ending = [endsOn('2000-01-01'), endsOn('2000-01-01', '9000-01-01')];
  const needs = list({ ending });
  assert.equal(
    needs.map(({ kind, action }) => `${kind} ${action}`),
    ['candidate open'],
  );
  assert.match(needs[0]!.what, /^Ends in .*: RN\.$/);
});

logic('says which records were not read', () => {
  const pages = { ...toPages({}), orders: toPage([toOrder()], 312) };
  assert.equal(listUnread(pages), ['Only the newest 1 of 312 open job orders are looked at.']);
});

logic.run();
