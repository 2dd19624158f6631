import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MajorGroupFile } from '../../src/occupations/content-files.ts';

const folder = join(import.meta.dirname, '..', '..', 'content', 'occupations');

/** The files of content/occupations, in order, with their names. */
const majorGroupFiles = readdirSync(folder)
  .sort()
  .map((name) => ({ name, file: JSON.parse(readFileSync(join(folder, name), 'utf8')) as MajorGroupFile }));

/** Every occupation of content/occupations, in code order. */
export const occupationFacts = majorGroupFiles.flatMap(({ file }) => file.occupations);
