import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  matching,
  measureHeldOut,
  ratings,
  skillNames,
  toMatcher,
  toSections,
} from '../../../scripts/matching.ts';
import { occupationFacts as facts } from '../../../scripts/onet/occupation-facts.ts';
import { buildMatchTables } from '../../../src/matches/matcher.ts';
import { pluck } from '../../support/rows.ts';

const closeness = suite('how close occupations are');
const tables = buildMatchTables(facts, { ratings, skillNames }, matching);
const matcher = toMatcher(matching);
const codes = pluck(facts, 'id');

closeness('finds published relations that were not used to build it', () => {
  const { occupations, parts, together } = measureHeldOut();
  console.log(`\nfigure: closeness held out ${together.toFixed(4)} ${JSON.stringify(parts)}`);
  assert.is(occupations, 879);
  assert.ok(together >= 0.7, `${together} of the ten closest are published as related, the goal is 0.70`);
  for (const share of Object.values(parts)) assert.ok(share > 0.2 && share < together);
});

closeness('is 1 for a code with itself, symmetric, and 0 for most pairs', () => {
  let unrelated = 0;
  for (const a of codes) {
    for (const b of codes) {
      const hundredths = matcher.closeness(a, b);
      if (hundredths === 0) unrelated += 1;
      if (a === b) assert.is(hundredths, 100);
      else if (!(Number.isInteger(hundredths) && hundredths >= 0 && hundredths < 100)) assert.unreachable(a);
      if (hundredths !== matcher.closeness(b, a)) assert.unreachable(`${a} and ${b}`);
    }
  }
  assert.ok(unrelated / codes.length ** 2 > 0.8, String(unrelated));
});

closeness('includes the relations that are published', () => {
  const [first, second, third] = matching.closeness.related;
  for (const { id } of facts) {
    for (const [place, other] of (ratings.occupations[id]?.related ?? []).entries()) {
      const least = place < 5 ? first : place < 10 ? second : third;
      assert.ok(matcher.closeness(id, other) >= 100 * least - 0.5, `${id} and ${other}`);
    }
  }
});

closeness('agrees with common sense on clear cases', () => {
  const [critical, registered, assistants] = ['29-1141.03', '29-1141.00', '31-1131.00'];
  const [carpenters, helpers] = ['47-2031.00', '47-3012.00'];
  assert.ok(matcher.closeness(critical, registered) > 75);
  assert.ok(matcher.closeness(registered, assistants) < matcher.closeness(registered, critical));
  assert.ok(matcher.closeness(carpenters, helpers) > 60);
  assert.is(matcher.closeness(critical, carpenters), 0);
});

closeness('is built from the committed data, and is small over the wire', () => {
  const folder = join(import.meta.dirname, '..', '..', '..', 'dist', 'client', 'worker');
  const name = readdirSync(folder).find((file) => file.startsWith('match-tables.'))!;
  const text = readFileSync(join(folder, name), 'utf8');
  assert.is(text, JSON.stringify(tables));
  const bytes = brotliCompressSync(text).length;
  console.log(`\nfigure: match tables bytes ${text.length}, compressed ${bytes}`);
  assert.ok(bytes <= 150_000, `${bytes} bytes`);
});

closeness('the guides show the weights, figures and example that `npm run matching` computes', () => {
  const folder = join(import.meta.dirname, '..', '..', '..', 'content', 'guides');
  for (const [guide, sections] of Object.entries(toSections())) {
    const text = readFileSync(join(folder, `${guide}.md`), 'utf8');
    for (const [title, section] of Object.entries(sections)) {
      const [, told] = text.split(`\n## ${title}\n\n`);
      assert.is(told?.trimEnd().split('\n\n## ')[0], section, title);
    }
  }
});

closeness.run();
