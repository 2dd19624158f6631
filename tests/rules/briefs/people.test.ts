import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { Waits } from '../../../src/kernel/waits.ts';
import { solutions } from '../../support/brief-solutions.ts';
import { proposeAs } from '../../support/brief-steps.ts';
import { openBriefs, readBrief, startBrief } from '../../support/briefs.ts';
import { workGreedily } from '../../support/greedy-agent.ts';
import type { Body } from '../../support/http.ts';
import { until } from '../../support/redis.ts';
import { toBody } from '../../support/sandbox.ts';

const people = suite('briefs with people who react');
const world = openBriefs();
const ids = Object.keys(solutions).filter((id) => readBrief(id).level === 4);

people('level 4 has at least six briefs', () => {
  assert.ok(ids.length >= 6);
});

for (const id of ids) {
  const { steps, otherSteps, careless } = solutions[id]!;

  people(`${id}: takes 20 to 60 changes`, () => {
    assert.ok(steps.length >= 20 && steps.length <= 60, `${steps.length} changes`);
  });

  people(`${id}: another good way passes too`, async () => {
    const started = await startBrief(world, id, 5);
    await started.take(otherSteps!, 'http');
    const grade = await started.grade();
    assert.ok(grade.passed, JSON.stringify(grade.checks, null, 1));
  });

  people(`${id}: an agent that ignores what people answer fails`, async () => {
    const started = await startBrief(world, id, 6);
    await started.take(careless!, 'http');
    assert.is((await started.grade()).passed, false);
  });

  people(`${id}: an agent that always takes the best match fails`, async () => {
    const started = await startBrief(world, id, 7);
    await workGreedily(world, started);
    assert.is((await started.grade()).passed, false);
  });
}

people('a reply shows the record as it is after the reaction', async () => {
  const started = await startBrief(world, 'counter-offers');
  const { id } = started.ids.get('pl1')!;
  const offer = { status: 'offered', payRateUsdHour: 40 };
  const { body } = await world.patch(`/placements/${id}`, offer, started.mine);
  assert.is(body.placement.status, 'declined');
  assert.match(body.placement.transitions.at(-1).reason, /I would come for \d+ dollars/);
});

people('the ETag of that reply is that of the record', async () => {
  const started = await startBrief(world, 'counter-offers');
  const { id } = started.ids.get('pl1')!;
  const changed = await world.patch(`/placements/${id}`, { status: 'offered' }, started.mine);
  const again = await world.ask(
    'PATCH',
    `/placements/${id}`,
    { note: 'seen' },
    { ...started.mine, 'if-match': changed.headers.get('etag') },
  );
  assert.is(again.status, 200);
});

people('the activity has an entry for each person that a client decided on', async () => {
  const started = await startBrief(world, 'ward-week');
  await started.take(solutions['ward-week']!.steps.slice(0, 4), 'http');
  const { body } = await world.get('/workspace/activity?limit=3', started.mine);
  assert.equal(
    body.activity.map(({ via, operation, to }: Record<string, string>) => `${via} ${operation} ${to}`).sort(),
    [
      'brief decideShortlist declined',
      'brief decideShortlist declined',
      'brief decideShortlist interviewing',
    ],
  );
});

people('an agent that waits for the next change gets the reaction', async () => {
  const waits = new Waits();
  const waiting = openBriefs({ waits });
  const started = await startBrief(waiting, 'counter-offers');
  const address = '/workspace/activity?since=1';
  const { headers } = await waiting.get(address, started.mine);
  const held = waiting.get(address, {
    ...started.mine,
    prefer: 'wait=25',
    'if-none-match': headers.get('etag'),
  });
  await until(() => waits.count() === 1, 'it waits');
  const { id } = started.ids.get('pl1')!;
  await waiting.patch(`/placements/${id}`, { status: 'offered' }, started.mine);
  assert.is((await held).body.activity.at(-1).via, 'brief');
});

people('a second proposal of a pair that is live gets a warning and no answer', async () => {
  const started = await startBrief(world, 'three-shifts');
  await started.take(solutions['three-shifts']!.steps.slice(0, 2), 'http');
  const first = started.ids.get('c0-j0')!.id;
  const again = proposeAs('again', 'c0', 'j0', '29-1141.00');
  await started.take([again, ['update', 'again', { status: 'offered' }]], 'http');
  const mine = started.mine;
  const { placement } = (await world.get(`/placements/${started.ids.get('again')!.id}`, mine)).body;
  assert.is(placement.status, 'offered');
  const { candidateId, jobOrderId, onetCode } = placement;
  const sent = { candidateId, jobOrderId, onetCode, status: 'proposed' };
  const third = await world.post('/placements', sent, mine);
  const warning = third.body.warnings.find(({ code }: Body) => code === 'already_proposed');
  assert.match(warning.message, first);
});

people('a reply without records names those that the client decided on', async () => {
  const started = await startBrief(world, 'ward-week');
  await started.take(solutions['ward-week']!.steps.slice(0, 3), 'http');
  const order = started.ids.get('j0')!.id;
  const { body } = await world.post(`/job-orders/${order}/shortlist`, {}, started.mine);
  assert.equal(body.affected.map(({ status }: { status: string }) => status).sort(), [
    'declined',
    'declined',
    'interviewing',
  ]);
});

people('a batch shows the reactions to its changes', async () => {
  const started = await startBrief(world, 'counter-offers');
  const changes = ['pl0', 'pl1'].map((key) => ({
    id: started.ids.get(key)!.id,
    status: 'offered',
    payRateUsdHour: 47,
  }));
  const { body } = await world.post('/batch', { changes }, started.mine);
  assert.equal(
    body.changes.map(({ placement }: { placement: { status: string } }) => placement.status),
    ['scheduled', 'scheduled'],
  );
});

people('the activity has the reaction as an entry of the brief', async () => {
  const started = await startBrief(world, 'counter-offers');
  const { id } = started.ids.get('pl1')!;
  await world.patch(`/placements/${id}`, { status: 'offered' }, started.mine);
  const { body } = await world.get('/workspace/activity?since=1', started.mine);
  assert.equal(
    body.activity.map(({ via, to }: { via: string; to: string }) => `${via}: ${to}`),
    ['http: offered', 'brief: declined'],
  );
  assert.equal(
    body.activity.map(({ revision }: { revision: number }) => revision),
    [2, 3],
  );
});

people('a rule that finds no record to change leaves the change of the agent as it is', async () => {
  const started = await startBrief(world, 'late-withdrawal');
  await started.take(solutions['late-withdrawal']!.steps.slice(0, 12), 'http');
  await started.take([['delete', 'c2-j0']], 'http');
  await started.take(solutions['late-withdrawal']!.steps.slice(12, 18), 'http');
  const { body } = await world.get('/placements?status=scheduled', started.mine);
  assert.is(body.total, 7);
});

people('a brief shows its text and rules, and nothing of its people', async () => {
  for (const id of ids) {
    const started = await startBrief(world, id);
    const shown = (await world.get(`/briefs/${id}`)).body.brief;
    for (const brief of [started.brief, shown])
      assert.equal(Object.keys(brief), ['id', 'title', 'level', 'text', 'rules']);
  }
});

people('people do not react after the brief is graded', async () => {
  const started = await startBrief(world, 'counter-offers');
  await started.grade();
  const { id } = started.ids.get('pl1')!;
  const { body } = await world.patch(`/placements/${id}`, { status: 'offered' }, started.mine);
  assert.is(body.placement.status, 'offered');
});

people('people do not react in a copy of the workspace', async () => {
  const started = await startBrief(world, 'counter-offers');
  const exported = (await world.get('/workspace/export', started.mine)).body;
  const { body } = await world.post('/batch', exported);
  const own = { 'x-workspace': body.workspace };
  const { id } = body.placements.find(({ status }: { status: string }) => status === 'interviewing');
  const changed = await world.patch(`/placements/${id}`, { status: 'offered' }, own);
  assert.is(changed.body.placement.status, 'offered');
});

people('a workspace that expires in the middle is unknown', async () => {
  const own = openBriefs();
  const started = await startBrief(own, 'counter-offers');
  await own.patch(`/placements/${started.ids.get('pl1')!.id}`, { status: 'offered' }, started.mine);
  own.pass(25 * 3_600_000);
  const { id } = started.ids.get('pl2')!;
  const { status } = await own.patch(`/placements/${id}`, { status: 'offered' }, started.mine);
  assert.is(status, 401);
});

people(
  'a change that is repeated with its Idempotency-Key gets the same reply, with the reaction',
  async () => {
    const started = await startBrief(world, 'counter-offers');
    const { id } = started.ids.get('pl1')!;
    const headers = { ...started.mine, 'idempotency-key': '"a key of sixteen characters"' };
    const first = await world.patch(`/placements/${id}`, { status: 'offered' }, headers);
    const again = await world.patch(`/placements/${id}`, { status: 'offered' }, headers);
    assert.is(again.body.placement.status, 'declined');
    assert.equal(again.body, first.body);
  },
);

people('an outcome that a client of a brief confirms is validated, without a receipt', async () => {
  const started = await startBrief(world, 'month-end');
  await started.take(
    [
      ['state', 'pl0', { result: 'retained' }],
      ['confirm', 'pl0', { party: 'client' }],
    ],
    'http',
  );
  const { id } = started.ids.get('pl0')!;
  const { body } = await world.get(`/placements/${id}`, started.mine);
  assert.is(body.placement.outcome.validated, true);
  const receipt = await world.get(`/placements/${id}/receipt`, started.mine);
  assert.is(receipt.status, 409);
});

people('the grade counts the calls in the workspace and the refused ones', async () => {
  const started = await startBrief(world, 'counter-offers');
  await world.get('/placements', started.mine);
  await world.patch(`/placements/${started.ids.get('pl1')!.id}`, { status: 'active' }, started.mine);
  await world.get('/placements/plc_none', started.mine);
  const { calls, refused } = await started.grade();
  // One call more, because the test read the export of the workspace.
  assert.is(calls, 4);
  assert.is(refused, 1);
});

people('the grade has the seconds from the start', async () => {
  const own = openBriefs();
  const started = await startBrief(own, 'counter-offers');
  own.pass(90_000);
  assert.is((await started.grade()).seconds, 90);
});

people('a call that deletes the workspace of a brief is not counted', async () => {
  const started = await startBrief(world, 'counter-offers');
  const { status } = await world.delete('/workspace', started.mine);
  assert.is(status, 200);
  const next = await startBrief(world, 'counter-offers');
  assert.is((await next.grade()).calls, 1);
});

people('a call keeps its reply if it cannot be counted', async () => {
  const own = openBriefs();
  const started = await startBrief(own, 'counter-offers');
  own.store.charge = () => Promise.reject(new Refusal('store_unavailable'));
  const { status } = await own.post('/candidates', toBody.candidate(), started.mine);
  assert.is(status, 201);
});

people('calls over MCP count like those over HTTP', async () => {
  const started = await startBrief(world, 'counter-offers');
  await world.tool('listPlacements', { workspace: started.workspace });
  assert.is((await started.grade()).calls, 2);
});

people.run();
