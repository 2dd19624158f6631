import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from './support/http.ts';
import { occupationFacts } from './support/occupation-facts.ts';
import { withServer } from './support/server.ts';

const client = join(import.meta.dirname, '..', 'dist', 'client');
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

const contentOf = (html: string, name: string) =>
  new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1];

data('every page names its one address, and has a title and a description where it is shared', () => {
  assert.ok(pages.length > 1000);
  for (const name of pages) {
    const html = read(name);
    const canonical = /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1];
    const isListed = !html.includes('content="noindex"');
    assert.is(canonical, isListed ? (name === 'index.html' ? '/' : `/${name}`) : undefined, name);
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
