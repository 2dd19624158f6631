import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import { collections, type Kind, paths } from '../../support/doors.ts';
import type { Body } from '../../support/http.ts';
import { pluck } from '../../support/rows.ts';
import { onetCode } from '../../support/sandbox.ts';
import { openSmallDesk, place } from '../../support/small-desk.ts';
import type { Desk } from '../../support/world.ts';

const bad = suite('invalid members');

/** Bad members of a record, the place that the refusal names and what it says, and members that are accepted. */
type Row = [kind: Kind, sent: object, place: string, says: RegExp, right: object];

const rows: Row[] = [
  ...(['candidate', 'jobOrder', 'placement'] as const).flatMap((kind): Row[] => [
    [kind, { hoursPerWeek: 0 }, 'hoursPerWeek', /1 to 80|at least 1/, { hoursPerWeek: 1 }],
    [kind, { hoursPerWeek: 81 }, 'hoursPerWeek', /1 to 80|at most 80/, { hoursPerWeek: 80 }],
    [kind, { hoursPerWeek: 37.5 }, 'hoursPerWeek', /whole number/, { hoursPerWeek: 37 }],
  ]),
  [
    'jobOrder',
    { payRateUsdHour: 50, payRateMaxUsdHour: 49.5 },
    'payRateMaxUsdHour',
    /not be below payRateUsdHour, 50/,
    { payRateUsdHour: 50, payRateMaxUsdHour: 50 },
  ],
  [
    'jobOrder',
    { salaryUsdYear: 90_000, salaryMaxUsdYear: 80_000 },
    'salaryMaxUsdYear',
    /not be below salaryUsdYear, 90000/,
    { salaryUsdYear: 90_000, salaryMaxUsdYear: 90_000 },
  ],
  ['jobOrder', { workplace: 'office' }, 'workplace', /onsite, hybrid, remote/, { workplace: 'onsite' }],
  ['jobOrder', { workplace: 'Remote ' }, 'workplace', /onsite, hybrid, remote/, { workplace: 'remote' }],
  [
    'candidate',
    { workplaces: ['remote', 'home'] },
    'workplaces[1]',
    /onsite, hybrid, remote/,
    { workplaces: ['remote', 'hybrid'] },
  ],
];

const required: Record<Kind, object> = {
  candidate: { name: 'Cy Moe', onetCode },
  jobOrder: { client: 'Example Works', title: 'Developer', onetCode },
  placement: { candidateId: '#a', jobOrderId: '#o', onetCode },
};

const refs: Record<Kind, string> = { candidate: 'a', jobOrder: 'o', placement: 'x' };

/** The ways to send members of a record, and the place of the record in what is sent. */
const ways: Record<string, (desk: Desk, kind: Kind, sent: object) => { at: string; send(): Promise<Body> }> =
  {
    create: (desk, kind, sent) => ({
      at: '',
      send: () => desk.post(paths[kind], { ...required[kind], ...sent }),
    }),
    update: (desk, kind, sent) => ({
      at: '',
      send: () => desk.patch(`${paths[kind]}/%23${refs[kind]}`, sent),
    }),
    batch: (desk, kind, sent) => ({
      at: `${collections[kind]}[0].`,
      send: () => desk.post('/batch', { [collections[kind]]: [{ ...required[kind], ...sent }] }),
    }),
    'change in a batch': (desk, kind, sent) => ({
      at: 'changes[0].',
      send: () => desk.post('/batch', { changes: [{ id: `#${refs[kind]}`, ...sent }] }),
    }),
  };

async function openPlaced(): Promise<Desk> {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', jobOrderId: '#p', startDate: dayAt(1), plannedEndDate: dayAt(9) });
  return desk;
}

/** Reads everything in a workspace, and its revision. */
async function readAll({ ask }: Desk): Promise<object> {
  const { exportedAt, ...whole } = (await ask('GET', '/workspace/export')).body;
  return { whole, revision: (await ask('GET', '/workspace')).body.workspace.revision };
}

for (const [way, toCall] of Object.entries(ways))
  for (const [kind, sent, place, says, right] of rows)
    bad(`${JSON.stringify(sent)} of a ${kind} is refused: ${way}`, async () => {
      const desk = await openPlaced();
      const before = await readAll(desk);
      const { at, send } = toCall(desk, kind, sent);
      const { body } = await send();
      assert.is(body.code, 'invalid_request', JSON.stringify(body));
      assert.equal(pluck(body.issues, 'path'), [at + place]);
      assert.match(body.issues[0].message, says);
      assert.equal(await readAll(desk), before, 'nothing is written');
      const accepted = await toCall(desk, kind, right).send();
      assert.is(accepted.body.type, 'OK', JSON.stringify(accepted.body));
    });

for (const [least, most, one, other] of [
  ['payRateUsdHour', 'payRateMaxUsdHour', 50, 60],
  ['salaryUsdYear', 'salaryMaxUsdYear', 90_000, 120_000],
] as const)
  bad(`a change of ${least} alone is refused above the stored ${most}`, async () => {
    const desk = await openSmallDesk({ o: { [least]: one, [most]: other } });
    const change = (sent: object) => desk.patch('/job-orders/%23o', sent);
    const { body } = await change({ [least]: other + 1 });
    assert.is(body.code, 'invalid_request');
    assert.equal(pluck(body.issues, 'path'), [most]);
    assert.match(body.issues[0].message, /send a higher one, or remove it/);
    assert.is((await change({ [least]: other })).body.type, 'OK');
    assert.is((await change({ [least]: other + 1, [most]: other + 1 })).body.type, 'OK');
  });

for (const path of ['/job-orders', '/candidates', '/job-orders/%23o/matches'])
  bad(`a filter by a workplace that is none is refused at ${path}`, async () => {
    const desk = await openSmallDesk();
    const call = (workplace: string) => desk.get(`${path}?workplace=${workplace}`);
    const { body } = await call('office');
    assert.is(body.code, 'invalid_request', JSON.stringify(body));
    assert.equal(pluck(body.issues, 'path'), ['workplace']);
    assert.match(body.issues[0].message, /onsite, hybrid, remote/);
    assert.is.not((await call('remote')).body.type, 'BLOCKED');
  });

bad.run();
