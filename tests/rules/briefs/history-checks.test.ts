import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { solutions } from '../../support/brief-solutions.ts';
import { openBriefs, startBrief } from '../../support/briefs.ts';
import type { Body } from '../../support/http.ts';

const history = suite('checks of what happened');
const world = await openBriefs();

history('an agent that proposes twice and deletes the second fails that check alone', async () => {
  const started = await startBrief(world, 'three-shifts', 0);
  await started.take(solutions['three-shifts']!.steps, 'http');
  const mine = started.mine;
  const { placements } = (await world.ask('GET', '/placements?status=scheduled&limit=1', undefined, mine))
    .body;
  const { candidateId, jobOrderId, onetCode } = placements[0];
  const sent = { candidateId, jobOrderId, onetCode, status: 'proposed' };
  const { body } = await world.ask('POST', '/placements', sent, mine);
  assert.is(body.warnings.find(({ code }: Body) => code === 'already_proposed')?.path, 'candidateId');
  await world.ask('DELETE', `/placements/${body.placement.id}`, undefined, mine);
  const { checks } = await started.grade();
  const failed = checks.filter(({ passed }: Body) => !passed).map(({ id }: Body) => id);
  assert.equal(failed, ['nothing-deleted']);
});

history('an agent that changes an order and changes it back fails that check alone', async () => {
  const started = await startBrief(world, 'rate-agreement', 0);
  await started.take(solutions['rate-agreement']!.steps, 'http');
  const { jobOrders } = (await world.ask('GET', '/job-orders?limit=1', undefined, started.mine)).body;
  const [{ links, openings }] = jobOrders;
  for (const count of [openings + 1, openings])
    await world.ask('PATCH', links.self, { openings: count }, started.mine);
  const { checks } = await started.grade();
  const failed = checks.filter(({ passed }: Body) => !passed).map(({ id }: Body) => id);
  assert.equal(failed, ['no-order']);
});

history.run();
