import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { codesOf, listMatches, openSmallDesk, place } from '../../support/small-desk.ts';

const gates = suite('gates');

interface Row {
  order: object;
  person: object;
  meets: boolean | null;
  unmet?: string[];
  unknown?: string[];
}

const rows: Record<string, Row> = {
  'nothing to compare': { order: {}, person: {}, meets: null },
  'pay by the hour that is enough': {
    order: { payRateUsdHour: 40, payRateMaxUsdHour: 50 },
    person: { payRateUsdHour: 50 },
    meets: true,
  },
  'pay by the hour that is too little': {
    order: { payRateUsdHour: 40, payRateMaxUsdHour: 50 },
    person: { payRateUsdHour: 50.5 },
    meets: false,
    unmet: ['asks $50.50 an hour; the order pays at most $50'],
  },
  'a salary that is too little': {
    order: { salaryUsdYear: 90_000 },
    person: { salaryUsdYear: 100_000 },
    meets: false,
    unmet: ['asks $100,000 a year; the order pays at most $90,000'],
  },
  'a salary for an hourly order of 40 hours': {
    order: { payRateUsdHour: 50 },
    person: { salaryUsdYear: 104_000 },
    meets: true,
  },
  'a salary for an hourly order of 20 hours': {
    order: { payRateUsdHour: 50, hoursPerWeek: 20 },
    person: { salaryUsdYear: 104_000 },
    meets: false,
    unmet: ['asks $104,000 a year; the order pays at most $52,000'],
  },
  'an hourly rate for a salaried order': {
    order: { salaryUsdYear: 104_000 },
    person: { payRateUsdHour: 50 },
    meets: true,
  },
  'a candidate who asks for no pay': {
    order: { payRateUsdHour: 40 },
    person: {},
    meets: null,
    unknown: ['pay not stated'],
  },
  'an order that states no pay': {
    order: {},
    person: { payRateUsdHour: 40 },
    meets: null,
  },
  'a workplace that fits': {
    order: { workplace: 'remote' },
    person: { workplaces: ['hybrid', 'remote'] },
    meets: true,
  },
  'another workplace': {
    order: { workplace: 'onsite' },
    person: { workplaces: ['hybrid', 'remote'] },
    meets: false,
    unmet: ['works hybrid, remote; the work is onsite'],
  },
  'a workplace that is not stated': {
    order: { workplace: 'onsite' },
    person: {},
    meets: null,
    unknown: ['workplace not stated'],
  },
  'a credential that expired': {
    order: { requires: ['RN license PA'], startDate: dayAt(60) },
    person: { credentials: [`RN license PA until ${dayAt(59)}`], availableFrom: dayAt(0) },
    meets: false,
    unmet: [`"RN license PA" expired ${dayAt(59)}`],
  },
  'a credential that is valid on the first day': {
    order: { requires: ['RN license PA'], startDate: dayAt(60) },
    person: { credentials: [`RN license PA until ${dayAt(60)}`], availableFrom: dayAt(0) },
    meets: true,
  },
  'a credential that expired before today': {
    order: { requires: ['BLS'] },
    person: { credentials: [`BLS until ${dayAt(-1)}`] },
    meets: false,
    unmet: [`"BLS" expired ${dayAt(-1)}`],
  },
};

for (const [name, { order, person, meets, unmet = [], unknown = [] }] of Object.entries(rows))
  gates(`${name}`, async () => {
    const desk = await openSmallDesk({ a: person, o: order });
    const query = '/job-orders/%23o/matches?scope=workspace';
    const { body } = await desk.get(query);
    const match = body.matches.find(({ candidate }: Body) => candidate.ref === 'a');
    assert.is(match.meets, meets);
    assert.equal(match.unmet ?? [], unmet);
    assert.equal(match.unknown ?? [], unknown);
  });

for (const [first, second, verdict, codes] of [
  [20, 20, 'no conflict', []],
  [30, 20, 'a conflict', ['already_placed']],
] as const)
  gates(`${first} and ${second} hours a week are ${verdict}`, async () => {
    const desk = await openSmallDesk();
    await place(desk, { ref: 'x', startDate: dayAt(-5), hoursPerWeek: first });
    const next = { jobOrderId: '#p', startDate: dayAt(0), hoursPerWeek: second };
    assert.equal(codesOf(await place(desk, next)), codes);
  });

gates('a placement without hours has those of its job order', async () => {
  const desk = await openSmallDesk({ o: { hoursPerWeek: 20 } });
  await place(desk, { ref: 'x', startDate: dayAt(-5) });
  assert.equal(codesOf(await place(desk, { jobOrderId: '#p', hoursPerWeek: 20 })), []);
});

gates('unstated=unmet makes what is not stated unmet', async () => {
  const desk = await openSmallDesk({ o: { workplace: 'onsite' } });
  const { body } = await desk.get('/job-orders/%23o/matches?scope=workspace&unstated=unmet');
  assert.is(body.matches[0].meets, false);
  assert.equal(body.matches[0].unmet, ['workplace not stated']);
  assert.equal(body.matches[0].unknown, []);
});

gates('meets=true leaves out a pair of which nothing was compared', async () => {
  const desk = await openSmallDesk({ a: { workplaces: ['onsite'] }, o: { workplace: 'onsite' } });
  const { body } = await desk.get('/job-orders/%23o/matches?scope=workspace&meets=true');
  assert.equal(
    body.matches.map(({ candidate }: Body) => candidate.ref),
    ['a'],
  );
});

gates('meets=true without a match says how to see the others', async () => {
  const desk = await openSmallDesk();
  const { body } = await desk.get('/job-orders/%23o/matches?scope=workspace&meets=true');
  assert.is(
    body.message,
    'Every candidate has an unmet gate, or nothing to compare. Leave meets out to see them.',
  );
});

gates('a match shows the shift and the pay that were compared', async () => {
  const desk = await openSmallDesk({
    a: { shifts: ['day', 'night'], payRateUsdHour: 45 },
    o: { shift: 'night', payRateUsdHour: 50 },
  });
  const match = (await listMatches(desk)).find(({ candidate }) => candidate.ref === 'a')!;
  assert.equal(match.shift, { order: 'night', candidate: ['day', 'night'] });
  assert.equal(match.pay, { asks: 45, most: 50, per: 'hour' });
});

gates('remote work earns the points of the metro area', async () => {
  const desk = await openSmallDesk({
    a: { metro: 'Austin, TX' },
    o: { workplace: 'remote', metro: 'Columbus, OH' },
  });
  const match = (await listMatches(desk)).find(({ candidate }) => candidate.ref === 'a')!;
  const metro = match.reasons.find(({ factor }: Body) => factor === 'metro');
  assert.is(metro.text, 'the work is remote');
  assert.is(metro.points, 15);
});

gates('a placement advises of a credential that expires within 30 days after its start', async () => {
  const desk = await openSmallDesk({
    a: { credentials: [`BLS until ${dayAt(30)}`] },
    o: { requires: ['BLS'] },
  });
  const soon = await place(desk, { startDate: dayAt(0) });
  assert.equal(codesOf(soon), ['expires_soon', 'ends_during_work']);
  assert.is(soon.body.warnings[0].advice, true);
});

gates("a licence that a credential shows ends on the credential's last day", async () => {
  const desk = await openSmallDesk({
    a: { credentials: [`CDL A until ${dayAt(10)}`] },
    o: { onetCode: '53-3032.00', startDate: dayAt(11) },
  });
  const match = (await listMatches(desk)).find(({ candidate }) => candidate.ref === 'a')!;
  assert.ok(match.unmet.includes(`the licence as a commercial truck driver (CDL) expired ${dayAt(10)}`));
});

gates.run();
