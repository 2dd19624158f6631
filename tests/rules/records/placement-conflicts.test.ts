import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { strict } from '../../support/sandbox.ts';
import {
  changePlacement,
  codesOf,
  isRefused,
  listMatches,
  openSmallDesk,
  place,
  readCandidate,
  readOrder,
} from '../../support/small-desk.ts';

const conflicts = suite('conflicts of placements');

/** Pay of an order, pay and hours of a placement on it, what the candidate asks, and the warnings. */
const pays: [name: string, order: object, placement: object, asks: object, codes: string[]][] = [
  ['the order, if it states none', { salaryUsdYear: 90_000 }, {}, { salaryUsdYear: 100_000 }, ['asks_more']],
  [
    'its own rate instead of a salary',
    { salaryUsdYear: 90_000 },
    { payRateUsdHour: 60 },
    { salaryUsdYear: 100_000 },
    [],
  ],
  [
    'its own rate instead of a higher salary',
    { salaryUsdYear: 90_000, salaryMaxUsdYear: 120_000 },
    { payRateUsdHour: 45 },
    { salaryUsdYear: 100_000 },
    ['asks_more'],
  ],
  [
    'its own rate instead of a range',
    { payRateUsdHour: 40, payRateMaxUsdHour: 60 },
    { payRateUsdHour: 50 },
    { payRateUsdHour: 55 },
    ['asks_more'],
  ],
  ['its own hours', { payRateUsdHour: 50 }, { hoursPerWeek: 20 }, { salaryUsdYear: 104_000 }, ['asks_more']],
];

for (const [name, order, placement, asks, codes] of pays)
  conflicts(`compares the pay of a placement by ${name}`, async () => {
    const desk = await openSmallDesk({ a: asks, o: order });
    assert.equal(codesOf(await place(desk, placement)), codes);
  });

conflicts('a proposal gets the warnings of an acceptance', async () => {
  const desk = await openSmallDesk();
  await place(desk, { candidateId: '#b', startDate: dayAt(0) });
  await desk.patch('/job-orders/%23p', { status: 'closed' });
  await desk.patch('/candidates/%23a', { status: 'withdrawn' });
  const proposed = { status: 'proposed' };
  assert.equal(codesOf(await place(desk, proposed)), ['withdrawn', 'already_filled']);
  assert.equal(codesOf(await place(desk, { ...proposed, jobOrderId: '#p' })), ['withdrawn', 'closed']);
  assert.is((await place(desk, { ...proposed, jobOrderId: '#p' }, strict)).body.code, 'conflict');
});

for (const declineReason of ['client', 'candidate'])
  conflicts(`warns of proposing a pair that the ${declineReason} declined`, async () => {
    const desk = await openSmallDesk();
    await place(desk, { ref: 'x', status: 'proposed' });
    await changePlacement(desk, 'x', { status: 'declined', declineReason });
    const again = await place(desk, { status: 'proposed' });
    assert.equal(codesOf(again), ['already_declined']);
    assert.match(again.body.warnings[0].message, declineReason);
    assert.equal(codesOf(await place(desk, { status: 'proposed', jobOrderId: '#p' })), []);
  });

conflicts('a credential expires on its last day, however many spaces are before it', async () => {
  const a = { credentials: [`BLS until  ${dayAt(-1)}`] };
  const desk = await openSmallDesk({ a, o: { requires: ['BLS'] } });
  assert.equal(codesOf(await place(desk, { startDate: dayAt(0) })), ['requirement_unmet']);
});

conflicts('a proposal of a pair that was declined because the order closed gets no warning', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', status: 'proposed' });
  await changePlacement(desk, 'x', { status: 'declined', declineReason: 'closed' });
  assert.equal(codesOf(await place(desk, { status: 'proposed' })), []);
});

conflicts('a person who was declined and is proposed again is on the shortlist once', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', status: 'proposed' });
  const { body } = await desk.post('/job-orders/%23o/shortlist', {});
  const held = { 'x-shortlist': body.shortlist.token };
  const read = async () => (await desk.world.get('/shortlist', held)).body.shortlist.placements;
  const [{ id, tag }] = await read();
  await desk.world.post('/shortlist', { placementId: id, decision: 'decline', tag }, held);
  assert.equal(codesOf(await place(desk, { ref: 'y', status: 'proposed' })), ['already_declined']);
  const rows = await read();
  assert.is(rows.length, 1);
  assert.is(rows[0].status, 'proposed');
});

conflicts('a person who has withdrawn cannot be decided on', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', status: 'proposed' });
  const { body } = await desk.post('/job-orders/%23o/shortlist', {});
  const held = { 'x-shortlist': body.shortlist.token };
  const [{ id, tag }] = (await desk.world.get('/shortlist', held)).body.shortlist.placements;
  await desk.patch('/candidates/%23a', { status: 'withdrawn' });
  const decided = await desk.world.ask(
    'POST',
    '/shortlist',
    { placementId: id, decision: 'interview', tag },
    held,
  );
  assert.is(decided.status, 404);
  assert.equal((await desk.world.get('/shortlist', held)).body.shortlist.placements, []);
});

conflicts('a later or removed end warns of its new conflicts', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-50) });
  await changePlacement(desk, 'x', { endDate: dayAt(-20), endReason: 'other' });
  await place(desk, { ref: 'y', jobOrderId: '#p', startDate: dayAt(-10) });
  await place(desk, { candidateId: '#b', startDate: dayAt(-5) });
  const ask = async (body: object) => codesOf(await changePlacement(desk, 'x', body));
  assert.equal(await ask({ endDate: dayAt(-11) }), ['outcome_open']);
  assert.equal(await ask({ endDate: dayAt(-10) }), ['already_placed', 'outcome_open']);
  assert.equal(await ask({ note: 'Nothing new.' }), []);
  assert.equal(
    await ask({ endDate: null }),
    ['already_filled'],
    'the conflict that existed before is not repeated',
  );
  const changed = await changePlacement(desk, 'x', { endDate: dayAt(-10), endReason: 'other' }, strict);
  assert.not(isRefused(changed), 'a smaller conflict is not new');
});

conflicts('a later planned end warns of the work after it', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-50), plannedEndDate: dayAt(5) });
  await place(desk, { ref: 'y', jobOrderId: '#p', startDate: dayAt(6) });
  assert.is((await changePlacement(desk, 'x', { plannedEndDate: dayAt(6) }, strict)).body.code, 'conflict');
  assert.equal(codesOf(await changePlacement(desk, 'x', { plannedEndDate: dayAt(6) })), ['already_placed']);
});

for (const [path, other] of [
  ['/candidates/%23a', 'order'],
  ['/job-orders/%23o', 'person'],
] as const) {
  for (const [name, more] of [
    ['a proposal', { status: 'proposed' }],
    ['work', { startDate: dayAt(-5) }],
    ['work to come', { startDate: dayAt(5) }],
  ] as const)
    conflicts(`deleting ${path} warns of ${name}, and then nothing holds the ${other}`, async () => {
      const desk = await openSmallDesk();
      await place(desk, { ref: 'x', ...more });
      const refused = await desk.delete(path, strict);
      assert.is(refused.status, 409);
      assert.is(refused.body.code, 'conflict');
      const { status, body } = await desk.delete(path);
      assert.is(status, 200);
      assert.equal(codesOf({ body }), ['has_placements']);
      const left = await (other === 'order' ? readOrder(desk) : readCandidate(desk));
      assert.is(left.status, other === 'order' ? 'open' : 'available');
    });

  conflicts(`deleting ${path} gives no warning of work that is over`, async () => {
    const desk = await openSmallDesk();
    await place(desk, { ref: 'x', startDate: dayAt(-50), plannedEndDate: dayAt(-1) });
    const { body } = await desk.delete(path);
    assert.equal(codesOf({ body }), []);
  });
}

conflicts('a placement without a candidate fills no opening', async () => {
  const desk = await openSmallDesk();
  const { body } = await place(desk, { candidateId: 'cand_nonesuch', startDate: dayAt(-5) });
  assert.equal(codesOf({ body }), ['unresolved_reference']);
  assert.is((await readOrder(desk)).status, 'open');
});

/** When an order begins, and the conflict for a person who is placed until day 35. */
const starts: [order: object, unmet: RegExp | undefined][] = [
  [{ startDate: dayAt(36) }, undefined],
  [{ startDate: dayAt(35) }, /^is placed already on \d{4}-\d\d-\d\d, by a placement from .* to /],
  [{ startDate: dayAt(10), endDate: dayAt(12) }, /^is placed already/],
  [{}, /^is placed already/],
];
for (const [order, unmet] of starts)
  conflicts(`a match compares the days of an order ${JSON.stringify(order)}`, async () => {
    const desk = await openSmallDesk({ o: order });
    await place(desk, { jobOrderId: '#p', startDate: dayAt(-100), plannedEndDate: dayAt(35) });
    const match = (await listMatches(desk)).find(({ candidate }) => candidate.ref === 'a')!;
    assert.is(match.meets, unmet === undefined);
    if (unmet) assert.match(match.unmet.join(), unmet);
    assert.not(match.unknown.includes('availability not stated'), 'the placement says when');
    const free = (await listMatches(desk)).find(({ candidate }) => candidate.ref === 'b')!;
    assert.is(free.unknown.includes('availability not stated'), 'startDate' in order);
  });

conflicts('part time that is too much names the hours', async () => {
  const desk = await openSmallDesk();
  await place(desk, { jobOrderId: '#p', startDate: dayAt(-1), hoursPerWeek: 20 });
  const { body } = await place(desk, { startDate: dayAt(5), hoursPerWeek: 30 });
  const { message } = body.warnings.find(({ code }: Body) => code === 'already_placed');
  assert.match(message, /: 50 hours a week in all, and 40 is the most$/);
});

conflicts('matches leave out withdrawn people, and show placed ones', async () => {
  const desk = await openSmallDesk();
  await place(desk, { jobOrderId: '#p', startDate: dayAt(-1) });
  const refs = async () => (await listMatches(desk)).map(({ candidate }) => candidate.ref);
  assert.equal(await refs(), ['b', 'a']);
  await desk.patch('/candidates/%23b', { status: 'withdrawn' });
  assert.equal(await refs(), ['a']);
});

conflicts.run();
