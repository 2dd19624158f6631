import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt, onetCode, openWorld } from '../../support/desk-world.ts';
import { collections, type Kind, paths } from '../../support/doors.ts';
import type { Body } from '../../support/http.ts';
import { pluck } from '../../support/rows.ts';

const bad = suite('invalid members');

type World = Awaited<ReturnType<typeof openWorld>>;

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
const ways: Record<
  string,
  (world: World, kind: Kind, sent: object) => { at: string; send(): Promise<Body> }
> = {
  create: (world, kind, sent) => ({
    at: '',
    send: () => world.call('POST', paths[kind], { ...required[kind], ...sent }),
  }),
  update: (world, kind, sent) => ({
    at: '',
    send: () => world.call('PATCH', `${paths[kind]}/%23${refs[kind]}`, sent),
  }),
  batch: (world, kind, sent) => ({
    at: `${collections[kind]}[0].`,
    send: () => world.call('POST', '/batch', { [collections[kind]]: [{ ...required[kind], ...sent }] }),
  }),
  'change in a batch': (world, kind, sent) => ({
    at: 'changes[0].',
    send: () => world.call('POST', '/batch', { changes: [{ id: `#${refs[kind]}`, ...sent }] }),
  }),
};

async function openPlaced(): Promise<World> {
  const world = await openWorld();
  await world.place({ ref: 'x', jobOrderId: '#p', startDate: dayAt(1), plannedEndDate: dayAt(9) });
  return world;
}

/** Reads everything in a workspace, and its revision. */
async function readAll({ ask }: World): Promise<object> {
  const { exportedAt, ...whole } = (await ask('GET', '/workspace/export')).body;
  return { whole, revision: (await ask('GET', '/workspace')).body.workspace.revision };
}

for (const [way, toCall] of Object.entries(ways))
  for (const [kind, sent, place, says, right] of rows)
    bad(`${JSON.stringify(sent)} of a ${kind} is refused: ${way}`, async () => {
      const world = await openPlaced();
      const before = await readAll(world);
      const { at, send } = toCall(world, kind, sent);
      const { body } = await send();
      assert.is(body.code, 'invalid_request', JSON.stringify(body));
      assert.equal(pluck(body.issues, 'path'), [at + place]);
      assert.match(body.issues[0].message, says);
      assert.equal(await readAll(world), before, 'nothing is written');
      const accepted = await toCall(world, kind, right).send();
      assert.is(accepted.body.type, 'OK', JSON.stringify(accepted.body));
    });

for (const [least, most, one, other] of [
  ['payRateUsdHour', 'payRateMaxUsdHour', 50, 60],
  ['salaryUsdYear', 'salaryMaxUsdYear', 90_000, 120_000],
] as const)
  bad(`a change of ${least} alone is refused above the stored ${most}`, async () => {
    const world = await openWorld({ o: { [least]: one, [most]: other } });
    const change = (sent: object) => world.call('PATCH', '/job-orders/%23o', sent);
    const { body } = await change({ [least]: other + 1 });
    assert.is(body.code, 'invalid_request');
    assert.equal(pluck(body.issues, 'path'), [most]);
    assert.match(body.issues[0].message, /send a higher one, or remove it/);
    assert.is((await change({ [least]: other })).body.type, 'OK');
    assert.is((await change({ [least]: other + 1, [most]: other + 1 })).body.type, 'OK');
  });

for (const path of ['/job-orders', '/candidates', '/job-orders/%23o/matches'])
  bad(`a filter by a workplace that is none is refused at ${path}`, async () => {
    const world = await openWorld();
    const call = (workplace: string) => world.ask('GET', `${path}?workplace=${workplace}`);
    const { body } = await call('office');
    assert.is(body.code, 'invalid_request', JSON.stringify(body));
    assert.equal(pluck(body.issues, 'path'), ['workplace']);
    assert.match(body.issues[0].message, /onsite, hybrid, remote/);
    assert.is.not((await call('remote')).body.type, 'BLOCKED');
  });

bad.run();
