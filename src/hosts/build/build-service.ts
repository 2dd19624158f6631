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

let service: Service | undefined;

/**
 * Returns the service of the build and of `astro dev`, one in each process. Reads the environment, `STATIC_ONLY` too.
 */
export function buildService(): Service {
  const env = readSettings(process.env);
  service ??= createService({
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
  return service;
}

/**
 * Writes the catalogue, with its commit, and the briefs for the Node host. JSON leaves out functions: the host reads
 * single occupations, guides, and the data of searches and matches from files of the client.
 */
export function writeCatalogue(catalogue: Catalogue, commit: string, host: string): void {
  // The manifest has the hash of each frozen answer and of the worker, which contains the same core.
  const build = hashBytes(readFileSync(join(host, 'manifest.json')));
  writeFileSync(join(host, 'catalogue.json'), JSON.stringify({ commit, build, ...catalogue }));
  writeFileSync(join(host, 'briefs.json'), JSON.stringify(catalogue.briefBook()));
}
