import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import { confirm, openPlacementOn45, showConfirmation, yearLong } from '../../support/outcomes.ts';
import { pluck } from '../../support/rows.ts';
import { World } from '../../support/world.ts';

const agreed = suite('answers to a statement');
const world = new World(yearLong);

/** Sends the answer of a party by a tool. */
const byTool = (confirmation: string, args: object) =>
  world.tool('answerConfirmation', { confirmation, ...args });

agreed('name the statement that was read, over HTTP and MCP', async () => {
  const placed = await openPlacementOn45(world);
  await placed.state('attrited');
  const token = await placed.token();
  const { tag } = (await showConfirmation(world, token)).body;
  await placed.state('retained');
  for (const [sent, headers] of [
    [{ tag: undefined }, {}],
    [{ tag: undefined }, { 'if-match': '*' }],
  ] as const) {
    const { status, body } = await confirm(world, token, true, sent, headers);
    assert.is(status, 400);
    assert.is(body.issues[0].path, 'tag');
    assert.match(body.issues[0].message, /GET \/confirmation/);
  }
  assert.is((await confirm(world, token, true, { tag })).body.code, 'changed');
  const { isError, structuredContent } = await byTool(token, { agrees: true });
  assert.is(isError, true);
  assert.is(structuredContent.issues[0].path, 'tag');
  assert.match(structuredContent.issues[0].message, /getConfirmation/);
  assert.is((await byTool(token, { agrees: true, tag })).structuredContent.code, 'changed');
  assert.equal((await placed.read()).outcome.confirmations, []);
  const now = (await showConfirmation(world, token)).body;
  assert.is.not(now.tag, tag);
  assert.is((await byTool(token, { agrees: true, tag: now.tag })).structuredContent.answer.agrees, true);
  assert.is((await placed.read()).outcome.validated, true);
});

agreed('a party that disagreed has to agree itself, and the receipt says so', async () => {
  const placed = await openPlacementOn45(world);
  await placed.state('retained');
  const [client, candidate] = [await placed.token('client'), await placed.token('candidate')];
  await confirm(world, client, false);
  const { revision } = await placed.read();
  assert.is((await placed.state('retained')).status, 200);
  const same = await placed.read();
  assert.equal([same.revision, same.outcome.confirmations.length], [revision, 1], 'nothing is changed');
  assert.is((await placed.state('retained', { note: 'As told.' })).body.placement.outcome.note, 'As told.');
  assert.is((await placed.read()).outcome.confirmations.length, 1, 'a note changes nothing either');
  await placed.state('converted');
  await confirm(world, candidate, true);
  const { outcome } = await placed.read();
  assert.is(outcome.validated, false);
  assert.is(outcome.disputed, true);
  const fresh = await placed.token('client');
  await confirm(world, fresh, true);
  const after = (await placed.read()).outcome;
  assert.is(after.validated, true);
  assert.is(after.disputed, false);
  assert.is(after.confirmations.length, 2);
  const { receipt } = (await placed.receipt()).body;
  const claims = JSON.parse(Buffer.from(receipt.split('.')[1], 'base64url').toString());
  assert.equal(claims.disputedBy, ['client']);
  assert.equal(claims.confirmedBy.toSorted(), ['candidate', 'client']);
});

agreed('a statement says its day, and a retention that is early gets advice', async () => {
  const placed = await openPlacementOn45(world);
  const early = await placed.state('retained', { asOf: dayAt(12) });
  const { day, asOf } = early.body.placement.outcome;
  assert.is(day, 12);
  assert.equal(asOf, dayAt(12));
  const [{ code, advice, path: at }] = early.body.warnings;
  assert.is(code, 'early_statement');
  assert.is(advice, true);
  assert.is(at, 'asOf');
  const path = `/placements/${placed.id}/outcome`;
  const strict = await placed.post(path, { result: 'retained' }, { prefer: 'handling=strict' });
  assert.is(strict.status, 200);
  assert.is(strict.body.warnings[0].code, 'early_statement');
  for (const result of ['attrited', 'converted'])
    assert.is((await placed.state(result)).body.warnings, undefined, result);
  world.toDay(90);
  const whole = await placed.state('retained');
  assert.is(whole.body.warnings, undefined);
  assert.is(whole.body.placement.outcome.day, 90);
});

agreed('shows which parties have not answered as long as their tokens are valid', async () => {
  const placed = await openPlacementOn45(world);
  await placed.state('retained');
  assert.is((await placed.read()).outcome.pending, undefined);
  const client = await placed.token('client');
  const { expiresAt } = (await placed.request('candidate')).body.confirmation;
  assert.equal(pluck((await placed.read()).outcome.pending, 'party'), ['client', 'candidate']);
  await confirm(world, client, false);
  assert.equal((await placed.read()).outcome.pending, [{ party: 'candidate', expiresAt }]);
  world.toDay(92);
  assert.is((await placed.read()).outcome.pending, undefined);
});

agreed('once a party has answered, the placement stays between the same two parties', async () => {
  const placed = await openPlacementOn45(world);
  await placed.state('retained');
  const token = await placed.token();
  const { tag } = (await showConfirmation(world, token)).body;
  assert.is((await placed.change({ candidateId: 'cand_035' })).status, 200);
  const late = await confirm(world, token, true, { tag });
  assert.is(late.body.code, 'unknown_confirmation', 'it was asked of another candidate');
  await confirm(world, await placed.token(), false);
  await placed.state('converted');
  await placed.change({ startDate: null });
  assert.is((await placed.read()).outcome.result, 'pending', 'the disagreement stays');
  for (const change of [{ candidateId: 'cand_036' }, { jobOrderId: 'job_033' }]) {
    const { status, body } = await placed.change(change);
    assert.is(status, 409);
    assert.is(body.code, 'outcome_closed');
    assert.equal(body.issues[0].path, Object.keys(change)[0]);
  }
  assert.is((await placed.change({ feeModel: 'perm-fee' })).status, 200);
});

agreed('are repeated under their key, and name the statement by tag or by If-Match', async () => {
  const placed = await openPlacementOn45(world);
  await placed.state('retained');
  const token = await placed.token();
  const { tag } = (await showConfirmation(world, token)).body;
  assert.is((await confirm(world, token, true, { tag }, { 'if-match': '"another"' })).status, 412);
  const key = { 'idempotency-key': 'one' };
  const first = await confirm(world, token, true, { tag }, key);
  const again = await confirm(world, token, true, { tag }, key);
  assert.equal(again.body, first.body);
  assert.is(again.headers.get('idempotency-replayed'), 'true');
  assert.is((await confirm(world, token, false, { tag }, key)).status, 422);
});

agreed.run();
