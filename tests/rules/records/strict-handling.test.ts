import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inside } from '../../support/doors.ts';
import type { Body, Reply } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';
import { ending, makeSandbox, refused, strict, toBody, unchanged } from '../../support/sandbox.ts';

const test = suite('warnings and strict handling');

/** What each case needs: people and orders that are free, taken or withdrawn. */
async function prepare() {
  const sandbox = await makeSandbox(client, {
    candidates: ['free', 'placed', 'withdrawn', 'proposed'].map((ref) => toBody.candidate({ ref })),
    jobOrders: [
      ...['open', 'filled', 'closed'].map((ref) => toBody.jobOrder({ ref })),
      toBody.jobOrder({ ref: 'nurse', requires: ['RN license'] }),
    ],
    placements: [
      toBody.placement({ candidateId: '#placed', jobOrderId: '#filled' }),
      toBody.placement({ candidateId: '#proposed', jobOrderId: '#open', status: 'proposed' }),
    ],
  });
  const { candidates, jobOrders, mine } = sandbox;
  await client.patch(candidates[2].links.self, { status: 'withdrawn' }, mine);
  await client.patch(jobOrders[2].links.self, { status: 'closed' }, mine);
  return sandbox;
}

/** Changes that conflict with the workspace, and the warnings for them. */
const cases: [what: object, told: [code: string, path: string][]][] = [
  [{ candidateId: '#nobody' }, [['unresolved_reference', 'candidateId']]],
  [{ candidateId: 'cand_nonesuch' }, [['unresolved_reference', 'candidateId']]],
  [{ jobOrderId: '#nothing' }, [['unresolved_reference', 'jobOrderId']]],
  [{ jobOrderId: 'job_nonesuch' }, [['unresolved_reference', 'jobOrderId']]],
  [{ candidateId: '#placed' }, [['already_placed', 'candidateId']]],
  [{ candidateId: '#withdrawn' }, [['withdrawn', 'candidateId']]],
  [{ jobOrderId: '#filled' }, [['already_filled', 'jobOrderId']]],
  [{ jobOrderId: '#closed' }, [['closed', 'jobOrderId']]],
  [{ onetCode: '29-1141.00' }, [['code_mismatch', 'onetCode']]],
  [{ jobOrderId: '#nurse' }, [['requirement_unmet', 'candidateId']]],
  [
    { candidateId: '#placed', jobOrderId: '#filled', onetCode: '29-1141.00' },
    [
      ['already_filled', 'jobOrderId'],
      ['already_placed', 'candidateId'],
      ['code_mismatch', 'onetCode'],
    ],
  ],
];

const good = { candidateId: '#free', jobOrderId: '#open' };
const toTold = (places: Body[]) => places.map(({ code, path }) => [code, path]).sort();

/** Words that no refusal contains, because nothing was accepted. */
const accepted = /was ignored|is not read|not taken|its link is null|gets its own/;

/** Asserts what a refusal under strict handling says. */
function holdStrict(answer: Reply, told: string[][], status = 409, code = 'conflict'): void {
  const { issues, reason } = refused(answer, status, code);
  assert.equal(toTold(issues), told);
  for (const text of [reason, ...pluck(issues, 'message')]) assert.not.match(text as string, accepted);
  assert.is(answer.headers.get('preference-applied'), 'handling=strict');
  assert.is(answer.headers.get('cache-control'), 'no-store');
}

/** Asserts warnings, which come right after the type in an answer. */
function holdWarned(answer: Reply, status: number, told: string[][]): void {
  const { text, body, headers } = answer;
  assert.is(answer.status, status, text);
  assert.match(text, /^\{"type":"OK","warnings":\[\{"code":"/);
  assert.equal(toTold(body.warnings), told);
  for (const warning of body.warnings) {
    assert.ok(warning.message.length > 10);
    assert.not('refusal' in warning);
  }
  assert.match(headers.get('vary') ?? '', /\bPrefer\b/);
  assert.is(headers.get('preference-applied'), null);
}

for (const way of ['createPlacement', 'updatePlacement', 'createBatch'] as const) {
  test(`${way} warns of a conflict, and refuses it under strict handling`, async () => {
    for (const [what, places] of cases) {
      const sandbox = await prepare();
      const { mine } = sandbox;
      const isChange = way === 'updatePlacement';
      const isBatch = way === 'createBatch';
      const whole = toBody.placement({ ...good, ...what });
      const body = isBatch
        ? { jobOrders: [toBody.jobOrder()], placements: [whole] }
        : isChange
          ? what
          : whole;
      const free =
        isChange && (await client.post('/placements', toBody.placement(good), mine)).body.placement;
      const path = isChange ? free.links.self : isBatch ? '/batch' : '/placements';
      const send = (headers: object = {}) =>
        client.ask(isChange ? 'PATCH' : 'POST', path, body, { ...mine, ...headers });
      const told = places.map(([code, at]) => [code, isBatch ? `placements[0].${at}` : at]);
      // A batch accepts no unknown ref, strict or not.
      const isRefused = isBatch && /#no/.test(JSON.stringify(what));
      await unchanged(client, sandbox, async () => {
        if (isRefused) return void refused(await send(strict), 400, 'invalid_request', [told[0]![1]!]);
        holdStrict(await send(strict), told);
      });
      if (!isRefused) holdWarned(await send(), isChange ? 200 : 201, told);
    }
  });
}

/**
 * Calls with unknown names, those of a record at `SELF`; the place of the warning, and the name that was
 * meant.
 */
const misnamed: [method: string, path: string, body: unknown, at: string, meant?: string][] = [
  ['GET', '/candidates?stauts=open', undefined, 'stauts', 'status'],
  ['GET', '/occupations?query=nurse', undefined, 'query', 'q'],
  ['POST', '/candidates', toBody.candidate({ metroo: 'x', name: 'Bo Ng' }), 'metroo', 'metro'],
  ['POST', '/job-orders', toBody.jobOrder({ opening: 2 }), 'opening', 'openings'],
  ['POST', '/candidates?strict=true', toBody.candidate({ name: 'Bo Ng' }), '?strict'],
  ['PATCH', 'SELF', { names: 'B', metro: 'Austin, TX' }, 'names', 'name'],
  ['PATCH', 'SELF', '{"__proto__": 1, "metro": "Austin, TX"}', '__proto__'],
  ['PATCH', 'SELF?name=B', { metro: 'Austin, TX' }, '?name'],
  ['POST', '/batch', { candidate: [], jobOrders: [toBody.jobOrder()] }, 'candidate', 'candidates'],
  [
    'POST',
    '/batch',
    { candidates: [toBody.candidate({ skill: [], name: 'Bo Ng' })] },
    'candidates[0].skill',
    'skills',
  ],
];

test('warns of unknown names, and refuses them under strict handling', async () => {
  for (const [method, path, body, at, meant = ''] of misnamed) {
    const sandbox = await prepare();
    const { mine, candidates } = sandbox;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const send = (headers: Record<string, string>) =>
      client.ask(method, path.replace('SELF', candidates[0].links.self), text, headers);
    const told = [[at.startsWith('?') ? 'unread_query' : 'unknown_name', at]];
    await unchanged(client, sandbox, async () =>
      holdStrict(await send({ ...mine, ...strict }), told, 400, 'invalid_request'),
    );
    const warned = await send(mine);
    holdWarned(warned, method === 'POST' ? 201 : 200, told);
    if (meant) assert.match(warned.body.warnings[0].message, `did you mean ${meant}?`);
  }
});

const exported = { ...toBody.placement(), id: 'plc_1', outcome: { statedAt: '2026-11-01T00:00:00.000Z' } };

/** Other calls that get a warning: its code and place, and the status of the refusal. */
const others: [method: string, path: string, body: unknown, code: string, at: string, status: number][] = [
  ['GET', '/candidates?scope=foo', undefined, 'unknown_scope', 'scope', 400],
  ['GET', '/workspace/matches?scope=foo', undefined, 'unknown_scope', 'scope', 400],
  ['GET', '/job-orders/%23open/matches?scope=foo', undefined, 'unknown_scope', 'scope', 400],
  ['GET', '/candidates?status=available,foo', undefined, 'unknown_status', 'status', 400],
  [
    'POST',
    '/batch',
    { candidates: [toBody.candidate({ name: 'Bo Ng', createdAt: 'x' })] },
    'not_taken',
    'candidates[0].createdAt',
    400,
  ],
  [
    'POST',
    '/batch',
    { exportedAt: '2026-11-01T00:00:00.000Z', total: 1, placements: [exported] },
    'not_taken',
    'placements[0].outcome',
    400,
  ],
  [
    'POST',
    '/placements',
    toBody.placement({ candidateId: 'nobody', jobOrderId: '#open' }),
    'wrong_reference',
    'candidateId',
    400,
  ],
  [
    'POST',
    '/placements',
    toBody.placement({ candidateId: '#proposed', jobOrderId: '#open', status: 'proposed' }),
    'already_proposed',
    'candidateId',
    409,
  ],
];

for (const [method, path, body, code, at, status] of others)
  test(`warns of ${code} at ${method} ${path}, and refuses it under strict handling`, async () => {
    const { mine } = await prepare();
    const send = (headers: object) => client.ask(method, path, body, { ...mine, ...headers });
    const kind = status === 409 ? 'conflict' : 'invalid_request';
    holdStrict(await send(strict), [[code, at]], status, kind);
    const warned = await send({});
    assert.ok(warned.status < 300, warned.text);
    assert.equal(toTold(warned.body.warnings), [[code, at]]);
  });

const reasons: [method: string, path: string, body: object | undefined, reason: string][] = [
  ['GET', '/candidates?scope=foo', undefined, 'scope must be workspace, all or public, or left out.'],
  [
    'POST',
    '/candidates?limit=3',
    toBody.candidate(),
    '?limit belongs in the body of a POST, not in the query.',
  ],
];
for (const [method, path, body, reason] of reasons)
  test(`says under strict handling: ${reason}`, async () => {
    assert.is((await client.ask(method, path, body, strict)).body.reason, reason);
  });

test('a change without a conflict succeeds under strict handling without a warning, as does one that is over', async () => {
  const { mine, placements } = await prepare();
  const made = await client.post('/placements', toBody.placement(good), { ...mine, ...strict });
  assert.is(made.status, 201);
  assert.is(made.body.warnings, undefined);
  assert.is(made.headers.get('preference-applied'), 'handling=strict');
  const self = placements[0].links.self;
  const moved = await client.patch(self, { candidateId: '#placed' }, { ...mine, ...strict });
  assert.equal([moved.status, moved.body.warnings], [200, undefined], 'it does not conflict with itself');
  assert.is((await client.patch(self, ending, { ...mine, ...strict })).status, 200);
  const again = toBody.placement({ candidateId: '#placed', jobOrderId: '#filled' });
  assert.is((await client.post('/placements', again, { ...mine, ...strict })).status, 201);
});

test('advice is never refused: a skill that names something missing', async () => {
  const { mine } = await prepare();
  const skills = ['Go', 'no ICU experience'];
  const made = await client.post('/candidates', toBody.candidate({ skills }), { ...mine, ...strict });
  assert.is(made.status, 201);
  const [{ code, path, advice }] = made.body.warnings;
  assert.is(code, 'not_held');
  assert.is(path, 'skills[1]');
  assert.is(advice, true);
  const { self } = made.body.candidate.links;
  const changed = await client.patch(self, { skills: ['not Go'] }, { ...mine, ...strict });
  assert.is(changed.status, 200);
  assert.is(changed.body.warnings[0].path, 'skills[0]');
  assert.is((await client.patch(self, { metro: 'Austin, TX' }, mine)).body.warnings, undefined);
  assert.is((await client.get('/candidates?skill=icu&scope=workspace', mine)).body.type, 'EMPTY');
});

test('without a workspace, an own reference is refused with what was missing', async () => {
  const { candidates, jobOrders, mine } = await prepare();
  const sent = toBody.placement({ candidateId: candidates[0].id, jobOrderId: jobOrders[0].id });
  const { body } = await client.post('/placements', sent);
  for (const { code, message } of body.warnings) {
    assert.is(code, 'unresolved_reference');
    assert.match(message, 'X-Workspace');
    assert.match(message, /was not sent|missing|expired/);
  }
  assert.is(body.warnings.length, 2);
  const read = await client.get(body.placement.links.self, inside(body.workspace));
  assert.is(read.body.placement.links.candidate, null);
  assert.is(read.body.placement.links.jobOrder, null);
  const before = await client.post('/placements', sent, strict);
  holdStrict(before, [
    ['unresolved_reference', 'candidateId'],
    ['unresolved_reference', 'jobOrderId'],
  ]);
  assert.is(before.headers.get('x-workspace'), null);
  const other = await client.post('/placements', sent, inside(body.workspace));
  assert.is(other.body.warnings.length, 2, 'they are not in another workspace');
  assert.is((await client.post('/placements', sent, mine)).body.warnings, undefined);
});

test.run();
