import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import { confirm, openPlacement, yearLong } from '../../support/outcomes.ts';
import { World } from '../../support/world.ts';

const matrix = suite('statement, answer and day combined');
const days = [-1, 0, 45, 90, 91];
const answers = ['none', 'agrees', 'disagrees', 'both agree', 'one of two disagrees first'] as const;

const world = new World(yearLong);

for (const result of ['retained', 'converted', 'attrited']) {
  for (const day of days) {
    for (const answer of answers) {
      matrix(`${result} on day ${day}, ${answer}`, async () => {
        world.toDay(-9);
        const placed = await openPlacement(world);
        world.toDay(day);
        const stated = await placed.state(result);
        if (day < 0 || day > 90) {
          const code = day < 0 ? 'not_started' : 'outcome_closed';
          assert.is(stated.status, 409);
          assert.equal(stated.body.code, code);
          assert.is((await placed.request()).body.code, day < 0 ? 'no_outcome' : code);
          const { message } = (await placed.receipt()).body;
          assert.match(message, day < 0 ? /A party has to agree .* by the end of/ : /nothing can be now/);
          const { outcome } = await placed.read();
          assert.is(outcome.result, 'pending');
          assert.is(outcome.validated, false);
          return;
        }
        assert.is(stated.status, 200);
        const { outcome } = stated.body.placement;
        assert.equal(outcome.result, result);
        assert.equal(outcome.asOf, dayAt(day));
        assert.is(outcome.validated, false);
        assert.is(stated.body.placement.status === 'ended-early', result === 'attrited');
        const client = await placed.token('client');
        const candidate = await placed.token('candidate');
        const given: [string, boolean, number, string?][] = {
          none: [],
          agrees: [[client, true, 200]],
          disagrees: [[client, false, 200]],
          'both agree': [
            [client, true, 200],
            [candidate, true, 409, 'outcome_closed'],
          ],
          'one of two disagrees first': [
            [candidate, false, 200],
            [client, true, 200],
          ],
        }[answer] as [string, boolean, number, string?][];
        for (const [token, agrees, status, code] of given) {
          const said = await confirm(world, token, agrees);
          assert.equal(said.status, status);
          assert.equal(said.body.code, code);
          if (status !== 200) continue;
          const { validated } = (await placed.read()).outcome;
          assert.is(said.body.validated, validated);
          assert.is(said.body.links?.receipt, validated ? `/placements/${placed.id}/receipt` : undefined);
        }
        const validated = answer === 'agrees' || answer === 'both agree';
        const after = (await placed.read()).outcome;
        assert.is(after.validated, validated);
        assert.is(after.disputed, answer.includes('disagrees'));
        assert.is((await placed.receipt()).status, validated ? 200 : 404);
        world.toDay(91, 0);
        assert.is((await placed.read()).outcome.validated, validated, 'neither silence nor time changes it');
        assert.is((await confirm(world, candidate, true)).status, 401, 'tokens end with the window');
      });
    }
  }
}

matrix('the last moment of validateBy counts, and the one after it does not', async () => {
  for (const [hours, status] of [
    [23.999, 200],
    [24, 401],
  ] as const) {
    world.toDay(-9);
    const placed = await openPlacement(world);
    world.toDay(45);
    await placed.state('retained');
    const token = await placed.token();
    world.toDay(90, hours);
    assert.is((await confirm(world, token, true)).status, status);
    assert.is((await placed.read()).outcome.validated, status === 200);
  }
});

matrix.run();
