import type { Manifest } from '../../kernel/freeze.ts';
import type { Rule } from './nginx.ts';
import { offerPath } from './own-replies.ts';

/** The folder in `dist/client` with the replies that rules of static hosts send. */
export const replyFolder = '/_replies';

const toNetlifyPath = (address: string) => address.replace(/\{id\}(\.\w+)?/, ':id');

/** Refuses each query parameter that the service reads at an address. A rule cannot check that a query is empty. */
function listQueryRules(rules: readonly Rule[]): string[] {
  const lines = rules.flatMap(({ address, reads = [] }) =>
    reads.map((name) => `${toNetlifyPath(address)} ${name}=:${name} ${replyFolder}/not-found.json 404!`),
  );
  return [...new Set(lines)];
}

/**
 * Serves documents and records at their addresses without a suffix, where Netlify otherwise serves the page. A rule with
 * `:id` would apply to the page too, so each record with a page has a rule of its own.
 */
function listDocumentRules({ addresses }: Manifest): string[] {
  const isRecord = (path: string) => path.lastIndexOf('/') > 0;
  return Object.keys(addresses)
    .filter((path) => addresses[path]!.file === `${path}.json`)
    .filter((path) => addresses[`${path}.html`] || !isRecord(path))
    .map((path) => `${path} ${path}.json 200!`);
}

/** Serves the records that have no page. A rule without `!` applies if there is no file, so not to `.json` addresses. */
function listRecordRules(rules: readonly Rule[], { addresses }: Manifest): string[] {
  const pages = Object.keys(addresses).filter((path) => path.endsWith('.html'));
  const hasPages = (address: string) => pages.some((path) => path.startsWith(address.split('{id}')[0]!));
  return rules
    .filter(({ address, file }) => address.includes('{id}') && file === `${address}.json`)
    .filter(({ address }) => !hasPages(address))
    .map(({ address, file }) => `${toNetlifyPath(address)} ${file.replace('{id}', ':id')} 200`);
}

/** Formats the `_redirects` file of Netlify. The first rule that fits applies; `!` applies it even if there is a file. */
export function formatNetlifyRedirects(rules: readonly Rule[], manifest: Manifest): string {
  const lines = [
    `${offerPath} ${replyFolder}/offer.json 402!`,
    ...listQueryRules(rules),
    ...listDocumentRules(manifest),
    ...listRecordRules(rules, manifest),
  ];
  return `# Written by the build from its manifest, for Netlify.\n${lines.join('\n')}\n`;
}

/** Formats `serve.json`, which npm's `serve` reads. Its rules cannot check a query, so lists that read one have no rule. */
export function formatServeConfig(rules: readonly Rule[]): string {
  const documents = rules.filter(
    ({ address, file, reads, perWorkspace }) =>
      file === `${address}.json` && !address.includes('{id}') && !reads && !perWorkspace,
  );
  const rewrites = documents.map(({ address, file }) => ({ source: address, destination: file }));
  const config = {
    cleanUrls: false,
    directoryListing: false,
    rewrites: [{ source: '/', destination: '/index.html' }, ...rewrites],
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
