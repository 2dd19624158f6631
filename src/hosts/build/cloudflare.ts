import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build as bundle } from 'esbuild';
import type { Manifest } from '../../kernel/freeze.ts';
import type { Suffix } from '../../kernel/router.ts';
import type { Site, SiteRule } from './cloudflare-worker.ts';
import { formatPattern, type Rule } from './nginx.ts';
import { type OwnReplies, offerPath } from './own-replies.ts';

/** Cloudflare serves these without the worker. They need no rule, and it counts each call of a worker. */
const excluded = ['/_astro/*', '/worker/*', '/previews/*'];

function createSite(rules: readonly Rule[], { home, files }: Manifest, replies: OwnReplies): Site {
  /** Many rules send the same headers. The keys are JSON of these, the values their index. */
  const indexByHeaders = new Map<string, number>();
  const findIndex = (headers: Record<string, string>) =>
    indexByHeaders.getOrInsertComputed(JSON.stringify(headers), () => indexByHeaders.size);
  const toSiteRule = ({
    file,
    type,
    headers,
    ignoresQuery,
    perWorkspace,
  }: Omit<Rule, 'address'>): SiteRule => ({
    file,
    headers: findIndex({ 'Content-Type': type, ...headers }),
    ...(ignoresQuery && { ignoresQuery }),
    ...(perWorkspace && { perWorkspace }),
  });
  const toHomeRule = (suffix: Suffix) => {
    const file = `/index.${suffix}`;
    return toSiteRule({ file, type: files[file]!.type, headers: home[suffix] });
  };
  const isShape = ({ address }: Rule) => address.includes('{id}');
  return {
    addresses: Object.fromEntries(
      rules.filter((rule) => !isShape(rule)).map((rule) => [rule.address, toSiteRule(rule)]),
    ),
    shapes: rules.filter(isShape).map((rule) => [formatPattern(rule.address), toSiteRule(rule)]),
    home: { json: toHomeRule('json'), md: toHomeRule('md'), html: toHomeRule('html') },
    headers: Array.from(indexByHeaders.keys(), (text) => JSON.parse(text)),
    replies,
    offerPath,
  };
}

/**
 * Writes `_worker.js` and `_routes.json` into `client`, for Cloudflare Pages. Its rules cannot check that a query is
 * empty, and it has a page at the address of a document.
 */
export async function writeCloudflare(
  rules: readonly Rule[],
  manifest: Manifest,
  replies: OwnReplies,
  client: string,
): Promise<void> {
  await bundle({
    bundle: true,
    charset: 'utf8',
    target: 'es2022',
    logLevel: 'error',
    entryPoints: ['src/hosts/build/cloudflare-worker.ts'],
    outfile: join(client, '_worker.js'),
    define: { site: JSON.stringify(createSite(rules, manifest, replies)) },
    minify: true,
    format: 'esm',
    legalComments: 'none',
  });
  const routes = { version: 1, include: ['/*'], exclude: excluded };
  writeFileSync(join(client, '_routes.json'), `${JSON.stringify(routes, null, 2)}\n`);
}
