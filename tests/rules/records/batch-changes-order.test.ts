import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { pluck } from '../../support/rows.ts';
import { strict } from '../../support/sandbox.ts';
import { codesOf, isRefused, openSmallDesk, place, readPlacement } from '../../support/small-desk.ts';

const order = suite('the order of changes in a batch');

/** Changes of which one depends on an earlier one, and what the later one warns of, with its place. */
const dependent: Record<string, [changes: object[], found: string[]]> = {
  'an acceptance after its order closes': [
    [
      { id: '#o', status: 'closed' },
      { id: '#x', status: 'scheduled' },
    ],
    ['closed changes[1].jobOrderId'],
  ],
  'an acceptance after the last day of its order moves into the past': [
    [
      { id: '#o', endDate: dayAt(-1) },
      { id: '#x', status: 'scheduled' },
    ],
    ['closed changes[1].jobOrderId'],
  ],
  'a proposal that moves to an order after it closes': [
    [
      { id: '#p', status: 'closed' },
      { id: '#x', jobOrderId: '#p' },
    ],
    ['closed changes[1].jobOrderId'],
  ],
  'an acceptance after its candidate withdraws': [
    [
      { id: '#a', status: 'withdrawn' },
      { id: '#x', status: 'scheduled' },
    ],
    ['withdrawn changes[1].candidateId'],
  ],
  'an acceptance after another takes the last opening': [
    [
      { id: '#x', status: 'scheduled' },
      { id: '#y', status: 'scheduled' },
    ],
    ['already_filled changes[1].jobOrderId'],
  ],
  'an acceptance after another placement of the person': [
    [
      { id: '#x', status: 'scheduled' },
      { id: '#y', status: 'scheduled', candidateId: '#a', jobOrderId: '#p' },
    ],
    ['already_placed changes[1].candidateId'],
  ],
  'an acceptance before its order closes': [
    [
      { id: '#x', status: 'scheduled' },
      { id: '#o', status: 'closed' },
    ],
    [],
  ],
  'an acceptance after another of the order is declined': [
    [
      { id: '#x', status: 'declined', declineReason: 'client' },
      { id: '#y', status: 'scheduled' },
    ],
    [],
  ],
};

/** Changes of which a later one cannot follow an earlier one, and the issue of the later one. */
const impossible: Record<string, [changes: object[], path: string, says: RegExp]> = {
  'a candidate withdraws after an acceptance': [
    [
      { id: '#x', status: 'scheduled' },
      { id: '#a', status: 'withdrawn' },
    ],
    'changes[1].status',
    /End its placement first/,
  ],
  'an order closes twice': [
    [
      { id: '#o', status: 'closed' },
      { id: '#o', status: 'closed' },
    ],
    'changes[1].status',
    /legal now: open/,
  ],
  'an order opens after its last day moves into the past': [
    [
      { id: '#o', status: 'closed', endDate: dayAt(-1) },
      { id: '#o', status: 'open' },
    ],
    'changes[1].status',
    /later endDate/,
  ],
  'a declined proposal is accepted': [
    [
      { id: '#x', status: 'declined', declineReason: 'client' },
      { id: '#x', status: 'scheduled' },
    ],
    'changes[1].status',
    /no move is legal now/,
  ],
};

const open = async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', status: 'proposed' });
  await place(desk, { ref: 'y', status: 'proposed', candidateId: '#b' });
  const read = async () => {
    const { exportedAt, ...whole } = (await desk.get('/workspace/export')).body;
    return { whole, revision: (await desk.get('/workspace')).body.workspace.revision };
  };
  const send = (changes: object[], more: object = {}, headers: object = {}) =>
    desk.post('/batch', { ...more, changes }, headers);
  return { desk, read, send };
};

for (const [what, [changes, found]] of Object.entries(dependent))
  order(`counts for ${what}`, async () => {
    const { read, send } = await open();
    const before = await read();
    const checked = await send(changes, {}, strict);
    assert.is(isRefused(checked), found.length > 0, JSON.stringify(checked.body));
    if (found.length === 0) return assert.not('warnings' in checked.body);
    assert.is(checked.body.code, 'conflict');
    assert.equal(
      pluck(checked.body.issues, 'path'),
      found.map((one) => one.split(' ')[1]),
    );
    assert.equal(await read(), before, 'nothing is written');
    const { body } = await send(changes);
    assert.equal(
      body.warnings.map(({ code, path }: Body) => `${code} ${path}`),
      found,
    );
  });

for (const [what, [changes, path, says]] of Object.entries(impossible))
  order(`refuses all if ${what}`, async () => {
    const { read, send } = await open();
    const before = await read();
    const { body } = await send(changes);
    assert.is(body.code, 'illegal_transition', JSON.stringify(body));
    assert.equal(pluck(body.issues, 'path'), [path]);
    assert.match(body.issues[0].message, says);
    assert.equal(await read(), before, 'nothing is written');
  });

order('lets an order decline a proposal that the batch creates', async () => {
  const { desk, send } = await open();
  const placements = [
    { ref: 'z', candidateId: '#b', jobOrderId: '#p', onetCode: '15-1252.00', status: 'proposed' },
  ];
  const changes = [{ id: '#p', status: 'closed', declineProposals: true }];
  const { body } = await send(changes, { placements });
  assert.is(body.type, 'OK', JSON.stringify(body));
  assert.is(body.placements[0].status, 'declined');
  assert.is((await readPlacement(desk, 'z')).declineReason, 'closed');
  assert.is((await readPlacement(desk, 'x')).status, 'proposed', 'it is one of another order');
});

order('counts the revision before the batch for each change of a record', async () => {
  const { desk, read, send } = await open();
  const sent = (revision: number) => [
    { id: '#x', revision: 1, note: 'First.' },
    { id: '#x', revision, note: 'Second.' },
  ];
  const before = await read();
  const stale = await send(sent(2));
  assert.is(stale.body.code, 'changed');
  assert.equal(codesOf(stale), ['changes[1].revision']);
  assert.equal(await read(), before, 'nothing is written');
  assert.is((await send(sent(1))).body.type, 'OK');
  const { note, revision } = await readPlacement(desk, 'x');
  assert.is(`${note} ${revision}`, 'Second. 3');
});

order.run();
