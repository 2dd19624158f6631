import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../support/http.ts';
import { makeWorld } from '../support/outcome-world.ts';
import { toBody } from '../support/sandbox.ts';

const undo = suite('a decision is undone');
const onetCode = '29-1141.00';
const minuteMs = 60_000;

/** Proposes a person for an order, and returns calls on both by the agent and by the holder of the link. */
async function propose(more: object = {}) {
  const world = await makeWorld();
  world.to(0);
  const { ask, clock } = world;
  const made = await ask('POST', '/batch', {
    candidates: [toBody.candidate({ ref: 'c', name: 'Ann Sample', onetCode })],
    jobOrders: [toBody.jobOrder({ ref: 'o', onetCode })],
    placements: [
      { candidateId: '#c', jobOrderId: '#o', onetCode, status: 'proposed', note: 'Nights', ...more },
    ],
  });
  const mine = { 'x-workspace': made.body.workspace };
  const agent = (method: string, path: string, body?: object) => ask(method, path, body, mine);
  const shared = await agent('POST', '/job-orders/%23o/shortlist', {});
  const held = { 'x-shortlist': shared.body.shortlist.token };
  const { id } = made.body.placements[0];
  const see = async () => (await ask('GET', '/shortlist', undefined, held)).body.shortlist.placements;
  const row = async (): Promise<Body> => (await see()).find((one: Body) => one.id === id);
  const send = (body: object, headers: object = {}) =>
    ask('POST', '/shortlist', { placementId: id, ...body }, { ...held, ...headers });
  /** Sends a decision on the placement as it is now. */
  const decide = async (decision: string, others: object = {}) =>
    send({ decision, tag: (await row()).tag, ...others });
  return {
    id,
    agent,
    see,
    row,
    send,
    decide,
    read: async (): Promise<Body> => (await agent('GET', `/placements/${id}`)).body.placement,
    pass: (milliseconds: number) => {
      clock.now += milliseconds;
    },
  };
}

/** Everything of a placement that an undo restores. Its revision counts on. */
function withoutVersion({ revision, updatedAt, ...rest }: Body): Body {
  return rest;
}

function isRefused({ status, body }: { status: number; body: Body }, code: string): void {
  assert.is(status, 409);
  assert.is(body.code, code);
}

for (const decision of ['interview', 'decline'])
  undo(`restores the placement as it was before: ${decision}`, async () => {
    const { decide, read } = await propose();
    const before = await read();
    await decide(decision, { reason: 'A slip.' });
    const undone = await decide('undo');
    assert.is(undone.status, 200, undone.text);
    assert.equal(withoutVersion(await read()), withoutVersion(before));
  });

undo('restores the earlier moves of the placement', async () => {
  const { id, agent, decide, read } = await propose();
  await agent('PATCH', `/placements/${id}`, { status: 'interviewing', reason: 'Good fit.' });
  const before = await read();
  await decide('decline');
  await decide('undo');
  assert.equal(withoutVersion(await read()), withoutVersion(before));
});

undo('raises the revision, so that an agent sees a change', async () => {
  const { decide, read } = await propose();
  const { revision } = await read();
  await decide('interview');
  await decide('undo');
  assert.is((await read()).revision, revision + 2);
});

undo('replies with the row as it is to decide', async () => {
  const { decide } = await propose();
  await decide('interview');
  const { placement } = (await decide('undo')).body;
  assert.is(placement.status, 'proposed');
  assert.not('decision' in placement);
  assert.not('undoableUntil' in placement);
});

undo('counts the proposal of the order again', async () => {
  const { agent, decide } = await propose();
  await decide('decline');
  await decide('undo');
  assert.is((await agent('GET', '/job-orders/%23o')).body.jobOrder.proposals, 1);
});

undo('allows a new decision', async () => {
  const { decide } = await propose();
  await decide('interview');
  await decide('undo');
  const next = await decide('decline');
  assert.is(next.body.placement.decision, 'decline');
});

undo('the row says until when it can be undone', async () => {
  const { decide } = await propose();
  const { placement } = (await decide('interview')).body;
  assert.is(placement.undoableUntil, '2026-11-22T12:10:00.000Z');
});

undo('works until the last moment of the ten minutes', async () => {
  const { decide, pass } = await propose();
  await decide('interview');
  pass(10 * minuteMs - 1);
  assert.is((await decide('undo')).status, 200);
});

undo('is too late after ten minutes', async () => {
  const { decide, pass } = await propose();
  await decide('interview');
  pass(10 * minuteMs);
  isRefused(await decide('undo'), 'undo_expired');
});

undo('the row says nothing of an undo after ten minutes', async () => {
  const { decide, row, pass } = await propose();
  await decide('interview');
  pass(10 * minuteMs);
  assert.not('undoableUntil' in (await row()));
});

undo('is refused if nothing was decided', async () => {
  const { decide } = await propose();
  isRefused(await decide('undo'), 'nothing_decided');
});

undo('is refused if only the agent moved the placement', async () => {
  const { id, agent, decide } = await propose();
  await agent('PATCH', `/placements/${id}`, { status: 'interviewing' });
  isRefused(await decide('undo'), 'nothing_decided');
});

const person = '/candidates/%23c';
const again = { candidateId: '#c', jobOrderId: '#o', onetCode, status: 'proposed' };
const followers: Record<string, { decision: string; call(id: string): [string, string, object] }> = {
  'a move': { decision: 'interview', call: (id) => ['PATCH', `/placements/${id}`, { status: 'offered' }] },
  'a note': { decision: 'interview', call: (id) => ['PATCH', `/placements/${id}`, { note: 'On Monday' }] },
  'another proposal of the person': { decision: 'decline', call: () => ['POST', '/placements', again] },
  'that the person withdrew': {
    decision: 'interview',
    call: () => ['PATCH', person, { status: 'withdrawn' }],
  },
};

for (const [follower, { decision, call }] of Object.entries(followers)) {
  const follow = async () => {
    const proposed = await propose();
    const decided = await proposed.decide(decision);
    proposed.pass(minuteMs);
    const { tag } = decided.body.placement;
    const { status, text } = await proposed.agent(...call(proposed.id));
    assert.ok(status < 300, text);
    return { ...proposed, tag };
  };
  undo(`is refused if this followed: ${follower}`, async () => {
    const { send, tag, row } = await follow();
    const sent = await send({ decision: 'undo', tag: (await row())?.tag ?? tag });
    isRefused(sent, 'undo_overtaken');
  });
  undo(`the row says nothing of an undo if this followed: ${follower}`, async () => {
    const { row } = await follow();
    assert.not('undoableUntil' in ((await row()) ?? {}));
  });
}

undo('works although the order closed meanwhile, and then nothing more is decided', async () => {
  const { agent, decide, read } = await propose();
  await decide('interview');
  await agent('PATCH', '/job-orders/%23o', { status: 'closed' });
  assert.is((await decide('undo')).status, 200);
  assert.is((await read()).status, 'proposed');
  isRefused(await decide('interview'), 'order_closed');
});

undo('with an old tag is refused, and changes nothing', async () => {
  const { agent, decide, send, row } = await propose();
  await decide('interview');
  const { tag } = await row();
  await agent('PATCH', person, { title: 'Another' });
  const stale = await send({ decision: 'undo', tag });
  assert.is(stale.status, 412);
  assert.is((await row()).decision, 'interview');
});

undo('sent again gets the same row, and changes nothing', async () => {
  const { decide, send, read } = await propose();
  const { tag } = (await decide('interview')).body.placement;
  const first = await send({ decision: 'undo', tag });
  const { revision } = await read();
  const second = await send({ decision: 'undo', tag });
  assert.equal(second.body, first.body);
  assert.is((await read()).revision, revision);
});

undo('sent again after a new decision is refused, and the decision stays', async () => {
  const { decide, send, row } = await propose();
  const { tag } = (await decide('interview')).body.placement;
  await send({ decision: 'undo', tag });
  await decide('decline');
  assert.is((await send({ decision: 'undo', tag })).status, 412);
  assert.is((await row()).decision, 'decline');
});

undo('the undone decision, sent again, is refused', async () => {
  const { decide, send, row } = await propose();
  const sent = { decision: 'interview', tag: (await row()).tag };
  await send(sent);
  await decide('undo');
  assert.is((await send(sent)).status, 412);
});

undo('repeated under an Idempotency-Key, gets the same reply', async () => {
  const { decide, send } = await propose();
  const { tag } = (await decide('interview')).body.placement;
  const key = { 'idempotency-key': 'k'.repeat(20) };
  const first = await send({ decision: 'undo', tag }, key);
  await decide('decline');
  const second = await send({ decision: 'undo', tag }, key);
  assert.equal(second.body, first.body);
});

undo('takes no reason', async () => {
  const { decide } = await propose();
  await decide('interview');
  const { status, body } = await decide('undo', { reason: 'A slip.' });
  assert.is(status, 400);
  assert.is(body.issues[0].path, 'reason');
});

undo('needs room among the open placements of the order', async () => {
  const { agent, decide } = await propose();
  await decide('decline');
  const others = Array.from({ length: 50 }, (_, index) => ({
    ref: `c${index}`,
    ...toBody.candidate({ onetCode }),
  }));
  const placements = others.map(({ ref }) => ({ ...again, candidateId: `#${ref}` }));
  const filled = await agent('POST', '/batch', { candidates: others, placements });
  assert.ok(filled.status < 300, filled.text);
  isRefused(await decide('undo'), 'too_many_proposals');
});

undo('the activity has the decision and the undo, with their moves', async () => {
  const { id, agent, decide } = await propose();
  await agent('PATCH', `/placements/${id}`, { status: 'interviewing' });
  await decide('decline');
  await decide('undo');
  const { activity } = (await agent('GET', '/workspace/activity')).body;
  const moves = activity.slice(0, 2).map(({ via, from, to }: Body) => `${via}: ${from} to ${to}`);
  assert.equal(moves, ['shortlist: declined to interviewing', 'shortlist: interviewing to declined']);
});

undo.run();
