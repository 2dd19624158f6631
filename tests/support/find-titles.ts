import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { occupationFacts } from '../../scripts/onet/occupation-facts.ts';
import { createSearch } from '../../src/occupations/titles/search.ts';
import { governmentFiles, toSearchFile } from '../../src/occupations/titles/search-file.ts';

const folder = join(import.meta.dirname, '..', '..', 'content', 'titles');
const read = (name: string) => readFileSync(join(folder, name));
const readJson = (name: string) => JSON.parse(read(name).toString('utf8'));

/** What the built service searches in. */
export const searchFile = toSearchFile({
  facts: occupationFacts,
  governmentFiles: governmentFiles.map((name) => read(name).toString('utf8')),
  network: read('network.bin'),
  calibration: readJson('calibration.json'),
  everyday: readJson('everyday-words.json'),
});

export const find = createSearch(searchFile);
