import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withGoals } from '../scripts/bench/readme.ts';

const bench = suite('the bench');
const read = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8');

bench('the goals of speed in the README are those of the results', () => {
  const readme = read('README.md');
  assert.is(withGoals(readme, JSON.parse(read('scripts/bench/results.json'))), readme);
});

bench.run();
