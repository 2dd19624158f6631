import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client, order, person } from '../../support/matches.ts';

const rows = suite('rows of matches');
const desk = {
  candidates: [person(undefined, { ref: 'ann' })],
  jobOrders: [{ ...order, ref: 'icu' }],
  placements: [
    { candidateId: '#ann', jobOrderId: '#icu', onetCode: order.onetCode, ref: 'pair', status: 'proposed' },
  ],
};

async function makeDesk(batch: object = desk) {
  const { status, body, text } = await client.post('/batch', batch);
  assert.is(status, 201, text);
  return { ...body, mine: { 'X-Workspace': body.workspace } } as Body & { mine: Record<string, string> };
}

rows('a match has the placement of its pair, from both sides and in the matches of a workspace', async () => {
  const { mine, placements, candidates, jobOrders } = await makeDesk();
  const history = { placementId: placements[0].id, status: 'proposed' };
  for (const { links } of [candidates[0], jobOrders[0]])
    assert.equal((await client.ranked(links.self, '', mine))[0]!.history, history);
  const { orders } = (await client.get('/workspace/matches', mine)).body;
  assert.equal(orders[0].matches[0].history, history);
});

rows('the history is the newest placement of a pair', async () => {
  const declined = { ...desk.placements[0], ref: 'earlier' };
  const { mine, placements, jobOrders } = await makeDesk({ ...desk, placements: [declined] });
  const path = placements[0].links.self;
  const headers = { ...mine, 'Content-Type': 'application/merge-patch+json' };
  const body = JSON.stringify({ status: 'declined', declineReason: 'client' });
  await client.patch(path, body, headers);
  const [before] = await client.ranked(jobOrders[0].links.self, '', mine);
  assert.is(before!.history.status, 'declined');
  const again = (await client.post('/placements', desk.placements[0], mine)).body.placement;
  const [after] = await client.ranked(jobOrders[0].links.self, '', mine);
  assert.equal(after!.history, { placementId: again.id, status: 'proposed' });
});

rows('a pair without a placement has no history', async () => {
  const { mine, jobOrders } = await makeDesk({ ...desk, placements: [] });
  assert.is((await client.ranked(jobOrders[0].links.self, '', mine))[0]!.history, undefined);
});

rows('fields leaves the named members, the score, and the id of the record', async () => {
  const { mine, candidates, jobOrders } = await makeDesk();
  const [match] = await client.ranked(jobOrders[0].links.self, 'fields=name,unknown', mine);
  assert.equal(Object.keys(match!).sort(), ['candidate', 'meets', 'score', 'unknown']);
  assert.equal(match!.candidate, { id: candidates[0].id, name: 'Ann Sample' });
  const { orders } = (await client.get('/workspace/matches?fields=name', mine)).body;
  assert.equal(Object.keys(orders[0].matches[0]).sort(), ['candidate', 'meets', 'score']);
});

rows('the matches of a workspace begin at 30 points unless minScore says otherwise', async () => {
  const aide = person('31-1131.00', { name: 'Aide Sample', skills: ['Lifting'], metro: 'Austin, TX' });
  const { mine, jobOrders } = await makeDesk({ ...desk, candidates: [...desk.candidates, aide] });
  const namesOf = async (query: string) => {
    const { orders } = (await client.get(`/workspace/matches?limit=10&${query}`, mine)).body;
    return orders[0].matches.map(({ candidate }: Body) => candidate.name);
  };
  const all = await client.ranked(jobOrders[0].links.self, '', mine);
  const low = all.filter(({ score }) => score < 30).map(({ candidate }) => candidate.name);
  assert.equal(low, ['Aide Sample'], JSON.stringify(all));
  assert.equal(await namesOf(''), ['Ann Sample']);
  assert.equal(await namesOf('minScore=0'), ['Ann Sample', 'Aide Sample']);
});

rows('the scope of a workspace that was not sent matches nothing, and says so', async () => {
  const { body } = await client.matches('/job-orders/job_034', 'scope=workspace');
  assert.is(body.type, 'EMPTY');
  assert.match(body.message, 'X-Workspace (over MCP the argument workspace) was not sent');
});

rows('a minScore that is no score is refused', async () => {
  const { mine } = await makeDesk();
  for (const minScore of ['-1', '101', 'high'])
    assert.is((await client.get(`/workspace/matches?minScore=${minScore}`, mine)).status, 400, minScore);
});

rows.run();
