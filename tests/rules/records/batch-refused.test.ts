import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';
import { makeSandbox, refused, toBody, unchanged } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const bad = suite('bad batches');

const people = (count: number, more: object = {}): Body[] =>
  Array.from({ length: count }, (_, index) => toBody.candidate({ name: `P${index}`, ...more }));
const orders = (count: number): Body[] => Array.from({ length: count }, () => toBody.jobOrder());
const withRef = (ref: string) => [toBody.candidate({ ref })];
const placed = (...all: object[]) => ({ placements: all.map((one) => toBody.placement(one)) });
const asked = { status: 'ended-early' };
const ending = { ...asked, endDate: '2026-01-09', endReason: 'other' };

/** Batches by their mistake: the places that are named, and the message for the first. */
const cases: Record<string, [batch: Body, paths: string[], says?: RegExp][]> = {
  'that hold no record': [
    [{}, [''], /no record/],
    [{ candidates: [] }, ['']],
    [{ candidates: [], jobOrders: [], placements: [] }, ['']],
  ],
  'of more than 200, however they are spread': [
    [{ candidates: people(201) }, ['candidates'], /200/],
    [{ candidates: people(100), jobOrders: orders(100), ...placed({}) }, [''], /200/],
  ],
  'that are no lists of objects': [
    [{ candidates: toBody.candidate() }, ['candidates']],
    [{ candidates: 'all' }, ['candidates']],
    [{ candidates: null, jobOrders: orders(1) }, ['candidates']],
    [{ candidates: [...people(2), 'Ann'] }, ['candidates[2]']],
    [{ jobOrders: [null, ...orders(1)] }, ['jobOrders[0]']],
    [{ candidates: people(1), placements: [7] }, ['placements[0]']],
  ],
  'with a bad record among many': [
    [
      { candidates: people(150).with(137, { name: 'A', onetCode: '15-1252.99' }) },
      ['candidates[137].onetCode'],
    ],
    [
      {
        candidates: people(150).with(137, toBody.candidate({ skills: ['Go', ''] })),
        jobOrders: orders(50).with(49, toBody.jobOrder({ openings: 0 })),
      },
      ['candidates[137].skills[1]', 'jobOrders[49].openings'],
    ],
    [{ candidates: people(150).with(3, { name: 'A' }) }, ['candidates[3].onetCode'], /is missing/],
  ],
  'with a ref that names nothing': [
    [
      placed({ candidateId: '#nobody' }),
      ['placements[0].candidateId'],
      /no candidate sent with it or in its workspace has that ref/,
    ],
    [
      { candidates: withRef('ann'), ...placed({}, { candidateId: '#ann', jobOrderId: '#ann' }) },
      ['placements[1].jobOrderId'],
    ],
    [{ jobOrders: orders(1), ...placed({ jobOrderId: '#' }) }, ['placements[0].jobOrderId']],
  ],
  'with two equal refs of a kind': [
    [{ candidates: [...withRef('ann'), ...people(1), ...withRef('ann')] }, ['candidates[2].ref']],
  ],
  'with an early end that is not as it has to be': [
    [placed({}, asked), ['placements[1].endDate', 'placements[1].endReason']],
    [placed({ ...ending, startDate: '2026-01-10' }), ['placements[0].endDate']],
    [placed({ ...ending, endDate: '2126-01-01' }), ['placements[0].endDate']],
  ],
};

for (const [what, rows] of Object.entries(cases)) {
  bad(`${what} are refused, and nothing is created`, async () => {
    const sandbox = await makeSandbox(client, { candidates: people(1) });
    const { commits } = client.store.stats();
    await unchanged(client, sandbox, async () => {
      for (const [batch, paths, says] of rows) {
        for (const mine of [sandbox.mine, {}]) {
          const answer = await client.post('/batch', batch, mine);
          const { issues } = refused(answer, 400, 'invalid_request');
          assert.is(answer.headers.get('x-workspace'), null);
          // A mistake in the whole batch may be named beside the places.
          const places = pluck(issues, 'path');
          assert.equal(
            places.filter((path) => path !== '' || paths.includes('')),
            paths,
            answer.text,
          );
          if (says) assert.match(issues[0].message, says);
        }
      }
    });
    assert.is(client.store.stats().commits, commits, 'no workspace is made');
  });
}

bad('a batch of 200 is created in order, with unique refs per kind', async () => {
  const { body } = await client.post('/batch', { candidates: people(100), jobOrders: orders(100) });
  assert.equal(pluck(body.candidates, 'name'), pluck(people(100), 'name'));
  assert.is(body.jobOrders.length, 100);
  assert.is(body.placements, undefined);
  const sandbox = await makeSandbox(client, {
    candidates: withRef('ann'),
    jobOrders: [toBody.jobOrder({ ref: 'ann' })],
    ...placed({ ref: 'ann', candidateId: '#ann', jobOrderId: '#ann' }),
  });
  await unchanged(client, sandbox, async () => {
    const batch = { candidates: [...people(3), ...withRef('ann')] };
    refused(await client.post('/batch', batch, sandbox.mine), 409, 'duplicate_ref', ['candidates[3].ref']);
  });
});

bad('a batch that would not fit is an offer, and nothing of it is created', async () => {
  const { ask } = new World({ settings: { recordCeiling: 10 } });
  const send = (count: number, headers = {}) => ask('POST', '/batch', { candidates: people(count) }, headers);
  const mine = { 'x-workspace': (await send(8)).body.workspace };
  for (const { status, body } of [await send(3, mine), await send(11)]) {
    assert.is(status, 402);
    assert.is(body.type, 'OFFER');
  }
  assert.is((await send(2, mine)).status, 201);
});

bad.run();
