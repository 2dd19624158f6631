import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toSections } from '../../scripts/matching/sections.ts';

const guide = suite('the guide to matching');

guide('tells weights, figures and example as they are computed; `npm run matching` writes them', () => {
  const text = readFileSync(
    join(import.meta.dirname, '..', '..', 'content', 'guides', 'matching.md'),
    'utf8',
  );
  for (const [title, section] of Object.entries(toSections())) {
    const [, told] = text.split(`\n## ${title}\n\n`);
    assert.is(told?.split('\n\n## ')[0], section, title);
  }
});

guide.run();
