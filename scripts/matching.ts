/** Regenerates the computed sections of content/guides/matching.md: `node scripts/matching.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toSections } from './matching/sections.ts';

const path = join(import.meta.dirname, '..', 'content', 'guides', 'matching.md');
const sections = toSections();
const [head, ...parts] = readFileSync(path, 'utf8').trimEnd().split('\n## ');
const written = parts.map((part) => {
  const title = part.split('\n', 1)[0]!;
  return title in sections ? `${title}\n\n${sections[title]}\n` : part;
});
writeFileSync(path, `${[head, ...written].join('\n## ').trimEnd()}\n`);
