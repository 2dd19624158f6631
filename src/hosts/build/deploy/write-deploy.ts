import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Manifest } from '../../../core/manifest.ts';
import type { Operation } from '../../../core/operation.ts';
import { toNginxConf } from './nginx.ts';
import { toRules } from './rules.ts';
import { staticRedirects, toStaticHeaders } from './static-headers.ts';

const suffixes = { identity: '', gzip: '.gz', br: '.br' } as const;

/**
 * Writes what a static host goes by: `_headers` and `_redirects` into `client`, and into `deploy` an
 * `nginx.conf` with its folder `site`: every file of the pack with its compressed variants beside it. Hosts
 * that compress by themselves, and count files, get `client` without those.
 */
export function writeDeploy(
  manifest: Manifest,
  operations: readonly Operation[],
  { client, host, deploy }: { client: string; host: string; deploy: string },
): void {
  const rules = toRules(manifest, operations);
  writeFileSync(join(client, '_headers'), toStaticHeaders(rules));
  writeFileSync(join(client, '_redirects'), staticRedirects);
  const pack = readFileSync(join(host, 'pack.bin'));
  const made = new Set<string>();
  for (const [name, { slices }] of Object.entries(manifest.files)) {
    const path = join(deploy, 'site', name);
    const folder = dirname(path);
    if (!made.has(folder)) mkdirSync(folder, { recursive: true });
    made.add(folder);
    for (const encoding of ['identity', 'gzip', 'br'] as const) {
      const slice = slices[encoding];
      if (!slice) continue;
      writeFileSync(path + suffixes[encoding], pack.subarray(slice[0], slice[0] + slice[1]));
    }
  }
  writeFileSync(join(deploy, 'nginx.conf'), toNginxConf(rules, manifest));
}
