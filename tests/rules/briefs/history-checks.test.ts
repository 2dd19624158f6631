import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { solutions } from '../../support/brief-solutions.ts';
import { listWrongWays } from '../../support/brief-wrong-ways.ts';
import { openBriefs, readBrief, startBrief } from '../../support/briefs.ts';
import type { Body } from '../../support/http.ts';

const history = suite('checks of what happened');
const world = openBriefs();
const ids = Object.keys(solutions).filter((id) => readBrief(id).level === 4);

const isOfHistory = (check: object) => ['happened', 'never', 'before'].some((name) => name in check);

for (const id of ids) {
  history(`${id}: each check of what happened has a way that breaks it`, () => {
    const checks = readBrief(id).checks.filter(isOfHistory);
    assert.equal(
      checks.map((check) => check.id).sort(),
      listWrongWays(id)
        .map(([check]) => check)
        .sort(),
    );
  });

  for (const [check, steps] of listWrongWays(id))
    history(`${id}: a way to the right end that breaks ${check} fails by that alone`, async () => {
      const started = await startBrief(world, id, 3);
      await started.take(steps, 'http');
      const { checks } = await started.grade();
      const failed = checks.filter(({ passed }: Body) => !passed).map((one: Body) => one.id);
      assert.equal(failed, [check]);
    });
}

history.run();
