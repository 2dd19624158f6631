import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { occupationFacts } from '../../scripts/onet/occupation-facts.ts';
import { findPicture } from '../../src/hosts/with-origin.ts';
import type { Body } from '../support/http.ts';
import { useServer } from '../support/server.ts';

const client = join(import.meta.dirname, '..', '..', 'dist', 'client');
const suiteOfPages = suite('the built pages');
const files = readdirSync(client, { recursive: true, encoding: 'utf8' }).map((name) =>
  name.replaceAll('\\', '/'),
);
const pages = new Map<string, string>(
  files.filter((name) => name.endsWith('.html')).map((name) => [`/${name}`, read(name)]),
);

function read(name: string): string {
  return readFileSync(join(client, name), 'utf8');
}

const hrefsOf = (html: string) =>
  [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'));
const contentOf = (html: string, name: string) =>
  new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1];

/** Returns the JSON-LD of a page, of which there is at most one block. */
function toData(html: string): Body | undefined {
  const blocks = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)];
  assert.ok(blocks.length < 2);
  return blocks[0] && JSON.parse(blocks[0][1]!);
}

suiteOfPages('link to suffixed addresses that exist, and can all be reached from the home page', () => {
  assert.is([...pages.keys()].filter((path) => /^\/occupations\/\d\d-\d{4}\.\d\d\./.test(path)).length, 1016);
  const idsOf = new Map(
    [...pages].map(([path, html]) => [
      path,
      new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)),
    ]),
  );
  const reached = new Set(['/index.html']);
  for (const path of reached) {
    for (const href of hrefsOf(pages.get(path) ?? '')) {
      const [target = '', id] = href.split('#');
      if (target !== '') {
        assert.match(target, /^\/[^?]*\.[a-z0-9]+$/i, `${path} links ${href}`);
        assert.ok(existsSync(join(client, target)), `${path} links ${href}`);
        reached.add(target);
      }
      // The workspace page draws its views.
      if (id !== undefined && target !== '/workspace.html')
        assert.ok(idsOf.get(target || path)?.has(id), `${path} links ${href}`);
    }
  }
  const unlisted = [...pages].filter(([path, html]) => !reached.has(path) && !html.includes('"noindex"'));
  assert.equal(Object.keys(Object.fromEntries(unlisted)), []);
});

/** Elements that may have no name of their own unless a role says what they are (WAI-ARIA 1.2, Prohibited Attributes). */
const nameless =
  /<(?:pre|code|div|span|p|b|i|em|strong|dd|time|caption|label)\s(?![^>]*\srole=)[^>]*\baria-label(?:ledby)?=[^>]*>/;

suiteOfPages('have a heading, a title of their own and the tags for sharing', () => {
  assert.ok(pages.size > 1000);
  const titles = new Map<string, string>();
  for (const [path, html] of pages) {
    assert.match(html, /<\/html>\s*$/, path);
    assert.is(html.match(/<h1/g)?.length, 1, path);
    const [, title = ''] = /<title>([^<]+)<\/title>/.exec(html) ?? [];
    assert.not.ok(titles.has(title), `${path} has the title of ${titles.get(title)}`);
    titles.set(title, path);
    for (const property of ['og:title', 'og:site_name', 'og:type'])
      assert.ok(contentOf(html, property), path);
    assert.ok(contentOf(html, 'description')!.length >= 20, path);
    assert.is(contentOf(html, 'og:description'), contentOf(html, 'description'), path);
    // Both count only if they are absolute, which needs a build that knows its origin.
    for (const property of ['og:url', 'og:image']) assert.is(contentOf(html, property), undefined, path);
    assert.not.match(html, /<link rel="canonical"/, path);
    assert.match(html, /<link rel="icon" href="\/favicon\.ico" sizes="32x32">/, path);
    assert.match(html, /<link rel="manifest" href="\/site\.webmanifest">/, path);
    assert.match(html, /<body[^>]*>[\s\S]{0,300}href="\/llms\.txt"/, path);
    assert.is(nameless.exec(html)?.[0], undefined, path);
    if (path.startsWith('/occupations/')) continue;
    for (const [form] of html.matchAll(/<form[\s\S]*?<\/form>/g))
      assert.match(form, /<button type="submit"/, `${path}: ${form.slice(0, 80)}`);
  }
});

suiteOfPages('have a Markdown version that links to llms.txt near its top', () => {
  const faces = files.filter((name) => name.endsWith('.md') && !name.includes('SKILL'));
  assert.ok(faces.length > 1000);
  for (const name of faces) assert.match(read(name), /^# .*\n\n> .*\]\(\/llms\.txt\)\n\n/, name);
});

suiteOfPages('have a picture, an icon and a manifest, and the home has its JSON-LD context', async () => {
  const { origin } = await useServer();
  const get = async (path: string, type: string) => {
    const response = await fetch(origin + path);
    assert.is(response.status, 200, path);
    assert.equal(response.headers.get('content-type')?.split(';')[0], type, path);
    return Buffer.from(await response.arrayBuffer());
  };
  const icon = await get('/favicon.ico', 'image/x-icon');
  assert.equal([...icon.subarray(0, 6)], [0, 0, 1, 0, 3, 0], 'three icons');
  const manifest = JSON.parse(String(await get('/site.webmanifest', 'application/manifest+json')));
  assert.is(manifest.name, 'Careers Placement Service');
  assert.is(manifest.start_url, '/');
  for (const { src, type } of manifest.icons) await get(src, type);
  const { pathname } = new URL(JSON.parse(String(await get('/', 'application/json')))['@context'], origin);
  const { '@context': context } = JSON.parse(String(await get(pathname, 'application/ld+json')));
  assert.ok(URL.canParse(context['@vocab']) && context.name);
});

suiteOfPages('describe themselves as a WebAPI, a Dataset with its licence, or an Occupation', () => {
  const home = toData(read('index.html'))!;
  assert.is(home['@context'], 'https://schema.org');
  assert.is(home['@type'], 'WebAPI');
  for (const name of ['name', 'description', 'url', 'documentation']) assert.match(home[name], /\S/, name);
  assert.ok(existsSync(join(client, home.documentation)));
  const list = toData(read('occupations.html'))!;
  assert.is(list['@type'], 'Dataset');
  // What dataset searches require: a name, and a description of 50 to 5000 characters.
  assert.ok(list.name && list.description.length >= 50 && list.description.length <= 5000);
  assert.is(list.license, 'https://creativecommons.org/licenses/by/4.0/');
  assert.ok(list.creator.name && list.creditText.includes('O*NET') && list.distribution.length > 0);
  for (const { contentUrl } of list.distribution) assert.ok(existsSync(join(client, contentUrl)), contentUrl);
  for (const { id, title, skills, jobZone } of occupationFacts) {
    const html = pages.get(`/occupations/${id}.html`)!;
    const { url, name, occupationalCategory, ...one } = toData(html)!;
    assert.is(one['@type'], 'Occupation');
    assert.equal(name, title);
    assert.is(url, `/occupations/${id}.html`);
    assert.is(occupationalCategory.codeValue, id);
    assert.is(one.skills?.length > 0, skills !== undefined, id);
    const parts = [...html.matchAll(/<h2 id="(\w+)"/g)].map(([, part]) => part);
    assert.equal(parts.filter((part) => part !== 'pay').slice(0, 3), ['titles', 'skills', 'near'], id);
    assert.is(html.includes('has no skill ratings'), skills === undefined, id);
    assert.is(html.includes('in no job zone'), jobZone === undefined, id);
    const [, importance, level] =
      /class="filled" width="([\d.]+)".*?class="filled" width="([\d.]+)"/.exec(html) ?? [];
    const [first] = skills ?? [];
    if (first?.level === undefined) continue;
    const [long, deep] = [(first.importance - 1) * 25, (first.level / 7) * 100];
    assert.ok(Math.abs(Number(importance) - long) < 0.1 && Math.abs(Number(level) - deep) < 0.1, id);
  }
});

const scripts = files.filter((name) => /^_astro\/.*\.js$/.test(name));

/** Other nouns for a workspace. "A staffing desk" is what the whole service is. */
const otherNoun = /(?<!staffing )\bdesks?\b(?![-/.])/i;
/** The same in a script, as a word of a sentence or alone in a text. A class or a file may have the name. */
const otherNounInScript = /[a-z,:’] desks?\b(?![-\w=.])|[`">]Desks?\b/;

/** Returns what a page shows or says of itself, without its codes and tags. */
const wordsOf = (html: string) =>
  [
    html.replace(/<(script|style|pre|code)\b.*?<\/\1>/gs, ' ').replace(/<[^>]+>/g, ' '),
    ...[...html.matchAll(/\b(?:content|aria-label|alt|placeholder)="([^"]*)"/g)].map(([, text]) => text!),
  ].join('\n');

suiteOfPages('have one noun for a workspace, in their words and in those that their scripts write', () => {
  for (const [path, html] of pages) {
    // Occupations have desk clerks.
    if (/^\/occupations/.test(path)) continue;
    const text = wordsOf(html);
    const found = otherNoun.exec(text);
    assert.is(found && text.slice(Math.max(0, found.index - 40), found.index + 40), null, path);
  }
  for (const name of scripts) {
    const text = read(name);
    const found = otherNounInScript.exec(text);
    assert.is(found && text.slice(Math.max(0, found.index - 40), found.index + 40), null, name);
  }
});

suiteOfPages('have a description of their own', () => {
  const owners = new Map<string, string>();
  for (const [path, html] of pages) {
    const description = contentOf(html, 'description')!;
    assert.is(owners.get(description), undefined, `${path} and ${owners.get(description)}: ${description}`);
    owners.set(description, path);
  }
});

suiteOfPages('have a preview picture of 1200 by 630 pixels and at most 30 kB', () => {
  for (const picture of new Set([...pages.keys()].map(findPicture))) {
    const bytes = readFileSync(join(client, picture));
    assert.is(`${bytes.readUInt32BE(16)} by ${bytes.readUInt32BE(20)}`, '1200 by 630', picture);
    assert.ok(bytes.length <= 30_000, `${picture} has ${bytes.length} bytes`);
  }
});

suiteOfPages('share a preview picture only with pages below them', () => {
  for (const page of ['api', 'briefs', 'guides', 'occupations', 'pricing', 'verify', 'watch', 'workspace'])
    assert.is(findPicture(`/${page}.html`), `/previews/${page}.png`);
  assert.is(findPicture('/index.html'), '/previews/home.png');
  assert.is(findPicture('/guides/connecting.html'), '/previews/guides.png');
  assert.is(findPicture('/occupations/15-1252.00.html'), '/previews/occupations.png');
});

suiteOfPages('say of each close occupation what it does', () => {
  const summaries = new Map(
    occupationFacts.map(({ id }) => [id, toData(read(`occupations/${id}.html`))!.description]),
  );
  const [, near = ''] =
    /<ol class="near-list plain">(.*?)<\/ol>/s.exec(read('occupations/29-1141.00.html')) ?? [];
  const codes = [...near.matchAll(/href="\/occupations\/([\d.-]+)\.html"/g)].map(([, code]) => code!);
  const shown = [...near.matchAll(/<p class="note">(.*?)<\/p>/g)].map(([, text]) =>
    text!.replaceAll('&#39;', "'"),
  );
  assert.is(codes.length, 10);
  assert.equal(
    shown,
    codes.map((code) => summaries.get(code)),
  );
});

suiteOfPages('of an occupation show its summary, and its pay with the source', () => {
  const html = read('occupations/29-1141.00.html');
  assert.ok(html.includes(`>${toData(html)!.description}<`));
  assert.match(html, /\$31\.75[\s\S]*\$45\.00[\s\S]*\$65\.06[\s\S]*Bureau of Labor Statistics/);
});

/**
 * Bytes of the scripts that a page can load, each compressed as it is sent. Those that it loads only on demand count too,
 * unlike in the bytes of a page on the wire, which `browser-bounds` limits. The desk loads most of its scripts on demand: the
 * page of an import has 11,000 bytes of them, and comes once a file is opened.
 */
const budget = 72_000;
/** The desk also has the page of an import and what draws a QR code. A recorded run has the whole desk beside it. */
const budgets: Record<string, number> = { 'workspace.html': budget + 20_000, 'watch.html': budget + 26_000 };

/** Lists the scripts that a page can load, at once or on demand. */
function scriptsOf(page: string): string[] {
  const found = new Set(
    hrefsOf(read(page)).flatMap((href) => (scripts.includes(href.slice(1)) ? href.slice(1) : [])),
  );
  for (const name of found)
    for (const other of scripts) if (read(name).includes(other.slice('_astro/'.length))) found.add(other);
  return [...found];
}

const sizeOf = (name: string) => brotliCompressSync(read(name)).length;

suiteOfPages(`load scripts of at most ${budget} bytes, with those on demand`, () => {
  for (const page of files.filter((name) => /^[^/]+\.html$/.test(name))) {
    const bytes = scriptsOf(page).reduce((sum, name) => sum + sizeOf(name), 0);
    assert.ok(bytes > 0 && bytes <= (budgets[page] ?? budget), `${page}: ${bytes} bytes`);
  }
});

suiteOfPages('load scripts only where they are used', () => {
  const common = scriptsOf('404.html');
  assert.ok(common.length <= 4, `every page loads ${common}`);
  for (const page of ['workspace', 'receipt', 'confirm', 'shortlist']) {
    const own = new RegExp(`^_astro/(${page}\\.astro|desk\\.|solver)`);
    const loads = (other: string) => scriptsOf(`${other}.html`).some((name) => own.test(name));
    assert.ok(loads(page), page);
    for (const other of ['index', 'api', 'occupations', '404', 'occupations/11-1011.00'])
      assert.not.ok(loads(other), `${other} and ${page}`);
  }
  assert.equal(scriptsOf('occupations/11-1011.00.html'), common, 'an occupation needs no script of its own');
});

suiteOfPages.run();
