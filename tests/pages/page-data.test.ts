import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { occupationFacts } from '../../scripts/onet/occupation-facts.ts';
import type { Body } from '../support/http.ts';
import { makeFolder, withServer } from '../support/server.ts';

const root = join(import.meta.dirname, '..', '..');
const client = join(root, 'dist', 'client');
const data = suite('what pages say of themselves to machines');
const pages = readdirSync(client, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.html'),
);
const read = (name: string) => readFileSync(join(client, name), 'utf8');

/** The data in a page, of which there is one block or none. */
function toData(html: string): Body | undefined {
  const blocks = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)];
  assert.ok(blocks.length < 2);
  return blocks[0] && JSON.parse(blocks[0][1]!);
}

const toCanonical = (html: string) => /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1];
const contentOf = (html: string, name: string) =>
  new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1];

/** Pages of a build that is told its origin; only pages are made. */
function buildPages(origin: string): string {
  const folder = makeFolder();
  const [astro, outDir] = [join(root, 'node_modules/astro/bin/astro.mjs'), join(folder, 'dist')];
  for (const part of ['content', 'src', 'package.json', 'tsconfig.json', 'astro.config.mjs'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const env = { ...process.env, BASE_URL: origin, ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
  const { status, stderr } = spawnSync(process.execPath, [astro, 'build'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  assert.is(status, 0, stderr);
  return join(outDir, 'client');
}

data('every page names its one address, and a picture, where the build is told its origin', () => {
  const origin = 'https://careers.example';
  const told = buildPages(origin);
  for (const name of pages) {
    const html = readFileSync(join(told, name), 'utf8');
    const isListed = !html.includes('content="noindex"');
    const address = isListed ? origin + (name === 'index.html' ? '/' : `/${name}`) : undefined;
    assert.is(toCanonical(html), address, name);
    assert.is(contentOf(html, 'og:url'), address, name);
    const image = contentOf(html, 'og:image') ?? '';
    assert.ok(image.startsWith(`${origin}/`) && existsSync(join(client, image.slice(origin.length))), name);
    assert.ok(contentOf(html, 'og:image:alt'), name);
    // Both count only where they are absolute.
    const untold = read(name);
    for (const property of ['og:url', 'og:image']) assert.is(contentOf(untold, property), undefined, name);
    assert.is(toCanonical(untold), undefined, name);
  }
});

data('the picture is a PNG of the size that it is shown at, and is small', async () => {
  const bytes = readFileSync(join(client, 'share.png'));
  assert.equal(
    [bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
    ['PNG', 1200, 630],
  );
  assert.ok(bytes.length < 20_000);
  await withServer({}, async ({ origin }) => {
    const { status, headers } = await fetch(`${origin}/share.png`);
    assert.equal([status, headers.get('content-type')], [200, 'image/png']);
  });
});

data('every page has a title and a description where it is shared', () => {
  assert.ok(pages.length > 1000);
  for (const name of pages) {
    const html = read(name);
    for (const property of ['og:title', 'og:description', 'og:site_name', 'og:type'])
      assert.ok(contentOf(html, property), `${name} ${property}`);
    assert.is(contentOf(html, 'og:description'), contentOf(html, 'description'), name);
  }
});

data('every page has an icon for browsers that know no SVG, and a manifest', async () => {
  for (const name of pages) {
    const html = read(name);
    assert.match(html, /<link rel="icon" href="\/favicon\.ico" sizes="32x32">/, name);
    assert.match(html, /<link rel="manifest" href="\/site\.webmanifest">/, name);
  }
  await withServer({}, async ({ origin }) => {
    const icon = await fetch(`${origin}/favicon.ico`);
    assert.equal([icon.status, icon.headers.get('content-type')], [200, 'image/x-icon']);
    assert.equal(
      [...new Uint8Array(await icon.arrayBuffer()).slice(0, 6)],
      [0, 0, 1, 0, 3, 0],
      'three icons',
    );
    const manifest = await fetch(`${origin}/site.webmanifest`);
    assert.is(manifest.headers.get('content-type'), 'application/manifest+json');
    const { name, start_url, icons } = (await manifest.json()) as Body;
    assert.equal([name, start_url], ['Careers Placement Service', '/']);
    for (const { src } of icons) assert.is((await fetch(origin + src)).status, 200);
  });
});

data('the home page is of a WebAPI', () => {
  const home = toData(read('index.html'))!;
  assert.equal([home['@context'], home['@type']], ['https://schema.org', 'WebAPI']);
  for (const name of ['name', 'description', 'url', 'documentation']) assert.match(home[name], /\S/, name);
  assert.ok(existsSync(join(client, home.documentation)));
});

data('the list of occupations is of a Dataset, with its licence and files that are there', () => {
  const list = toData(read('occupations.html'))!;
  assert.is(list['@type'], 'Dataset');
  // What dataset searches ask for: a name, and a description of 50 to 5000 characters.
  assert.ok(list.name && list.description.length >= 50 && list.description.length <= 5000);
  assert.match(list.license, /^https:\/\/creativecommons\.org\/licenses\/by\/4\.0\/$/);
  assert.ok(list.creator.name && list.creditText.includes('O*NET'));
  assert.ok(list.distribution.length > 0);
  for (const { contentUrl, encodingFormat } of list.distribution) {
    assert.ok(existsSync(join(client, contentUrl)), contentUrl);
    assert.match(encodingFormat, /\//);
  }
});

data('every occupation page is of an Occupation, by its code', () => {
  for (const { id, title, skills } of occupationFacts) {
    const one = toData(read(`occupations/${id}.html`))!;
    assert.equal([one['@type'], one.name, one.url], ['Occupation', title, `/occupations/${id}.html`]);
    assert.equal(
      [one.occupationalCategory['@type'], one.occupationalCategory.codeValue],
      ['CategoryCode', id],
    );
    assert.is(one.skills?.length > 0, skills !== undefined, id);
    const parts = [...read(`occupations/${id}.html`).matchAll(/<h2 id="(\w+)"/g)].map(([, part]) => part);
    assert.equal(parts.filter((part) => part !== 'pay').slice(0, 3), ['titles', 'skills', 'near'], id);
  }
});

data('every form can be submitted', () => {
  for (const name of pages.filter((page) => !page.startsWith('occupations/')))
    for (const [form] of read(name).matchAll(/<form[\s\S]*?<\/form>/g))
      assert.match(form, /<button type="submit"/, `${name}: ${form.slice(0, 80)}`);
});

data('every Markdown face leads to llms.txt near its top, and every page does', async () => {
  const faces = readdirSync(client, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  assert.ok(faces.length > 1000);
  for (const name of faces.filter((face) => !face.includes('SKILL')))
    assert.match(read(name), /^# .*\n\n> .*\]\(\/llms\.txt\)\n\n/, name);
  for (const name of pages) assert.match(read(name), /<body[^>]*>[\s\S]{0,300}href="\/llms\.txt"/, name);
});

data('the home document has a context, which is at its own origin', async () => {
  await withServer({ LOG: 'off' }, async ({ origin }) => {
    const home = (await (await fetch(`${origin}/`)).json()) as Body;
    const at = new URL(home['@context'], origin);
    assert.is(at.origin, origin);
    const response = await fetch(at);
    assert.is(response.headers.get('content-type')?.split(';')[0], 'application/ld+json');
    const { '@context': context } = (await response.json()) as Body;
    assert.ok(URL.canParse(context['@vocab']) && context.name);
  });
});

data.run();
