import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildService } from '../../../../src/hosts/build/build-service.ts';
import { listFrozenFiles } from '../../../../src/hosts/build/pack.ts';
import { openSigner } from '../../../../src/hosts/node/keys.ts';
import { pickSettings, readSettings } from '../../../../src/hosts/node/settings.ts';
import { createAnswer } from '../../../../src/kernel/answer.ts';
import type { Manifest } from '../../../../src/kernel/freeze.ts';
import { openFor } from '../../../support/open-host.ts';
import { pluck, words } from '../../../support/rows.ts';
import { decode, send } from '../../../support/wire.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const clientFolder = join(root, 'dist', 'client');

const frozen = suite('frozen files');
const server = await openFor(frozen);
const { signer } = await openSigner({ SIGNING_KEY: '', STORE_URL: '', DATA_DIR: server.dataDir });
const built = buildService();
const { rates } = pickSettings(readSettings({}));
const settings = { ...built.settings, baseUrl: server.origin, publishedUrl: undefined, rates };
const service = { ...built, settings, signer };
const answer = createAnswer(service);
const files = listFrozenFiles(service);
const manifest: Manifest = JSON.parse(readFileSync(join(root, 'dist', 'host', 'manifest.json'), 'utf8'));

/** Returns what the core answers to a plain anonymous GET. */
async function replayed(path: string) {
  return answer({ method: 'GET', path, query: '', headers: {}, body: new Uint8Array() });
}

/** The addresses that the core answers. All others are files of the pages and the bundler. */
const known = new Set(files.flatMap(({ addresses }) => addresses));

/** Runs `check` over `items`, fifty at a time. */
async function each<T>(items: readonly T[], check: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += 50)
    await Promise.all(items.slice(start, start + 50).map(check));
}

/** Lists every file below `folder`, as a path below the origin. */
function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'));
}

frozen('hold every document, every occupation and the seed', () => {
  const addresses = files.flatMap((file) => file.addresses);
  assert.is(new Set(addresses).size, addresses.length, 'no address twice');
  const { occupations, seed } = service.catalogue;
  const records = Object.values(seed.facts).flat().length;
  assert.is(occupations.length, 1016);
  for (const path of words(`
    /pricing /verify /family.json /icp.json /projection.json /openapi.json /llms.txt
    /.well-known/agents.json /index.json /guides /guides/operating /guides/operating.md /occupations
    /occupations/15-1252.00 /candidates /job-orders /placements
  `)) {
    assert.ok(addresses.includes(path), `${path} is frozen`);
  }
  const single = files.filter(({ file }) => /^\/(candidates|job-orders|placements)\/[^/]+$/.test(file));
  assert.is(single.length, records, 'each seed record has a file');
});

frozen('are in the manifest under the addresses of the table', () => {
  for (const { file, addresses, operation } of files) {
    assert.match(file, /\.(json|jsonld|md|txt|xml)$/);
    assert.ok(addresses.includes(file), file);
    for (const path of addresses) {
      const found = manifest.addresses[path];
      assert.is(found?.file, file, path);
      assert.is(found?.atStart === true, operation.caching.atStart === true, path);
      const isOwn = path !== file || operation.path.endsWith(file.slice(file.lastIndexOf('/')));
      assert.is(found?.perWorkspace === true, operation.access.workspace && isOwn, path);
    }
  }
  const others = Object.entries(manifest.addresses).filter(([path]) => !known.has(path));
  for (const [path, { ignoresQuery }] of others)
    assert.ok(ignoresQuery, `only files outside the core ignore queries: ${path}`);
});

/** Every address, but only some of occupations and of records. Each form of an address (.json, .md) is among them. */
const sample = Object.keys(manifest.addresses).filter((path, index) => {
  if (/^\/occupations\/\d/.test(path)) return index % 101 === 0;
  return !/^\/(candidates|job-orders|placements)\/./.test(path) || index % 7 === 0;
});

frozen('answer with the bytes, type and headers of the live core, in every encoding', async () => {
  await each([...sample.entries()], async ([index, path]) => {
    const [reply, other] = await Promise.all(
      ['identity', index % 2 === 0 ? 'gzip' : 'br'].map((encoding) =>
        send(server.origin, path, { headers: { 'Accept-Encoding': encoding } }),
      ),
    );
    assert.is(reply!.status, 200, path);
    assert.ok(decode(other!).equals(reply!.bytes), path);
    if (!known.has(path)) {
      const file = readFileSync(join(clientFolder, manifest.addresses[path]!.file));
      return assert.ok(reply!.bytes.equals(file), `${path} is the file`);
    }
    const live = await replayed(path);
    assert.is(live.status, 200, path);
    assert.is(reply!.bytes.toString('utf8'), live.body, `${path} has the bytes of the core`);
    for (const [name, value] of Object.entries(live.headers)) {
      const sent = reply!.headers[name.toLowerCase()];
      if (name === 'Vary') assert.ok(sent?.includes(value), `${path} ${name}`);
      else assert.is(sent, value, `${path} ${name}`);
    }
  });
});

frozen('hold the published origin only if the host fills it in at its start', async () => {
  const { body } = await replayed('/projection.json');
  assert.is(JSON.parse(body).baseUrl, server.origin);
  for (const path of sample) {
    if (!known.has(path) || manifest.addresses[path]!.atStart) continue;
    assert.not.ok((await replayed(path)).body.includes(server.origin), `${path} is atStart`);
  }
});

frozen('are all files on the disk, except those of the pages and the bundler', () => {
  const frozenFiles = new Set(pluck(files, 'file'));
  const onDisk = listFiles(clientFolder);
  for (const file of frozenFiles) assert.ok(onDisk.includes(file), `${file} is written`);
  const pages = listFiles(join(root, 'src', 'pages'))
    .filter((name) => name.endsWith('.astro'))
    .map((name) => new RegExp(`^${name.replace(/\.astro$/, '.html').replace(/\[[^\]]+\]/g, '[^/]+')}$`));
  const licences = ['/LICENSE.txt', '/NOTICE.txt', '/THIRD-PARTY-LICENSES.txt'];
  const copied = new Set([...listFiles(join(root, 'src', 'pages', '_public')), ...licences]);
  const bundled = /^\/_astro\/|^\/worker\.js$|^\/worker\/[a-z-]+\.[0-9a-f]{12}\.(?:json|bin)$/;
  // Rules of static hosts, and the replies that rules send.
  const rules = /^\/(?:_headers|_worker\.js|_routes\.json|\.nojekyll)$/;
  for (const file of onDisk) {
    // A file without a suffix is a second address of a frozen file, for static hosts without redirects.
    if (frozenFiles.has(file) || known.has(file) || copied.has(file)) continue;
    if (bundled.test(file) || rules.test(file)) continue;
    assert.ok(
      pages.some((page) => page.test(file)),
      `${file} is neither frozen by the table nor made by a page`,
    );
  }
});

frozen.run();
