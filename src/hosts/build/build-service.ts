import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeTools } from '../../mcp/tools.ts';
import type { Catalogue, Service } from '../../service.ts';
import { createService } from '../../service.ts';
import { SqliteStore } from '../../stores/sqlite.ts';
import { operations } from '../../table.ts';
import { hashBytes } from '../files.ts';
import { pickSettings, readSettings } from '../node/settings.ts';
import { nodePlatform } from '../node-platform.ts';
import { readContent } from './read-content.ts';

let made: Service | undefined;

/** The service of the build and of `astro dev`, made once a process; reads the environment, `STATIC_ONLY` too. */
export function buildService(): Service {
  const env = readSettings(process.env);
  made ??= createService({
    operations,
    describeTools,
    catalogue: readContent(join(process.cwd(), 'content')),
    store: new SqliteStore(':memory:'),
    settings: {
      ...pickSettings(env),
      allowedOrigins: [],
      live: process.env.STATIC_ONLY !== '1',
      rates: undefined,
    },
    watch: {
      report(error) {
        throw error;
      },
    },
    platform: nodePlatform,
  });
  return made;
}

/**
 * Writes for the Node host the catalogue, with the commit that it is of, and the briefs. JSON leaves out the functions:
 * single occupations, guides and what searches and matches need are files of the client.
 */
export function writeCatalogue(catalogue: Catalogue, commit: string, host: string): void {
  // The manifest has the hash of each frozen answer, and of the worker, which is made of the same core.
  const build = hashBytes(readFileSync(join(host, 'manifest.json')));
  writeFileSync(join(host, 'catalogue.json'), JSON.stringify({ commit, build, ...catalogue }));
  writeFileSync(join(host, 'briefs.json'), JSON.stringify(catalogue.briefBook()));
}
