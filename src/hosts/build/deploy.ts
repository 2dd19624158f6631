import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAddressHeaders, type Manifest, type PackSlice } from '../../kernel/freeze.ts';
import { commonHeaders, pageHeaders } from '../../kernel/headers.ts';
import type { Operation } from '../../kernel/operation.ts';
import { createRouter, formatRepresentationPath } from '../../kernel/router.ts';
import type { Service } from '../../service.ts';
import { writeCloudflare } from './cloudflare.ts';
import { formatNginxConf, type Rule } from './nginx.ts';
import { createOwnReplies } from './own-replies.ts';

/**
 * Lists the rules of a manifest. Rules of one address come before rules of a shape, and suffixed shapes before others,
 * so that the first that fits applies. Throws if two addresses of one shape are served differently.
 */
export function listRules(manifest: Manifest, operations: readonly Operation[]): Rule[] {
  const route = createRouter(operations);
  /** JSON of the rules, by address. */
  const rules = new Map<string, string>();
  for (const [path, frozen] of Object.entries(manifest.addresses)) {
    const match = route(path);
    const address = match
      ? formatRepresentationPath(match.byMethod.get('GET')!.path, match.representation)
      : path;
    const { headers: _, link: __, ...rest } = frozen;
    const headers = findAddressHeaders(manifest, frozen);
    const names = Object.keys(match?.byMethod.get('GET')?.input.entries ?? {});
    // Markdown and pages of a resource read no query.
    const reads = names.length > 0 && frozen.file.endsWith('.json') && { reads: names };
    const type = manifest.files[frozen.file]!.type;
    const text = JSON.stringify({ address, type, headers, ...rest, ...reads });
    const rule = match?.id === undefined ? text : text.replaceAll(match.id, '{id}');
    if ((rules.get(address) ?? rule) !== rule) throw new Error(`${path} is served in a way of its own`);
    rules.set(address, rule);
  }
  const rank = ({ address }: Rule) => (!address.includes('{id}') ? 0 : /\.\w+$/.test(address) ? 1 : 2);
  return Array.from(rules.values(), (rule): Rule => JSON.parse(rule)).sort((a, b) => rank(a) - rank(b));
}

type Header = [name: string, value: string];
/** An address, and the headers that are sent there. */
type Block = [address: string, headers: Header[]];

function formatBlock([address, headers]: Block): string {
  const lines = headers.map(([name, value]) => `  ${name}: ${value}`);
  return `${[address, ...lines].join('\n')}\n`;
}

/** Includes the headers of pages, because such hosts answer unknown addresses with the page 404.html. */
const common = { ...commonHeaders, ...pageHeaders };

const isCommon = (name: string) => Object.hasOwn(common, name);

/** Picks the rules of documents whose format gives them an address without a suffix. Static hosts need a file there. */
function pickBareRules(rules: readonly Rule[], operations: readonly Operation[]): Rule[] {
  const isBare = ({ path, listed, contract, caching }: Operation) =>
    caching.frozen && !listed && contract.enveloped === false && !/\.\w+$/.test(path);
  const paths = operations.filter(isBare).map(({ path }) => path);
  return rules.filter(({ address }) => paths.includes(address));
}

/** Where the build writes the scripts, the styles and the fonts of pages, named by their content. */
const assets = '/_astro/';

/**
 * Returns the address of the block that a file belongs to: its own, or that of all assets with its suffix, because hosts
 * read at most 100 blocks.
 */
const findBlockAddress = (address: string): string =>
  address.startsWith(assets) ? `${assets}*${address.slice(address.lastIndexOf('.'))}` : address;

/** Leaves one block for each address. Throws if two blocks of one address have different headers. */
function mergeBlocks(blocks: readonly Block[]): Block[] {
  const headersByAddress = new Map<string, Header[]>();
  for (const [address, headers] of blocks) {
    const earlier = headersByAddress.get(address);
    if (earlier && JSON.stringify(earlier) !== JSON.stringify(headers))
      throw new Error(`files at ${address} are served differently`);
    headersByAddress.set(address, headers);
  }
  return [...headersByAddress];
}

/**
 * Formats the `_headers` file of static hosts (Netlify, Cloudflare Pages and others): common headers, then a block for
 * each file, shape of files or suffix of assets, and for `/`.
 *
 * Such hosts join the values of a header that two blocks name, so no two blocks that fit one file name the same header.
 * The common headers of Markdown are one block, for the same reason. A value with an id in it is left out,
 * because few hosts can express it.
 */
function formatStaticHeaders(rules: readonly Rule[], operations: readonly Operation[]): string {
  // Their * matches slashes too, so the block of a record includes all JSON below it. They know the type of .jsonld.
  const files = rules.filter(({ address, file }) => address === file && !address.includes('{id}/'));
  const bare = pickBareRules(rules, operations);
  const home = files.filter(({ file }) => file === '/index.html').map((rule) => ({ ...rule, address: '/' }));
  const fileBlocks = [...files, ...bare, ...home].map(({ address, type, headers }): Block => {
    const own = Object.entries(headers).filter(([name, value]) => !isCommon(name) && !value.includes('{id}'));
    return [findBlockAddress(address.replace('{id}', '*')), [['Content-Type', type], ...own]];
  });
  const blocks = mergeBlocks(fileBlocks);
  const isMarkdown = ([address]: Block) => address.endsWith('.md');
  const markdown = blocks.filter(isMarkdown).map(([, own]) => own.map(String));
  const isShared = (header: Header) => markdown.every((own) => own.includes(String(header)));
  const shared = blocks.find(isMarkdown)![1].filter(isShared);
  const others = blocks.map(
    (block): Block => [
      block[0],
      isMarkdown(block) ? block[1].filter((header) => !isShared(header)) : block[1],
    ],
  );
  const all: Block[] = [['/*', Object.entries(common)], ['/*.md', shared], ...others];
  return all
    .filter(([, own]) => own.length > 0)
    .map(formatBlock)
    .join('\n');
}

/**
 * Writes the rules of hosts into `client`: `_headers`, and those of Cloudflare Pages, which other hosts ignore. Writes
 * `nginx.conf` into `deploy`, with every file of the pack and its compressed variants in its folder `site`.
 */
export async function writeDeploy(
  manifest: Manifest,
  service: Service,
  { client, host, deploy }: { client: string; host: string; deploy: string },
): Promise<void> {
  const { operations } = service;
  const rules = listRules(manifest, operations);
  const replies = await createOwnReplies(service);
  const site = join(deploy, 'site');
  cpSync(client, site, { recursive: true });
  writeFileSync(join(client, '_headers'), formatStaticHeaders(rules, operations));
  for (const { address, file } of pickBareRules(rules, operations))
    copyFileSync(join(client, file), join(client, address));
  await writeCloudflare(rules, manifest, replies, client);
  // Otherwise GitHub Pages leaves out folders that begin with an underscore.
  writeFileSync(join(client, '.nojekyll'), '');
  const pack = readFileSync(join(host, 'pack.bin'));
  const cut = ([from, length]: PackSlice) => pack.subarray(from, from + length);
  for (const [name, { slices }] of Object.entries(manifest.files)) {
    if (slices.gzip) writeFileSync(join(site, `${name}.gz`), cut(slices.gzip));
    if (slices.br) writeFileSync(join(site, `${name}.br`), cut(slices.br));
  }
  writeFileSync(join(deploy, 'nginx.conf'), formatNginxConf(rules, manifest, replies));
}

/** Gives each folder an index page: the page of that name, else 404.html. Some servers list a folder without one. */
export function writeFolderPages(client: string): void {
  for (const entry of readdirSync(client, { recursive: true, withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const folder = join(entry.parentPath, entry.name);
    const page = existsSync(`${folder}.html`) ? `${folder}.html` : join(client, '404.html');
    copyFileSync(page, join(folder, 'index.html'));
  }
}
