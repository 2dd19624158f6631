import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OccupationFact } from '../../src/occupations/content-files.ts';

const folder = join(import.meta.dirname, '..', '..', 'content', 'occupations');

/** Every occupation of content/occupations, ordered by code. */
export const occupationFacts = readdirSync(folder)
  .sort()
  .flatMap((name): OccupationFact[] => JSON.parse(readFileSync(join(folder, name), 'utf8')).occupations);
