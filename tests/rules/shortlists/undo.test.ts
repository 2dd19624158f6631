import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { minuteMs, today } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { nurseCode as onetCode, toBody } from '../../support/sandbox.ts';
import { propose } from '../../support/shortlists.ts';

const undo = suite('a decision is undone');

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
  const { id, ask, decide, read } = await propose();
  await ask('PATCH', `/placements/${id}`, { status: 'interviewing', reason: 'Good fit.' });
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

undo('replies with the row as it was before the decision', async () => {
  const { decide, row } = await propose();
  const { tag: _, ...before } = await row();
  await decide('interview');
  const { tag: __, ...undone } = (await decide('undo')).body.placement;
  assert.equal(undone, before);
});

undo('counts the proposal of the order again', async () => {
  const { ask, decide } = await propose();
  await decide('decline');
  await decide('undo');
  assert.is((await ask('GET', '/job-orders/%23o')).body.jobOrder.proposals, 1);
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
  assert.is(placement.undoableUntil, `${today}T12:10:00.000Z`);
});

undo('works until the last moment of the ten minutes', async () => {
  const { decide, world } = await propose();
  await decide('interview');
  world.pass(10 * minuteMs - 1);
  assert.is((await decide('undo')).status, 200);
});

undo('is too late after ten minutes', async () => {
  const { decide, world } = await propose();
  await decide('interview');
  world.pass(10 * minuteMs);
  isRefused(await decide('undo'), 'undo_expired');
});

undo('the row says nothing of an undo after ten minutes', async () => {
  const { decide, row, world } = await propose();
  await decide('interview');
  world.pass(10 * minuteMs);
  assert.not('undoableUntil' in (await row()));
});

for (const tag of ['the current tag', 'another tag'] as const) {
  const undoUndecided = async ({ row, send }: Awaited<ReturnType<typeof propose>>) =>
    send({ decision: 'undo', tag: tag === 'another tag' ? '0.0.0' : (await row()).tag });

  undo(`replies with the row if nothing was decided, with ${tag}`, async () => {
    const proposed = await propose();
    const { status, body } = await undoUndecided(proposed);
    assert.is(status, 200);
    assert.equal(body.placement, await proposed.row());
  });

  undo(`changes nothing if nothing was decided, with ${tag}`, async () => {
    const proposed = await propose();
    const before = await proposed.read();
    await undoUndecided(proposed);
    assert.equal(await proposed.read(), before);
  });

  undo(`changes nothing if only the agent moved the placement, with ${tag}`, async () => {
    const proposed = await propose();
    await proposed.patch(`/placements/${proposed.id}`, { status: 'interviewing' });
    const before = await proposed.read();
    await undoUndecided(proposed);
    assert.equal(await proposed.read(), before);
  });
}

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
    proposed.world.pass(minuteMs);
    const { tag } = decided.body.placement;
    const { status, text } = await proposed.ask(...call(proposed.id));
    assert.ok(status < 300, text);
    return { ...proposed, tag };
  };
  undo(`is refused if this followed: ${follower}`, async () => {
    const { send, tag, row } = await follow();
    const sent = await send({ decision: 'undo', tag: (await row())?.tag ?? tag });
    isRefused(sent, 'undo_overtaken');
  });
  // The row of a person who was proposed again is left out.
  if (follower === 'another proposal of the person') continue;
  undo(`the row says nothing of an undo if this followed: ${follower}`, async () => {
    const { row } = await follow();
    const { decision: decided, undoableUntil } = await row();
    assert.is(decided, decision);
    assert.is(undoableUntil, undefined);
  });
}

undo('no row says anything of an undo if the person was proposed again', async () => {
  const { ask, decide, see, world } = await propose();
  await decide('decline');
  world.pass(minuteMs);
  await ask('POST', '/placements', again);
  const rows: Body[] = await see();
  assert.equal(
    rows.map(({ status, undoableUntil }) => ({ status, undoableUntil })),
    [{ status: 'proposed', undoableUntil: undefined }],
  );
});

/** Decides, and closes the order after that. */
async function decideThenClose() {
  const proposed = await propose();
  await proposed.decide('decline');
  await proposed.patch('/job-orders/%23o', { status: 'closed', declineProposals: true });
  return proposed;
}

undo('is refused once the order is closed', async () => {
  const { decide } = await decideThenClose();
  isRefused(await decide('undo'), 'undo_overtaken');
});

undo('is not offered once the order is closed', async () => {
  const { row } = await decideThenClose();
  assert.not('undoableUntil' in (await row()));
});

/** Sends an undo with the tag of before the candidate changed. */
async function sendStale() {
  const proposed = await propose();
  await proposed.decide('interview');
  const { tag } = await proposed.row();
  await proposed.patch(person, { title: 'Another' });
  return { ...proposed, stale: await proposed.send({ decision: 'undo', tag }) };
}

undo('with an old tag is refused', async () => {
  const { stale } = await sendStale();
  assert.is(stale.status, 412);
});

undo('with an old tag changes nothing', async () => {
  const { row } = await sendStale();
  assert.is((await row()).decision, 'interview');
});

/** Decides, and undoes that. Returns a call that sends the same undo again. */
async function undoOnce() {
  const proposed = await propose();
  const { tag } = (await proposed.decide('interview')).body.placement;
  const sendUndo = () => proposed.send({ decision: 'undo', tag });
  return { ...proposed, sendUndo, first: await sendUndo() };
}

undo('sent again gets the same row', async () => {
  const { sendUndo, first } = await undoOnce();
  assert.equal((await sendUndo()).body, first.body);
});

undo('sent again changes nothing', async () => {
  const { sendUndo, read } = await undoOnce();
  const before = await read();
  await sendUndo();
  assert.equal(await read(), before);
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
  const { ask, decide } = await propose();
  await decide('decline');
  const others = Array.from({ length: 50 }, (_, index) => ({
    ref: `c${index}`,
    ...toBody.candidate({ onetCode }),
  }));
  const placements = others.map(({ ref }) => ({ ...again, candidateId: `#${ref}` }));
  const filled = await ask('POST', '/batch', { candidates: others, placements });
  assert.ok(filled.status < 300, filled.text);
  isRefused(await decide('undo'), 'too_many_proposals');
});

undo('the activity has the decision and the undo, with their moves', async () => {
  const { id, ask, decide } = await propose();
  await ask('PATCH', `/placements/${id}`, { status: 'interviewing' });
  await decide('decline');
  await decide('undo');
  const { activity } = (await ask('GET', '/workspace/activity')).body;
  const moves = activity.slice(0, 2).map(({ via, from, to }: Body) => `${via}: ${from} to ${to}`);
  assert.equal(moves, ['shortlist: declined to interviewing', 'shortlist: interviewing to declined']);
});

undo.run();
