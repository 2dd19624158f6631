import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Kind, paths } from '../../support/doors.ts';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { dayFromNow, ending, makeSandbox, refused, toBody, unchanged } from '../../support/sandbox.ts';

const moves = suite('moves and deletions of records');

const list = { candidate: 'candidates', jobOrder: 'jobOrders', placement: 'placements' } as const;

type Batch = { candidates?: object[]; jobOrders?: object[]; placements?: object[] };
const startIn = (days: number, more: object = {}) =>
  toBody.placement({ startDate: dayFromNow(days), ...more });

const a = { ref: 'a' };
const stages = ['proposed', 'interviewing', 'offered', 'declined'];

/** Makes a workspace whose first record of a kind has each status. */
const ways: Record<Kind, Record<string, Batch>> = {
  candidate: {
    available: { candidates: [toBody.candidate()] },
    placed: { candidates: [toBody.candidate(a)], placements: [startIn(0, { candidateId: '#a' })] },
    withdrawn: { candidates: [toBody.candidate({ status: 'withdrawn' })] },
  },
  jobOrder: {
    open: { jobOrders: [toBody.jobOrder()] },
    filled: { jobOrders: [toBody.jobOrder(a)], placements: [startIn(0, { jobOrderId: '#a' })] },
    closed: { jobOrders: [toBody.jobOrder({ status: 'closed' })] },
  },
  placement: {
    scheduled: { placements: [startIn(30)] },
    active: { placements: [startIn(-10)] },
    completed: { placements: [startIn(-100, { plannedEndDate: dayFromNow(-1) })] },
    'ended-early': { placements: [startIn(-10, ending)] },
    ...Object.fromEntries(stages.map((status) => [status, { placements: [startIn(30, { status })] }])),
  },
};

/** What ends a placement that has started, by the resulting status. */
const ends: Record<string, object> = {
  'ended-early': { ...ending, endDate: dayFromNow(-2) },
  completed: { ...ending, status: 'completed', endReason: 'finished' },
};
const cancelled = { ...ending, endReason: 'cancelled' };

/** Every allowed move. All others are refused. */
const legal: Record<Kind, Record<string, string[]>> = {
  candidate: { available: ['withdrawn'], placed: [], withdrawn: ['available'] },
  jobOrder: { open: ['closed'], filled: ['closed'], closed: ['open'] },
  placement: {
    scheduled: ['ended-early', 'completed'],
    active: ['ended-early', 'completed'],
    completed: ['ended-early', 'completed'],
    'ended-early': ['ended-early', 'completed'],
    proposed: ['interviewing', 'offered', 'scheduled', 'declined'],
    interviewing: ['offered', 'scheduled', 'declined'],
    offered: ['scheduled', 'declined'],
    declined: [],
  },
};

for (const kind of ['candidate', 'jobOrder', 'placement'] as const) {
  for (const [from, batch] of Object.entries(ways[kind])) {
    moves(`a ${kind} that is ${from} moves to the allowed statuses only`, async () => {
      for (const to of [...Object.keys(ways[kind]), 'nonesuch', '']) {
        const sandbox = await makeSandbox(client, batch);
        const { mine } = sandbox;
        const { links } = sandbox[list[kind]][0];
        const read = async () => (await client.get(links.self, mine)).body[kind];
        assert.is((await read()).status, from);
        const end = from === 'scheduled' ? cancelled : ends[to];
        const sent = kind === 'placement' && end && to in ends ? end : { status: to, reason: `to be ${to}` };
        if (kind === 'placement' && from === 'scheduled' && to === 'completed') continue;
        if (legal[kind][from]!.includes(to)) {
          const { status, body, text } = await client.patch(links.self, sent, mine);
          assert.is(status, 200, text);
          assert.equal(body[kind]?.status, to, text);
          const last = body[kind].transitions.at(-1);
          if (from === to) {
            assert.equal(last, body[kind].transitions[0], 'a correction is not a move');
            continue;
          }
          const reason = (sent as Body).reason ?? (sent as Body).endReason;
          assert.equal(last, { at: body[kind].updatedAt, from, to, reason });
          assert.equal(await read(), body[kind]);
          continue;
        }
        await unchanged(client, sandbox, async () => {
          const answer = await client.patch(links.self, { ...sent, ref: 'x' }, mine);
          const { reason } = refused(answer, 409, 'illegal_transition', ['status']);
          for (const next of legal[kind][from]!) assert.match(reason, next, `${from} to ${to}: ${reason}`);
          if (from === 'placed') assert.match(reason, /[Ee]nd its placement/);
        });
      }
    });
  }
}

moves('a status that was set by hand stays, whatever placements say, until it is taken back', async () => {
  const { candidates, jobOrders, mine } = await makeSandbox(client, {
    candidates: [toBody.candidate()],
    jobOrders: [toBody.jobOrder()],
  });
  const [person, order] = [candidates[0], jobOrders[0]];
  await client.patch(person.links.self, { status: 'withdrawn' }, mine);
  await client.patch(order.links.self, { status: 'closed' }, mine);
  const sent = toBody.placement({ candidateId: person.id, jobOrderId: order.id });
  const { body } = await client.post('/placements', sent, mine);
  const statuses = async () => [
    (await client.get(person.links.self, mine)).body.candidate.status,
    (await client.get(order.links.self, mine)).body.jobOrder.status,
  ];
  assert.equal(await statuses(), ['withdrawn', 'closed']);
  await client.patch(person.links.self, { status: 'available' }, mine);
  await client.patch(order.links.self, { status: 'open' }, mine);
  assert.equal(await statuses(), ['placed', 'filled']);
  await client.patch(body.placement.links.self, { ...ending, endDate: dayFromNow(0) }, mine);
  assert.equal(await statuses(), ['available', 'open']);
});

moves('a record that a placement refers to can be deleted, and leaves a null link and no name', async () => {
  const name = 'Zaphod Unmistakable';
  const { candidates, jobOrders, placements, mine } = await makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'a', name })],
    jobOrders: [toBody.jobOrder({ ref: 'a', client: name })],
    placements: [toBody.placement({ candidateId: '#a', jobOrderId: '#a' })],
  });
  const [person, order, placement] = [candidates[0], jobOrders[0], placements[0]];
  for (const { id, links } of [person, order]) {
    const answer = await client.delete(links.self, mine);
    assert.is(answer.status, 200);
    assert.equal(answer.body.deleted, id);
    assert.is((await client.get(links.self, mine)).status, 404);
    assert.equal((await client.delete(links.self, mine)).body.type, 'EMPTY', 'none is left');
    assert.is((await client.patch(links.self, { ref: 'b' }, mine)).status, 404);
  }
  const read = (await client.get(placement.links.self, mine)).body.placement;
  assert.is(read.links.candidate, null);
  assert.is(read.links.jobOrder, null);
  assert.is(read.candidateId, person.id);
  const everywhere = [...Object.values(paths), placement.links.self, '/workspace', '/workspace/export'];
  for (const path of everywhere) assert.not.match((await client.get(path, mine)).text, name, path);
  const again = await client.post('/candidates', toBody.candidate({ ref: 'a' }), mine);
  assert.is(again.body.candidate?.status, 'available', 'the old ref is free, and the new one is not held');
  assert.is((await client.delete(placement.links.self, mine)).status, 200);
  const { records } = (await client.get('/workspace', mine)).body.workspace;
  assert.equal(records, { candidates: 1, jobOrders: 0, placements: 0 });
});

moves('a ref belongs to one record of a kind, and is free again when that record gets another', async () => {
  const sandbox = await makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'a' }), toBody.candidate({ ref: 'b' })],
    jobOrders: [toBody.jobOrder({ ref: 'a' })],
    placements: [toBody.placement({ ref: 'a' })],
  });
  const { mine, candidates } = sandbox;
  const [first, second] = candidates.map(({ links }) => links.self);
  await unchanged(client, sandbox, async () => {
    const paths = ['ref'];
    for (const [kind, path] of [
      ['candidate', '/candidates'],
      ['jobOrder', '/job-orders'],
      ['placement', '/placements'],
    ] as const) {
      refused(await client.post(path, toBody[kind]({ ref: 'a' }), mine), 409, 'duplicate_ref', paths);
    }
    refused(await client.patch(second, { ref: 'a' }, mine), 409, 'duplicate_ref', paths);
  });
  assert.is((await client.patch(first, { ref: 'a' }, mine)).status, 200, 'its own');
  assert.is((await client.patch(first, { ref: 'c' }, mine)).status, 200);
  assert.is((await client.patch(second, { ref: 'a' }, mine)).status, 200);
  assert.is((await client.patch(second, { ref: null }, mine)).status, 200);
  const made = await client.post('/candidates', toBody.candidate({ ref: 'a' }), mine);
  assert.is(made.status, 201);
  const placed = await client.post('/placements', toBody.placement({ candidateId: '#a' }), mine);
  assert.is(placed.body.placement.candidateId, made.body.candidate.id);
});

moves.run();
