import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue } from '../../core/catalogue.ts';
import type { Occupation } from '../../model/occupation.ts';
import type { Frozen } from './frozen.ts';

/** The catalogue as the build left it in the folder `host`; whole occupations come from the frozen files. */
export function loadCatalogue(host: string, frozen: Frozen): Catalogue {
  const read = (name: string) => JSON.parse(readFileSync(join(host, name), 'utf8'));
  return {
    ...read('catalogue.json'),
    occupation(code: string): Occupation | undefined {
      const text = frozen.text(`/occupations/${code}.json`);
      return text === undefined ? undefined : JSON.parse(text).occupation;
    },
    searchIndex: () => read('search-index.json'),
  };
}
