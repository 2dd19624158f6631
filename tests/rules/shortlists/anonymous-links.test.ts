import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { pluck } from '../../support/rows.ts';
import { toBody } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const links = suite('links that are made anonymous, and those of reviewers');

const onetCode = '29-1141.00';

/** Proposes a person for an order. */
async function propose() {
  const world = new World();
  const { body } = await world.post('/batch', {
    candidates: [toBody.candidate({ ref: 'c', name: 'Ann Sample', onetCode })],
    jobOrders: [toBody.jobOrder({ ref: 'o', onetCode })],
    placements: [{ candidateId: '#c', jobOrderId: '#o', onetCode, status: 'proposed' }],
  });
  const { workspace } = body;
  const share = async (sent: object): Promise<Body> =>
    (await world.post('/job-orders/%23o/shortlist', sent, { 'x-workspace': workspace })).body;
  const read = (token: string) => world.get('/shortlist', { 'x-shortlist': token });
  const decide = (token: string, { id, tag }: Body) =>
    world.ask(
      'POST',
      '/shortlist',
      { placementId: id, decision: 'interview', tag },
      { 'x-shortlist': token },
    );
  return { share, read, decide };
}

links('a page that was saved before opens and decides nothing', async () => {
  const { share, read, decide } = await propose();
  const { token } = (await share({})).shortlist;
  const [saved] = (await read(token)).body.shortlist.placements;
  assert.is(saved.candidate.name, 'Ann Sample');

  const made = await share({ replace: true, anonymous: true });
  assert.equal(pluck(made.warnings, 'code'), ['names_seen']);
  assert.is((await read(token)).status, 401);
  assert.is((await decide(token, saved)).status, 401);

  const { text, body } = await read(made.shortlist.token);
  assert.not.match(text, /Ann|Sample/);
  assert.is((await decide(made.shortlist.token, saved)).status, 412, 'the order has changed');
  assert.is((await decide(made.shortlist.token, body.shortlist.placements[0])).status, 200);
});

links('the advice comes with each link that hides what another showed', async () => {
  const { share } = await propose();
  const first = await share({ reviewer: 'Dana', anonymous: true });
  assert.is(first.warnings, undefined);
  const second = await share({ reviewer: 'Bo', anonymous: true });
  assert.is(second.warnings, undefined);
  assert.is((await share({ reviewer: 'Cy' })).warnings, undefined);
  assert.equal(pluck((await share({ reviewer: 'Di', anonymous: true })).warnings, 'code'), ['names_seen']);
});

links('the refusal of a sixth reviewer names the five', async () => {
  const { share } = await propose();
  for (const reviewer of ['A', 'B', 'C', 'D', 'E']) await share({ reviewer });
  assert.match((await share({ reviewer: 'F' })).reason, '"A", "B", "C", "D", "E"');
});

links.run();
