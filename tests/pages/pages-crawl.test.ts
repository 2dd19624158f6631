import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type SharedServer, useServer } from '../support/server.ts';

const client = join(import.meta.dirname, '..', '..', 'dist', 'client');
const crawl = suite('a crawl of the pages');
let server: SharedServer;

interface Found {
  path: string;
  status: number;
  type: string;
  html: string;
}

const found = new Map<string, Found>();
const toPlain = (text: string) => text.replaceAll('&amp;', '&');
const hrefsOf = (html: string) =>
  [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, href]) => toPlain(href!));

async function read(path: string): Promise<Found> {
  const response = await fetch(server.origin + path, { headers: { Accept: 'text/html' } });
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text();
  return { path, status: response.status, type, html: type.includes('html') ? text : '' };
}

/** Reads everything that can be reached from the home page by its own links. */
async function reach(): Promise<void> {
  let wave = ['/'];
  while (wave.length > 0) {
    const pages = await Promise.all(wave.map(read));
    for (const page of pages) found.set(page.path, page);
    const next = pages.flatMap(({ html }) => hrefsOf(html)).filter((href) => href.startsWith('/'));
    wave = [...new Set(next.map((href) => href.split('#')[0]!))].filter((path) => !found.has(path));
  }
}

crawl.before(async () => {
  server = await useServer();
  await reach();
});

crawl('everything that a page links to is there', () => {
  const lost = [...found.values()].filter(({ status }) => status !== 200).map(({ path }) => path);
  assert.equal(lost, []);
});

crawl('all 1,016 occupation pages are reached, and every other page', () => {
  const pages = [...found.values()].filter(({ html }) => html).map(({ path }) => path);
  assert.is(pages.filter((path) => /^\/occupations\/\d\d-\d{4}\.\d\d\.html$/.test(path)).length, 1016);
  for (const path of [
    '/',
    '/index.html',
    '/occupations.html',
    '/pricing.html',
    '/api.html',
    '/verify.html',
    '/guides.html',
    '/guides/operating.html',
    '/guides/static-hosting.html',
    '/guides/speed.html',
    '/guides/adding-things.html',
  ])
    assert.ok(pages.includes(path), path);
});

crawl('pages link suffixed addresses of this origin only', () => {
  for (const { path, html } of found.values()) {
    for (const href of hrefsOf(html).filter((one) => !one.startsWith('#'))) {
      assert.match(href, /^\/[^?]*\.[a-z0-9]+(#[\w.-]+)?$/i, `${path} links ${href}`);
    }
  }
});

crawl('an anchor that a page links to is on the page', () => {
  const idsOf = new Map<string, Set<string>>();
  for (const { path, html } of found.values()) {
    idsOf.set(path, new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!)));
  }
  for (const { path, html } of found.values()) {
    for (const href of hrefsOf(html).filter((one) => one.includes('#'))) {
      const [target, id] = href.split('#') as [string, string];
      assert.ok(idsOf.get(target || path)?.has(id), `${path} links ${href}`);
    }
  }
});

/** Data, which no browser runs and no policy of scripts is about (HTML, prepare the script element). */
const dataBlock = /<script type="application\/ld\+json">[^<]*<\/script>/g;

crawl('no page holds a script, a style or a handler of its own', () => {
  for (const { path, html } of found.values()) {
    assert.not.match(html.replaceAll(dataBlock, ''), /<script(?![^>]*\ssrc=)/, path);
    assert.match(html, /<\/html>\s*$|^$/, `${path} ends with its end`);
    assert.not.match(html, /<style|\sstyle=|\son[a-z]+=/, path);
  }
});

crawl('every page has one heading of the first rank, a title and a description of its own', () => {
  const titles = new Map<string, string>();
  for (const { path, html } of found.values()) {
    if (!html || path === '/index.html') continue;
    assert.is(html.match(/<h1/g)?.length, 1, path);
    assert.match(html, /<meta name="description" content="[^"]{20,}"/, path);
    const [, title = ''] = /<title>([^<]+)<\/title>/.exec(html) ?? [];
    assert.not.ok(titles.has(title), `${path} has the title of ${titles.get(title)}`);
    titles.set(title, path);
  }
});

/** Elements that may have no name of their own unless a role says what they are (WAI-ARIA 1.2, Prohibited Attributes). */
const nameless =
  /<(?:pre|code|div|span|p|b|i|em|strong|dd|time|caption|label)\s[^>]*\baria-label(?:ledby)?=[^>]*>/g;

crawl('only an element that may have a name has one', () => {
  const files = readdirSync(client, { recursive: true, encoding: 'utf8' });
  const pages = files.filter((name) => name.endsWith('.html'));
  assert.ok(pages.length > 1000);
  for (const page of pages) {
    const tags = [...readFileSync(join(client, page), 'utf8').matchAll(nameless)].map(([tag]) => tag);
    assert.equal(
      tags.filter((tag) => !/\srole="/.test(tag)),
      [],
      page,
    );
  }
});

crawl.run();
