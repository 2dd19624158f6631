import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import { collections, type Kind, kinds, paths } from '../../support/doors.ts';
import type { Body, Reply } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';
import { onetCode } from '../../support/sandbox.ts';
import { openSmallDesk, place } from '../../support/small-desk.ts';
import type { Desk } from '../../support/world.ts';

const members = suite('the members of a record');

/** What is sent as a member: values that are taken, and values that are refused, each with the place that is named. */
interface Values {
  taken: unknown[];
  refused: [value: unknown, place: string][];
}

const toTexts = (count: number, characters: number) =>
  Array.from({ length: count }, (_, at) => `${at}`.padEnd(characters, 'é'));

/** Returns values at and beyond each limit of a member, by its schema in the contract. */
function drawValues(name: string, schema: Body): Values {
  const refuse = (...values: unknown[]) => values.map((value): [unknown, string] => [value, name]);
  const { type, format, minimum, maximum, maxLength, maxItems, items } = schema;
  if (type === 'array') {
    const { enum: known, maxLength: longest } = items;
    const full = known ?? toTexts(maxItems, longest);
    const wrong = known ? ['none', known[0].toUpperCase()] : ['', 'é'.repeat(longest + 1), {}];
    return {
      taken: [full],
      refused: [
        ...refuse([...full, full[0]]),
        ...wrong.map((value): [unknown, string] => [[full[0], value], `${name}[1]`]),
      ],
    };
  }
  if (type === 'integer')
    return { taken: [minimum, maximum], refused: refuse(minimum - 1, maximum + 1, 1.5) };
  if (type === 'number') return { taken: [maximum, 0.01], refused: refuse(0, -1, maximum + 1, '$5') };
  if (format === 'date') return { taken: [dayAt(5)], refused: refuse('2026-02-31', 'soon', 20_261_126) };
  if (schema.enum) return { taken: schema.enum, refused: refuse('none', schema.enum[0].toUpperCase(), 7) };
  if (name === 'onetCode') return { taken: ['15-1252.00'], refused: refuse('15-1252.99', '1') };
  if (name === 'ref') return { taken: ['x'.repeat(64)], refused: refuse('x'.repeat(65), 'a b', '', 7) };
  return { taken: ['é'.repeat(maxLength)], refused: refuse('é'.repeat(maxLength + 1), '', ' ', 7) };
}

/** The members of a kind that a create and an update take alike. References and statuses have rules of their own. */
function listMembers(kind: Kind): [name: string, values: Values][] {
  const { requestBody }: Body = client.contract.paths![paths[kind]]!.post;
  return Object.entries<Body>(requestBody.content['application/json'].schema.properties)
    .filter(([name]) => !['candidateId', 'jobOrderId', 'status'].includes(name))
    .map(([name, own]) => [name, drawValues(name, own)]);
}

/** Members that break a rule of their record, the place that the refusal names and what it says, and right ones. */
const rules: [kind: Kind, sent: object, place: string, says: RegExp, right: object][] = [
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
  [
    'jobOrder',
    { startDate: dayAt(9), endDate: dayAt(8) },
    'endDate',
    /before startDate/,
    { startDate: dayAt(9), endDate: dayAt(9) },
  ],
  [
    'placement',
    { startDate: dayAt(9), plannedEndDate: dayAt(8) },
    'plannedEndDate',
    /before startDate/,
    { startDate: dayAt(9), plannedEndDate: dayAt(9) },
  ],
  ['jobOrder', { requires: ['BLS', 'no felony'] }, 'requires[1]', /./, { requires: ['BLS', 'Noël choir'] }],
  ['jobOrder', { workplace: 'Remote ' }, 'workplace', /onsite, hybrid, remote/, { workplace: 'remote' }],
];

const required: Record<Kind, object> = {
  candidate: { name: 'Cy Moe', onetCode },
  jobOrder: { client: 'Example Works', title: 'Developer', onetCode },
  placement: { candidateId: '#a', jobOrderId: '#o', onetCode },
};

const refs: Record<Kind, string> = { candidate: 'a', jobOrder: 'o', placement: 'x' };

/** The ways to send members of a record, and the place of the record in what is sent. */
const ways: Record<string, (desk: Desk, kind: Kind, sent: object) => { at: string; send(): Promise<Reply> }> =
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
  for (const kind of kinds) {
    members(`of a ${kind} are refused beyond each limit: ${way}`, async () => {
      const desk = await openPlaced();
      const before = await readAll(desk);
      for (const [name, { refused }] of listMembers(kind))
        for (const [value, place] of refused) {
          const { at, send } = toCall(desk, kind, { [name]: value });
          const { body, text } = await send();
          assert.is(body.code, 'invalid_request', `${name} ${JSON.stringify(value)} ${text}`);
          assert.equal(pluck(body.issues, 'path'), [at + place]);
        }
      assert.equal(await readAll(desk), before, 'nothing is written');
    });

    members(`of a ${kind} are taken at each limit, and shown: ${way}`, async () => {
      const desk = await openPlaced();
      for (const [name, { taken }] of listMembers(kind))
        for (const value of taken) {
          const { body, text } = await toCall(desk, kind, { [name]: value }).send();
          assert.is(body.type, 'OK', `${name} ${text}`);
          const row = body[kind] ?? body[collections[kind]]?.[0] ?? body.changes[0][kind];
          assert.equal(row[name], value, name);
        }
    });
  }

for (const [way, toCall] of Object.entries(ways))
  for (const [kind, sent, place, says, right] of rules)
    members(`${JSON.stringify(sent)} of a ${kind} is refused: ${way}`, async () => {
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
  members(`a change of ${least} alone is refused above the stored ${most}`, async () => {
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
  members(`a filter by a workplace that is none is refused at ${path}`, async () => {
    const desk = await openSmallDesk();
    const call = (workplace: string) => desk.get(`${path}?workplace=${workplace}`);
    const { body } = await call('office');
    assert.is(body.code, 'invalid_request', JSON.stringify(body));
    assert.equal(pluck(body.issues, 'path'), ['workplace']);
    assert.match(body.issues[0].message, /onsite, hybrid, remote/);
    assert.is.not((await call('remote')).body.type, 'BLOCKED');
  });

members.run();
