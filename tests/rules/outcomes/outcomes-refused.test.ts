import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt, today } from '../../support/days.ts';
import {
  confirm,
  openPlacement,
  openPlacementOn45,
  samplePlacement,
  showConfirmation,
  yearLong,
} from '../../support/outcomes.ts';
import { World } from '../../support/world.ts';

const bad = suite('refusals of outcomes');
const world = new World(yearLong);
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

const place = (body?: object) => openPlacementOn45(world, body);

bad('days before the start or after today, and unknown results', async () => {
  const placed = await place();
  for (const asOf of [dayAt(-1), dayAt(46), '2026-02-31', 'today', 7]) {
    const { status, body } = await placed.state('retained', { asOf });
    assert.is(status, 400, String(asOf));
    assert.is(body.issues?.[0].path, 'asOf', String(asOf));
  }
  for (const result of ['pending', 'won', '', undefined])
    assert.is((await placed.state(result as string)).status, 400, String(result));
  assert.is((await placed.state('retained', { asOf: today, note: '' })).status, 400);
  assert.is((await placed.read()).revision, 1, 'nothing was changed');
  assert.is((await placed.state('retained', { asOf: today })).status, 200);
  assert.is((await placed.state('retained', { asOf: dayAt(45) })).status, 200);
});

bad('placements of the seed, unknown ones, and those of another workspace', async () => {
  const placed = await place();
  const other = await place();
  for (const path of ['outcome', 'confirmations']) {
    const body = path === 'outcome' ? { result: 'retained' } : { party: 'client' };
    const ask = (id: string) => placed.post(`/placements/${id}/${path}`, body);
    assert.equal(codeOf(await ask('plc_001')), [403, 'read_only']);
    assert.is((await ask('plc_none')).body.type, 'EMPTY');
    assert.is((await ask(other.id)).status, 404);
    assert.equal(codeOf(await world.post(`/placements/plc_001/${path}`, body)), [403, 'read_only']);
    assert.is((await world.post(`/placements/${placed.id}/${path}`, body)).status, 401);
  }
  const seed = await world.get('/placements/plc_001/receipt');
  assert.is(seed.status, 404);
  assert.is(seed.body.type, 'EMPTY');
  assert.match(seed.body.message, /synthetic/);
  assert.is((await world.get(`/placements/${placed.id}/receipt`)).status, 404);
});

bad('a confirmation without a statement, and an unknown party', async () => {
  const placed = await place();
  assert.equal(codeOf(await placed.request()), [409, 'no_outcome']);
  await placed.state('retained');
  assert.is((await placed.request('agency')).status, 400);
  assert.is((await placed.request('')).status, 400);
});

/** A placement that can have no outcome yet: its stages, its start, and what the refusals say. */
const early: readonly (readonly [
  stages: readonly string[],
  start: { startDate: string | undefined },
  says: RegExp,
])[] = [
  ...[{ startDate: today }, { startDate: undefined }, { startDate: dayAt(90) }].flatMap((start) => [
    [['proposed'], start, /is proposed\. Accept it first/] as const,
    [['proposed', 'interviewing'], start, /is interviewing\. Accept it first/] as const,
    [['proposed', 'offered'], start, /is offered\. Accept it first/] as const,
    [['proposed', 'declined'], start, /is declined, so it has no outcome/] as const,
  ]),
  [[], { startDate: undefined }, /has no startDate/],
  [[], { startDate: dayAt(90) }, /starts on \d{4}-\d{2}-\d{2}; until then it has no outcome/],
];

bad('say the same true reason, whether a statement, a confirmation or a receipt is too early', async () => {
  for (const [[status, next], start, says] of early) {
    const placed = await place({ ...start, ...(status && { status }) });
    if (next) assert.is((await placed.change({ status: next })).status, 200);
    const what = `${next ?? status} ${JSON.stringify(start)}`;
    const stated = await placed.state('retained');
    assert.equal(codeOf(stated), [409, 'not_started'], what);
    const requested = await placed.request();
    assert.equal(codeOf(requested), [409, 'no_outcome'], what);
    const { status: found, body } = await placed.receipt();
    assert.is(found, 404, what);
    for (const text of [stated.body.reason, requested.body.reason]) assert.match(text, says, what);
    const canFollow = status === undefined && start.startDate !== undefined;
    assert.match(body.message, canFollow ? /A party has to agree/ : says, what);
  }
});

bad('tokens that are malformed, unknown, replaced or expired, or whose placement is gone', async () => {
  const placed = await place();
  await placed.state('retained');
  const old = await placed.token();
  const token = await placed.token();
  const wrong = [
    ...['', 'cnf_', `${token}0`, token.toUpperCase(), token.slice(0, -1), `cnf_${'0'.repeat(32)}`, old],
  ];
  for (const one of wrong) {
    for (const told of [await showConfirmation(world, one), await confirm(world, one, true)]) {
      assert.is(told.status, 401, one);
      assert.is(told.body.code, 'unknown_confirmation');
      assert.match(told.headers.get('www-authenticate')!, /^Confirmation /);
    }
  }
  assert.is((await world.get('/confirmation')).status, 401);
  assert.is((await showConfirmation(world, token)).status, 200);
  assert.is((await confirm(world, token, 'yes' as never)).status, 400);
  assert.is((await confirm(world, token, true, { comment: '' })).status, 400);
  assert.is((await confirm(world, token, true, { comment: 'x'.repeat(501) })).status, 400);
  await placed.delete(`/placements/${placed.id}`);
  assert.is((await showConfirmation(world, token)).status, 401);
  const brief = new World({ ...yearLong, settings: { retentionSeconds: 86_400 } });
  const short = await openPlacement(brief);
  brief.toDay(-9.5);
  brief.toDay(-9.2);
  const early = await short.change({ startDate: dayAt(-10) });
  assert.is(early.status, 200);
  await short.state('retained');
  const { token: brieflyGood, expiresAt } = (await short.request()).body.confirmation;
  assert.is(Date.parse(expiresAt) - brief.service.platform.now(), 86_400_000);
  assert.is((await showConfirmation(brief, brieflyGood)).status, 200);
  brief.toDay(-8.1);
  assert.is((await showConfirmation(brief, brieflyGood)).status, 401);
});

bad('a token for another placement, because it answers only its own', async () => {
  const [one, other] = [await place(), await place()];
  const beside = (await one.post('/placements', { ...samplePlacement, startDate: today })).body.placement;
  await one.post(`/placements/${beside.id}/outcome`, { result: 'retained' });
  await one.state('converted');
  await other.state('attrited');
  const token = await one.token();
  assert.is((await showConfirmation(world, token)).body.statement.result, 'converted');
  const misled = await world.ask(
    'POST',
    '/confirmation',
    { agrees: true, tag: (await showConfirmation(world, token)).body.tag, id: other.id },
    { 'x-confirmation': token, 'x-workspace': other.workspace },
  );
  assert.is(misled.status, 200, 'it ignores an id and a workspace');
  assert.is((await one.read()).outcome.validated, true);
  assert.equal((await other.read()).outcome.confirmations, []);
  const { outcome } = (await one.get(`/placements/${beside.id}`)).body.placement;
  assert.is(outcome.validated, false);
  assert.equal(outcome.confirmations, []);
  const held = { 'x-confirmation': token };
  assert.is((await other.get(`/placements/${one.id}`, held)).status, 404);
});

bad('a second, different answer, and an answer to another statement', async () => {
  const placed = await place();
  await placed.state('retained');
  const token = await placed.token();
  const read = (await showConfirmation(world, token)).headers.get('etag');
  await placed.state('converted');
  const late = await confirm(world, token, true, {}, { 'if-match': read });
  assert.equal(codeOf(late), [412, 'changed']);
  assert.is((await placed.read()).outcome.confirmations.length, 0);
  const no = await confirm(world, token, false, { comment: 'It was not so.' });
  assert.is(no.status, 200);
  assert.is(no.body.answer.comment, 'It was not so.');
  assert.equal((await confirm(world, token, false)).body, no.body, 'the same answer is repeated');
  assert.equal(codeOf(await confirm(world, token, true)), [409, 'already_answered']);
  const fresh = await placed.token();
  const fromFresh = codeOf(await confirm(world, fresh, true));
  assert.equal(fromFresh, [409, 'already_answered'], 'a new token belongs to the same party');
  await placed.state('retained');
  assert.is((await placed.read()).outcome.disputed, true, 'a new statement keeps the disagreement');
  const yes = await confirm(world, fresh, true);
  assert.is(yes.status, 200);
  assert.equal((await confirm(world, fresh, true)).body, yes.body);
  assert.equal(codeOf(await placed.state('retained')), [409, 'outcome_closed']);
  assert.equal(codeOf(await placed.request()), [409, 'outcome_closed']);
  assert.equal(codeOf(await confirm(world, fresh, false)), [409, 'already_answered']);
});

for (const query of ['outcome=won', 'validated=1', 'dueBefore=soon', 'dueBefore=2026-02-31'])
  bad(`${query} in the query of a list`, async () => {
    assert.is((await world.get(`/placements?${query}`)).status, 400);
  });

const order = { client: 'Ridge Clinic', title: 'Night nurse' };
const other = { client: 'Vale Clinic', title: 'Day nurse' };

bad('a statement keeps the order as it was, whatever happens to the order later', async () => {
  const placed = await place();
  const make = async (body: object) =>
    (await placed.post('/job-orders', { ...body, onetCode: '29-1141.00' })).body.jobOrder.id;
  const jobOrderId = await make(order);
  const path = `/job-orders/${jobOrderId}`;
  await placed.change({ jobOrderId });
  await placed.state('retained');
  let token = await placed.token();
  const shown = async () => {
    const { body, headers } = await showConfirmation(world, token);
    const { client, title } = body.statement;
    return { order: { client, title }, tag: headers.get('etag')! };
  };
  const before = await shown();
  assert.equal(before.order, order);
  await placed.patch(path, { client: 'Ridge Hospital' });
  await placed.state('retained');
  assert.equal(await shown(), before, 'the same again changes nothing');
  await placed.state('converted');
  assert.equal((await shown()).order, { ...order, client: 'Ridge Hospital' });
  await placed.change({ jobOrderId: await make(other) });
  token = await placed.token();
  const { tag } = await shown();
  assert.equal((await shown()).order, other);
  const { links } = (await placed.read()) as { links: { jobOrder: string } };
  await placed.delete(links.jobOrder);
  assert.equal(await shown(), { order: other, tag });
  assert.is((await confirm(world, token, true, {}, { 'if-match': tag })).status, 200);
  assert.is((await placed.read()).outcome.validated, true);
});

bad('a statement says so if the order was gone', async () => {
  const placed = await place({ jobOrderId: 'job_none' });
  await placed.state('converted');
  const { client, title } = (await showConfirmation(world, await placed.token())).body.statement;
  assert.is(client, null);
  assert.is(title, null);
});

bad.run();
