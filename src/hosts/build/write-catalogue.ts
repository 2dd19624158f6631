import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue } from '../../core/catalogue.ts';

/**
 * Writes what a live host needs of the catalogue, and which commit it is of; whole occupation records are in the
 * pack already.
 */
export function writeCatalogue(catalogue: Catalogue, commit: string, host: string): void {
  const { service, pricing, offers, onet, seed, occupations, executableTests } = catalogue;
  const facts = {
    commit,
    service,
    pricing,
    offers,
    onet,
    seed,
    occupations,
    executableTests,
  };
  writeFileSync(join(host, 'catalogue.json'), JSON.stringify(facts));
  writeFileSync(join(host, 'search-index.json'), JSON.stringify(catalogue.searchIndex()));
}
