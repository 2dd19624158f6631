import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { nurse, order, readPlan, world } from '../../support/plans.ts';

const ends = suite('credentials that end during the work');

/** The last day of a credential, the days of an order, and whether it ends during the work. */
const rows: [until: number, days: object, isDuring: boolean][] = [
  [48, { startDate: dayAt(0), endDate: dayAt(88) }, true],
  [0, { startDate: dayAt(0), endDate: dayAt(88) }, true],
  [87, { startDate: dayAt(0), endDate: dayAt(88) }, true],
  [88, { startDate: dayAt(0), endDate: dayAt(88) }, false],
  [89, { startDate: dayAt(0) }, true],
  [90, { startDate: dayAt(0) }, false],
  [99, { startDate: dayAt(10) }, true],
  [89, {}, true],
  [90, {}, false],
];

for (const [until, days, isDuring] of rows)
  ends(`a licence until day ${until} for ${JSON.stringify(days)}: ${isDuring}`, async () => {
    const credentials = [`ACLS (exp. ${dayAt(until)})`];
    const desk = await world.open({
      candidates: [nurse('a', { credentials })],
      jobOrders: [order('o', { requires: ['ACLS card'], ...days })],
    });
    const { body } = await desk.get('/job-orders/%23o/matches?scope=workspace');
    const expected = isDuring ? [{ requirement: 'ACLS card', until: dayAt(until) }] : [];
    assert.equal(body.matches[0].endsDuring, expected);
    assert.is(body.matches[0].meets, true);
    assert.equal((await readPlan(desk)).plan[0].endsDuring, expected);
  });

ends('names the licence that the occupation needs', async () => {
  const desk = await world.open({
    candidates: [nurse('a', { credentials: [`RN license OH until ${dayAt(48)}`] })],
    jobOrders: [order('o', { startDate: dayAt(0), endDate: dayAt(88) })],
  });
  const { body } = await desk.get('/job-orders/%23o/matches?scope=workspace');
  assert.equal(body.matches[0].endsDuring, [
    { requirement: 'licence as a registered nurse', until: dayAt(48) },
  ]);
});

ends('matches come by meets, then by what ends during the work, then by score', async () => {
  const acls = (until: number) => ({ credentials: [`ACLS until ${dayAt(until)}`] });
  const desk = await world.open({
    candidates: [
      nurse('fits', acls(40)),
      nurse('lasts', { ...acls(400), metro: 'Austin, TX' }),
      nurse('expired', acls(-1)),
    ],
    jobOrders: [order('o', { requires: ['ACLS'] })],
  });
  for (const limit of [1, 3]) {
    const found: string[] = [];
    let path: string | undefined = `/job-orders/%23o/matches?scope=workspace&limit=${limit}`;
    while (path) {
      const { body }: { body: Body } = await desk.get(path);
      found.push(...body.matches.map(({ candidate }: Body) => candidate.ref));
      path =
        body.nextCursor &&
        `/job-orders/%23o/matches?scope=workspace&limit=${limit}&cursor=${body.nextCursor}`;
    }
    assert.equal(found, ['lasts', 'fits', 'expired']);
  }
});

const codesOf = ({ warnings = [] }: Body) => warnings.map(({ code }: Body) => code);

ends('a proposal, an acceptance and a shortlist name it', async () => {
  const desk = await world.open({
    candidates: [nurse('a', { credentials: [`ACLS until ${dayAt(48)}`] })],
    jobOrders: [order('o', { requires: ['ACLS'], startDate: dayAt(0), endDate: dayAt(88) })],
  });
  const pair = { candidateId: '#a', jobOrderId: '#o', onetCode: '29-1141.03', startDate: dayAt(0) };
  const made = await desk.post('/placements', { ...pair, status: 'proposed' });
  assert.equal(codesOf(made.body), ['ends_during_work']);
  assert.is(made.body.warnings[0].advice, true);
  const link = await desk.ask('POST', '/job-orders/%23o/shortlist');
  const headers = { 'x-shortlist': link.body.shortlist.token };
  const { body } = await world.get('/shortlist', headers);
  assert.equal(body.shortlist.placements[0].endsDuring, [{ requirement: 'ACLS', until: dayAt(48) }]);
  const accepted = await desk.patch(made.body.placement.links.self, { status: 'scheduled' });
  assert.equal(codesOf(accepted.body), ['ends_during_work']);
});

ends('what a placement states decides when the work ends', async () => {
  const rowsOf: [more: object, codes: string[]][] = [
    [{ plannedEndDate: dayAt(40) }, []],
    [{ plannedEndDate: dayAt(60) }, ['ends_during_work']],
    [{ guaranteeDays: 40 }, []],
    [{}, ['ends_during_work']],
  ];
  for (const [more, codes] of rowsOf) {
    const desk = await world.open({
      candidates: [nurse('a', { credentials: [`ACLS until ${dayAt(48)}`] })],
      jobOrders: [order('o', { requires: ['ACLS'] })],
    });
    const body = {
      candidateId: '#a',
      jobOrderId: '#o',
      onetCode: '29-1141.03',
      startDate: dayAt(0),
      ...more,
    };
    assert.equal(codesOf((await desk.post('/placements', body)).body), codes, JSON.stringify(more));
  }
});

ends('lists who holds what expires before a day, soonest first', async () => {
  const desk = await world.open({
    candidates: [
      nurse('late', { credentials: ['BLS', `ACLS exp ${dayAt(50)}`] }),
      nurse('soon', { credentials: [`ACLS until ${dayAt(90)}`, `RN OH (expires ${dayAt(5)})`] }),
      nurse('none', { credentials: ['ACLS', 'BLS until next year'] }),
      nurse('after', { credentials: [`ACLS until ${dayAt(60)}`] }),
    ],
  });
  const { body } = await desk.get(`/candidates?expiresBefore=${dayAt(60)}&fields=ref`);
  const expected = [
    ['soon', [{ credential: `RN OH (expires ${dayAt(5)})`, until: dayAt(5) }]],
    ['late', [{ credential: `ACLS exp ${dayAt(50)}`, until: dayAt(50) }]],
  ];
  const read = ({ candidates }: Body) => candidates.map(({ ref, expiring }: Body) => [ref, expiring]);
  assert.equal(read(body), expected);
  const turned = await desk.get(`/candidates?expiresBefore=${dayAt(60)}&sort=-expires`);
  assert.equal(read(turned.body), expected.toReversed());
  const first = await desk.get(`/candidates?expiresBefore=${dayAt(60)}&limit=1`);
  const { nextCursor } = first.body;
  const next = await desk.get(`/candidates?expiresBefore=${dayAt(60)}&limit=1&cursor=${nextCursor}`);
  assert.equal(read(next.body), expected.slice(1));
});

ends.run();
