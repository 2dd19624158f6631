import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildService } from '../../../src/hosts/build/build-service.ts';
import { dayAt, noon } from '../../support/days.ts';
import { createGatedWorld, gateDay } from '../../support/gated-people.ts';
import type { Body } from '../../support/http.ts';
import { onetCode, toBody } from '../../support/sandbox.ts';
import { listMatches, place } from '../../support/small-desk.ts';
import { World } from '../../support/world.ts';

const days = suite('the days of the work that gates look at');
const matcher = await buildService().matcher();

days('an order whose start is past is judged as one that starts today', () => {
  const { drawOrder, drawCandidate, drawHolds } = createGatedWorld(71);
  let unmet = 0;
  for (let draw = 0; draw < 400; draw += 1) {
    const [order, person, held] = [
      drawOrder(draw),
      drawCandidate(draw),
      { holds: drawHolds(), today: gateDay },
    ];
    const judge = (startDate: string) => {
      const match = matcher.match({ ...order, startDate }, person, { held });
      const texts = match.unmet.map((text) => text.replace(/ (starts|was to start) on .*/, ''));
      return { ...match, unmet: texts };
    };
    const past = judge('2026-10-01');
    assert.equal(past, judge(gateDay), JSON.stringify({ order, person, held }));
    if (past.unmet.length > 0) unmet += 1;
  }
  assert.ok(unmet > 50 && unmet < 390, String(unmet));
});

/** Opens a desk with a person and an order, and returns it with the match of the two. */
async function openPair(person: object, order: object, more: object = {}) {
  const world = new World({ now: noon });
  const desk = await world.open({
    candidates: [toBody.candidate({ ref: 'a', ...person })],
    jobOrders: [toBody.jobOrder({ ref: 'o', ...order }), toBody.jobOrder({ ref: 'p' })],
    ...more,
  });
  const [match] = await listMatches(desk);
  return { world, desk, match: match! };
}

const warningsOf = ({ body }: { body: Body }): string[] =>
  (body.warnings ?? []).filter(({ advice }: Body) => !advice).map(({ message }: Body) => message);

const placed = (terms: object) => ({
  placements: [toBody.placement({ candidateId: '#a', jobOrderId: '#p', onetCode, ...terms })],
});

for (const [title, person, order, more] of [
  ['a credential ended since', { credentials: [`BLS until ${dayAt(-5)}`] }, { startDate: dayAt(-20) }],
  ['a person is available since', { availableFrom: dayAt(-3) }, { startDate: dayAt(-20) }],
  ['a person is not available yet', { availableFrom: dayAt(3) }, { startDate: dayAt(-20) }],
  [
    'a placement ended since',
    {},
    { startDate: dayAt(-20) },
    placed({ startDate: dayAt(-90), endDate: dayAt(-3), endReason: 'finished' }),
  ],
  [
    'a placement ends before the order starts',
    {},
    { startDate: dayAt(90), endDate: dayAt(200) },
    placed({ startDate: dayAt(-90), plannedEndDate: dayAt(60) }),
  ],
  [
    'a placement begins after the order ends',
    {},
    { startDate: dayAt(1), endDate: dayAt(20) },
    placed({ startDate: dayAt(21) }),
  ],
] as const)
  days(`${title}: a proposal warns of what the match finds unmet`, async () => {
    const { desk, match } = await openPair(person, { requires: ['BLS'], ...order }, more);
    const proposed = await place(desk, { status: 'proposed' });
    assert.equal(warningsOf(proposed).sort(), match.unmet.toSorted());
  });

days('an order that should have started says so to who is available later', async () => {
  const { match } = await openPair({ availableFrom: dayAt(3) }, { startDate: dayAt(-20) });
  assert.equal(match.unmet, [`is available from ${dayAt(3)}; the work was to start on ${dayAt(-20)}`]);
});

days('work that is recorded later is judged as of its own start', async () => {
  const { desk } = await openPair({ credentials: [`BLS until ${dayAt(-5)}`] }, { requires: ['BLS'] });
  assert.equal(warningsOf(await place(desk, { startDate: dayAt(-20), plannedEndDate: dayAt(-10) })), []);
});

days('a shortlist shows a person by the days and hours of the placement', async () => {
  const person = { credentials: [`BLS until ${dayAt(40)}`], availableFrom: dayAt(30), hoursPerWeek: 40 };
  const order = { requires: ['BLS'], startDate: dayAt(20), hoursPerWeek: 40 };
  const more = placed({ startDate: dayAt(-10), hoursPerWeek: 20 });
  const { world, desk } = await openPair(person, order, more);
  const proposed = await place(desk, { status: 'proposed', startDate: dayAt(60), hoursPerWeek: 20 });
  const { shortlist } = (await desk.post('/job-orders/%23o/shortlist', {})).body;
  const [row] = (await world.get('/shortlist', { 'x-shortlist': shortlist.token })).body.shortlist.placements;
  assert.equal(row.unmet, [`"BLS" expired ${dayAt(40)}`]);
  assert.equal(row.unmet, warningsOf(proposed));
  assert.equal(row.missing, [{ phrase: 'BLS', until: dayAt(40) }]);
});

days('the history of a match with a seed record is that of the seed', async () => {
  const world = new World({ now: noon + 200 * 86_400_000 });
  for (const { id } of (await world.get('/job-orders?limit=200')).body.jobOrders) {
    const { matches = [] } = (await world.get(`/job-orders/${id}/matches?limit=50`)).body;
    for (const { history } of matches.filter((match: Body) => match.history)) {
      const { placement } = (await world.get(`/placements/${history.placementId}`)).body;
      assert.is(history.status, placement.status, history.placementId);
    }
  }
});

days.run();
