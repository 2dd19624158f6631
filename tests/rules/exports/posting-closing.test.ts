import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { World } from '../../support/world.ts';

const closing = suite('the day on which a posting closed');

/** Days on which the order is closed and opened, its last day, and the day that counts. */
const rows: [title: string, moves: [day: string, status: string][], expected: string][] = [
  ['its endDate', [], '2026-11-28'],
  [
    'its endDate, after it was opened again',
    [
      ['2026-10-03', 'closed'],
      ['2026-10-05', 'open'],
    ],
    '2026-11-28',
  ],
  ['its last move before endDate', [['2026-10-03', 'closed']], '2026-10-03'],
];

for (const [title, moves, expected] of rows)
  closing(`is ${title}`, async () => {
    const world = new World({ now: Date.parse('2026-12-05T12:00:00Z') });
    const transitions = moves.map(([day, to]) => ({
      at: `${day}T12:00:00Z`,
      from: to === 'closed' ? 'open' : 'closed',
      to,
    }));
    const order = { client: 'Works', title: 'Coder', onetCode: '15-1252.00', endDate: '2026-11-28' };
    const sent = { ...order, status: 'closed', transitions };
    const desk = await world.open({ jobOrders: [sent] });
    const [{ id }] = desk.reply.body.jobOrders;
    assert.is((await desk.get(`/job-orders/${id}/posting.jsonld`)).body.validThrough, expected);
  });

closing.run();
