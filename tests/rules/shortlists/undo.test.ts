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

/** What the agent did with a placement before the decision. */
const histories: Record<string, object[]> = {
  'was only proposed': [],
  'was changed': [{ note: 'On Monday' }],
  'was moved': [{ status: 'interviewing', reason: 'Good fit.' }],
};

for (const [history, changes] of Object.entries(histories))
  for (const decision of ['interview', 'decline']) {
    if (decision === 'interview' && history === 'was moved') continue;
    /** Decides and undoes that. Returns what was read before and after. */
    const undoDecision = async () => {
      const proposed = await propose();
      const { decide, read, row } = proposed;
      for (const change of changes) await proposed.patch(`/placements/${proposed.id}`, change);
      const readAll = async () => ({
        placement: (await read()) as Body,
        row: (await row()) as Body,
        order: (await proposed.get('/job-orders/%23o')).body.jobOrder as Body,
      });
      const before = await readAll();
      await decide(decision, { reason: 'A slip.' });
      const { body } = await decide('undo');
      return { before, after: await readAll(), reply: body.placement as Body };
    };
    const title = `of ${decision} on a placement that ${history}`;

    undo(`${title} restores the placement`, async () => {
      const { before, after } = await undoDecision();
      assert.equal(withoutVersion(after.placement), withoutVersion(before.placement));
    });

    undo(`${title} raises the revision, so that an agent sees a change`, async () => {
      const { before, after } = await undoDecision();
      assert.is(after.placement.revision, before.placement.revision + 2);
    });

    undo(`${title} replies with the row as it was before the decision`, async () => {
      const { before, after, reply } = await undoDecision();
      assert.equal(reply, after.row);
      assert.equal({ ...reply, tag: undefined }, { ...before.row, tag: undefined });
    });

    undo(`${title} counts the proposal of the order again`, async () => {
      const { before, after } = await undoDecision();
      assert.is(after.order.proposals, before.order.proposals);
    });
  }

undo('allows a new decision', async () => {
  const { decide } = await propose();
  await decide('interview');
  await decide('undo');
  const next = await decide('decline');
  assert.is(next.body.placement.decision, 'decline');
});

for (const [ms, until] of [
  [10 * minuteMs - 1, `${today}T12:10:00.000Z`],
  [10 * minuteMs, undefined],
] as const)
  undo(`is ${until ? 'possible' : 'too late'} ${ms} ms after the decision, and the row says so`, async () => {
    const { decide, row, world } = await propose();
    await decide('interview');
    world.pass(ms);
    assert.is((await row()).undoableUntil, until);
    const { status, body } = await decide('undo');
    assert.is(status, until ? 200 : 409);
    assert.is(body.code, until ? undefined : 'undo_expired');
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
  undo(`no row says anything of an undo if this followed: ${follower}`, async () => {
    const { see } = await follow();
    for (const { undoableUntil } of await see()) assert.is(undoableUntil, undefined);
  });
}

undo('is neither offered nor accepted once the order is closed', async () => {
  const { decide, row, patch } = await propose();
  await decide('decline');
  await patch('/job-orders/%23o', { status: 'closed', declineProposals: true });
  assert.not('undoableUntil' in (await row()));
  isRefused(await decide('undo'), 'undo_overtaken');
});

undo('with the tag of before the candidate changed is refused, and the decision stays', async () => {
  const { decide, row, patch, send } = await propose();
  await decide('interview');
  const { tag } = await row();
  await patch(person, { title: 'Another' });
  assert.is((await send({ decision: 'undo', tag })).status, 412);
  assert.is((await row()).decision, 'interview');
});

undo('sent again gets the same row, and changes nothing', async () => {
  const { decide, send, read } = await propose();
  const { tag } = (await decide('interview')).body.placement;
  const first = await send({ decision: 'undo', tag });
  const before = await read();
  assert.equal((await send({ decision: 'undo', tag })).body, first.body);
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
