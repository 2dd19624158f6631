import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { BriefResult, sumUpLevels, toBriefSums } from '../../../src/briefs/brief-result.ts';
import { recordRuns } from '../../support/brief-runs.ts';

const recorded = suite('the recorded runs of the briefs');
const { runs } = JSON.parse(readFileSync('content/brief-runs.json', 'utf8'));

recorded('are what the solutions do today; scripts/briefs/record-runs.ts records them again', async () => {
  assert.equal(runs, await recordRuns());
});

recorded('pass every check', () => {
  for (const [id, { passed, checks }] of Object.entries<{ passed: boolean; checks: { passed: boolean }[] }>(
    runs,
  )) {
    assert.ok(passed, id);
    assert.ok(
      checks.every((check) => check.passed),
      id,
    );
  }
});

const readResult = (name: string) =>
  v.parse(BriefResult, JSON.parse(readFileSync(`content/brief-results/${name}`, 'utf8')));

for (const name of readdirSync('content/brief-results'))
  recorded(`the result ${name} is in the form that the page reads`, () => {
    readResult(name);
  });

recorded('the careful script passes every level, in all variants', () => {
  for (const { level, passed, briefs } of sumUpLevels(readResult('careful.json')))
    assert.is(passed, briefs, `level ${level}`);
});

recorded('the greedy script passes no brief of level 4', () => {
  const level = sumUpLevels(readResult('greedy.json')).find((one) => one.level === 4);
  assert.is(level?.passed, 0);
});

recorded('both scripts are marked as scripts', () => {
  for (const name of ['careful.json', 'greedy.json']) assert.is(readResult(name).kind, 'script');
});

recorded('both scripts ran every brief', () => {
  for (const name of ['careful.json', 'greedy.json']) {
    const ids = readResult(name).briefs.map(({ id }) => id);
    assert.equal(ids.sort(), Object.keys(runs).sort());
  }
});

recorded('pass^k counts the briefs that passed in all variants', () => {
  const briefs = toBriefSums([
    { brief: 'a', level: 1, passed: true, calls: 3 },
    { brief: 'a', level: 1, passed: true, calls: 5 },
    { brief: 'b', level: 1, passed: true, calls: 3 },
    { brief: 'b', level: 1, passed: false, calls: 1 },
  ]);
  assert.equal(sumUpLevels({ briefs, times: 2 }), [{ level: 1, briefs: 2, passed: 1, calls: 3 }]);
});

recorded.run();
