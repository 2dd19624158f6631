import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt, today } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { pluck } from '../../support/rows.ts';
import { onetCode } from '../../support/sandbox.ts';
import { openSmallDesk } from '../../support/small-desk.ts';
import type { Desk } from '../../support/world.ts';

const moves = suite('moves that are imported');

const order = { ref: 'o', client: 'Example Works', title: 'Developer', onetCode };
const moveAt = (at: unknown, more: object = {}) => ({ at, from: 'open', to: 'closed', ...more });

const noTime = 'must be an RFC 3339 time such as 2026-11-27T09:00:00Z';
const statuses = 'must be one of open, filled, closed';
const early = '2026-01-01T00:00:00Z';

/** Moves that are not valid, and what is said of which place. */
const bad: [what: string, transitions: unknown, place: string, message: string][] = [
  ['a number', 7, '', 'must be an array of objects'],
  ['51 moves', Array(51).fill(moveAt(early)), '', 'must hold at most 50 moves'],
  ['a move that is no object', [4], '[0]', 'must be an object'],
  ['a time in words', [moveAt('soon')], '[0].at', noTime],
  ['a time that is a list', [moveAt([early])], '[0].at', 'must be a string'],
  ['a day that does not exist', [moveAt('2026-02-30T00:00:00Z')], '[0].at', noTime],
  ['an unknown status before', [moveAt(early, { from: 'opn' })], '[0].from', statuses],
  ['an unknown status after', [moveAt(early, { to: 'shut' })], '[0].to', statuses],
  ['an unknown link', [moveAt(early, { by: 'me' })], '[0].by', 'must be shortlist, or left out'],
  [
    'a move in the future',
    [moveAt(`${today}T12:00:00.001Z`)],
    '[0].at',
    `is in the future; send a time until ${today}T12:00:00.000Z`,
  ],
  [
    'a move before the one in front of it',
    [moveAt('2026-01-02T00:00:00Z'), moveAt(early, { from: 'closed', to: 'open' })],
    '[1].at',
    'is before the move in front of it, 2026-01-02T00:00:00.000Z; send the oldest move first',
  ],
];

for (const [what, transitions, place, message] of bad)
  moves(`are refused with ${what}`, async () => {
    const desk = await openSmallDesk();
    const sent = { jobOrders: [{ ...order, ref: 'new', transitions }] };
    const { status, body } = await desk.post('/batch', sent);
    assert.is(status, 400);
    assert.equal(pluck(body.issues, 'path'), [`jobOrders[0].transitions${place}`]);
    assert.is(body.issues[0].message, message);
  });

moves('can have the same time, and that of the import', async () => {
  const desk = await openSmallDesk();
  const now = `${today}T12:00:00.000Z`;
  const transitions = [moveAt(now), moveAt(now, { from: 'closed', to: 'open' })];
  const sent = { jobOrders: [{ ...order, ref: 'new', transitions }] };
  const { body } = await desk.post('/batch', sent);
  assert.equal(body.jobOrders[0].transitions, transitions);
});

const changeOrder = async ({ ask }: Desk, patch: object, headers: object = {}): Promise<Body> =>
  (await ask('PATCH', '/job-orders/%23o', patch, headers)).body.jobOrder;

/** Imports what a desk exported into a new workspace. Returns the header that names it. */
const importInto = async ({ world }: Desk, page: object): Promise<object> => (await world.open(page)).mine;

/** What happens to an order before its export, and its status after a later endDate. */
const lives: [what: string, happens: (world: Desk) => Promise<unknown>, status: string][] = [
  ['closed by its endDate alone', (desk) => changeOrder(desk, { endDate: dayAt(-1) }), 'open'],
  [
    'closed by a move and then by its endDate',
    async (desk) => {
      await changeOrder(desk, { status: 'closed' });
      await changeOrder(desk, { endDate: dayAt(-1) });
    },
    'closed',
  ],
  [
    'reopened before its endDate closed it',
    async (desk) => {
      await changeOrder(desk, { status: 'closed' });
      await changeOrder(desk, { status: 'open' });
      await changeOrder(desk, { endDate: dayAt(-1) });
    },
    'open',
  ],
  ['closed by a move', (desk) => changeOrder(desk, { status: 'closed' }), 'closed'],
];

for (const [what, happens, status] of lives)
  for (const form of ['a page of an export', 'a batch of its records'])
    moves(`leave an order ${what} as it was, in ${form}`, async () => {
      const desk = await openSmallDesk();
      await happens(desk);
      const { exportedAt, candidates, jobOrders } = (await desk.get('/workspace/export')).body;
      const records = { candidates, jobOrders };
      const isPage = form.includes('page');
      const copy = await importInto(desk, isPage ? { exportedAt, ...records } : records);

      const later = { endDate: dayAt(30) };
      assert.is((await changeOrder(desk, later)).status, status, 'the original');
      assert.is((await changeOrder(desk, later, copy)).status, status, 'the copy');
    });

moves('to closed before a day that was over only after the export are kept', async () => {
  const desk = await openSmallDesk({ o: { endDate: dayAt(5), status: 'closed' } });
  const page = (await desk.get('/workspace/export')).body;
  desk.world.toDay(10);
  const copy = await importInto(desk, page);
  assert.is((await changeOrder(desk, { endDate: dayAt(30) }, copy)).status, 'closed');
});

moves.run();
