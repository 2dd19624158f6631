import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { measureAnswers } from '../../../../scripts/soak/answers.ts';

test('64 of the largest answers at once, compressed and read slowly, fit the memory of the container', async () => {
  const results = await measureAnswers([64], ['br']);
  assert.equal(
    results.flatMap(({ wrong }) => wrong),
    [],
  );
  const peakMb = Math.max(...results.map((result) => result.peakMb));
  assert.ok(peakMb < 450, `${peakMb} MB`);
});

test.run();
