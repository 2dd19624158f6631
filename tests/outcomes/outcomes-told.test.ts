import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { provesNotThat, provesThat } from '../../src/outcomes/read-receipt.ts';
import { parties, statedResults } from '../../src/records/placement-outcome.ts';
import { pluck } from '../support/rows.ts';

const told = suite('what readers are told of outcomes');
const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8').replaceAll(/\s+/g, ' ');

/** Where outcomes are told, built and not. */
const places = {
  'llms.txt': read('dist/client/llms.txt'),
  'icp.json': JSON.stringify(JSON.parse(read('dist/client/icp.json')).system.outcome),
  'the guide': read('content/guides/outcomes.md'),
};

told('the words of the trade stand beside the results that they mean', () => {
  for (const [place, text] of Object.entries(places)) {
    for (const word of ['guarantee period', 'fall-off', ...statedResults])
      assert.match(text, word, `${place} has no ${word}`);
    for (const party of parties) assert.match(text, party, place);
  }
  for (const place of ['icp.json', 'the guide'] as const) {
    assert.match(places[place], /conversion/i);
    assert.match(places[place], /Silence is never agreement/);
  }
});

told('what says what a receipt proves says what it does not prove', () => {
  const others = ['dist/client/receipt.html', 'dist/client/confirm.html', 'SECURITY.md'];
  for (const text of [...Object.values(places), provesNotThat, ...others.map(read)])
    assert.match(text, /who the parties are, or that they are different people/i);
  for (const text of [places['icp.json'], places['the guide'], read('SECURITY.md'), provesThat])
    assert.match(text, /what was stated and confirmed/i);
});

told('the profile knows each result, and both sides of a confirmation', () => {
  const { system, personas, agent_classes: classes } = JSON.parse(read('dist/client/icp.json'));
  assert.equal(pluck(system.outcome.results, 'result'), [...statedResults]);
  const jobs = pluck(personas, 'job').join('\n');
  assert.match(jobs, /states retention, conversion or fall-off/);
  assert.match(jobs, /with the token it was sent, and agrees or disagrees/);
  const outcome = classes.find((one: { class: string }) => one.class === 'outcome agent');
  assert.match(outcome.does, /^Records that it worked/);
  assert.match(outcome.firstCall.path, /^\/placements\?outcome=/);
});

told.run();
