import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatInitials } from '../../../src/placements/outcome.ts';
import { today } from '../../support/days.ts';
import {
  confirm,
  type openPlacement,
  openPlacementOn45,
  showConfirmation,
  yearLong,
} from '../../support/outcomes.ts';
import { World } from '../../support/world.ts';

const stated = suite('what a party reads, and what its answer brings');
const world = new World(yearLong);

/** Returns the statement that the client of a placement reads. */
async function readStatement(placed: Awaited<ReturnType<typeof openPlacement>>) {
  await placed.state('retained');
  return (await showConfirmation(world, await placed.token())).body.statement;
}

/** Makes a placement of a candidate of this name, on its 45th day. */
async function placeNamed(name: string) {
  world.toDay(-9);
  const made = await world.post('/candidates', { name, onetCode: '29-1141.00' });
  const headers = { 'x-workspace': made.body.workspace };
  const body = { candidateId: made.body.candidate.id, jobOrderId: 'job_034', onetCode: '29-1141.00' };
  const placed = await world.post('/placements', { ...body, startDate: today }, headers);
  world.toDay(45);
  const at = `/placements/${placed.body.placement.id}`;
  await world.post(`${at}/outcome`, { result: 'retained' }, headers);
  const asked = await world.post(`${at}/confirmations`, { party: 'client' }, headers);
  return { at, headers, candidateId: body.candidateId, token: asked.body.confirmation.token };
}

stated('names the placement by its ref', async () => {
  const statement = await readStatement(await openPlacementOn45(world, { ref: 'night-nurse-2' }));
  assert.is(statement.reference, 'night-nurse-2');
});

stated('names a placement without a ref by the initials of the candidate', async () => {
  const { token } = await placeNamed('Ada de Example');
  const { body } = await showConfirmation(world, token);
  assert.is(body.statement.reference, 'A. D. E.');
  assert.not.match(JSON.stringify(body), /\bAda\b/);
});

stated('keeps the initials if the candidate is renamed later', async () => {
  const { token, headers, candidateId } = await placeNamed('Ada Example');
  await world.patch(`/candidates/${candidateId}`, { name: 'Grace Sample' }, headers);
  assert.is((await showConfirmation(world, token)).body.statement.reference, 'A. E.');
});

stated('names another candidate if the placement is given to one', async () => {
  const { at, headers } = await placeNamed('Ada Example');
  const other = await world.ask(
    'POST',
    '/candidates',
    { name: 'Bo Sample', onetCode: '29-1141.00' },
    headers,
  );
  await world.patch(at, { candidateId: other.body.candidate.id }, headers);
  const { confirmation } = (await world.post(`${at}/confirmations`, { party: 'client' }, headers)).body;
  assert.is((await showConfirmation(world, confirmation.token)).body.statement.reference, 'B. S.');
});

for (const [name, initials] of [
  ['Ada Example', 'A. E.'],
  ['  ada  ', 'A.'],
  ['Émile Zola', 'É. Z.'],
  ['"Bo" Example', 'B. E.'],
  ['王小明', '王.'],
  ['A B C D E F', 'A. B. C. D.'],
  ['123', undefined],
] as const)
  stated(`forms the initials of ${JSON.stringify(name)}`, () => {
    assert.is(formatInitials(name), initials);
  });

stated('has the claims and the address of the keys with a receipt', async () => {
  const placed = await openPlacementOn45(world);
  await placed.state('retained');
  await confirm(world, await placed.token(), true);
  const { body } = await placed.receipt();
  const payload = Buffer.from(body.receipt.split('.')[1], 'base64url').toString();
  assert.equal(body.claims, JSON.parse(payload));
  assert.is(body.claims.sub, placed.id);
  assert.is(body.links.keys, '/.well-known/jwks.json');
});

stated(
  'has the claims and the keys with a receipt in an export, which a batch takes without a warning',
  async () => {
    const placed = await openPlacementOn45(world);
    await placed.state('retained');
    await confirm(world, await placed.token(), true);
    const { body: page } = await placed.get('/workspace/export');
    const [exported] = page.placements;
    assert.is(exported.claims.sub, placed.id);
    assert.is(exported.links.keys, '/.well-known/jwks.json');
    assert.is(exported.links.self, `/placements/${placed.id}`);
    const { body } = await world.post('/batch', page);
    const paths = (body.warnings ?? []).map(({ path }: { path: string }) => path);
    assert.equal(paths, ['placements[0].outcome']);
  },
);

stated.run();
