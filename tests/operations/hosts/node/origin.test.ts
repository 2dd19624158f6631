import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findPicture } from '../../../../src/hosts/with-origin.ts';
import { openFor } from '../../../support/open-host.ts';
import { findPort, useServer } from '../../../support/server.ts';

const client = join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'client');
const files = readdirSync(client, { recursive: true, encoding: 'utf8' });
const base = 'https://desk.example';
const origins = suite('documents with a BASE_URL');
const told = await openFor(origins, { BASE_URL: base, PORT: String(await findPort()), LOG: 'off' });
const untold = await useServer();

async function get(path: string, headers = {}, server: typeof untold = told) {
  const response = await fetch(server.origin + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const listed = ['/index.html', '/pricing.html', '/guides/connecting.html', '/occupations/15-1252.00.html'];

origins('a page names its one address and a picture, without a build of its own', async () => {
  for (const path of ['/', ...listed]) {
    const { text } = await get(path, { Accept: 'text/html' });
    const address = base + (path === '/index.html' ? '/' : path);
    assert.is(text.split(`<link rel="canonical" href="${address}">`).length, 2, path);
    assert.is(text.split(`<meta property="og:url" content="${address}">`).length, 2, path);
    assert.ok(text.includes(`<meta property="og:image" content="${base}${findPicture(path)}">`), path);
    const { text: plain } = await get(path, { Accept: 'text/html' }, untold);
    assert.not(/rel="canonical"|og:url|og:image"/.test(plain), path);
  }
  const { text } = await get('/workspace.html');
  assert.is(text.includes('rel="canonical"'), !text.includes('content="noindex"'));
  assert.not((await get('/claim.html')).text.includes('rel="canonical"'), 'it is hidden from search engines');
});

origins('the blocks of a page show its address before a script runs', async () => {
  const { text } = await get('/guides/connecting.html');
  assert.ok(
    text.includes(`claude mcp add --transport http careers-placement <span data-origin>${base}</span>/mcp`),
  );
  assert.not.match(text, />ORIGIN</);
});

origins('a page gives no advice to replace an address that is known', async () => {
  const advice = 'with the address of this service';
  assert.not.ok((await get('/api.html')).text.includes(advice));
  assert.ok((await get('/api.html', {}, untold)).text.includes(advice), 'without a script');
});

origins('every link in Markdown is absolute', async () => {
  const all = files.filter((name) => name.endsWith('.md'));
  assert.ok(all.length > 1000);
  const some = all.filter(
    (name) => !/\//.test(name) || name.startsWith('guides') || /15-1252|_001/.test(name),
  );
  let links = 0;
  for (const name of some) {
    const { text } = await get(`/${name}`);
    assert.not.match(text, /\]\(\//, name);
    links += text.split(`](${base}/`).length - 1;
    assert.not((await get(`/${name}`, {}, untold)).text.includes(base), name);
  }
  assert.ok(links > 100, String(links));
});

origins('each encoding has its own ETag', async () => {
  for (const path of ['/occupations/15-1252.00.md', '/pricing.html', '/index.md']) {
    const tags = new Set<string | null>();
    for (const coding of ['identity', 'gzip', 'br']) {
      const { text, headers } = await get(path, { 'Accept-Encoding': coding });
      assert.ok(text.includes(base), `${path} ${coding}`);
      const tag = headers.get('etag');
      tags.add(tag);
      const again = { 'Accept-Encoding': coding, 'If-None-Match': tag ?? '' };
      assert.is((await get(path, again)).status, 304);
    }
    assert.is(tags.size, 3);
    assert.not(tags.has((await get(path, {}, untold)).headers.get('etag')), path);
  }
});

/** Returns the sentences of the elements with these ids, as plain text. */
function readParts(page: string, ids: readonly string[]): string[] {
  const html = readFileSync(join(client, page), 'utf8');
  return ids.flatMap((id) => {
    const [, part = ''] =
      new RegExp(`<section class="part[^>]*="${id}"[^>]*>(.*?)</section>`, 's').exec(html) ?? [];
    assert.ok(part, `${page} ${id}`);
    const texts = [...part.matchAll(/<(p|h3)\b[^>]*>(.*?)<\/\1>/gs)].map(([, , text = '']) => text);
    return texts.map((text) =>
      text
        .replace(/<[^>]+>/g, '')
        .replaceAll('&#39;', "'")
        .replaceAll('&quot;', '"')
        .trim(),
    );
  });
}

origins('the Markdown of pricing and verification says what their pages say', async () => {
  const [pricing, verify] = [(await get('/pricing.md')).text, (await get('/verify.md')).text];
  const plain = verify.replace(/[`]/g, '');
  for (const text of readParts('verify.html', ['run', 'suites', 'attested'])) {
    if (/needs? JavaScript|not run|Not run|^Run |^$/.test(text)) continue;
    const words = text.replace(/^(Digest|Judge) /, '').replace(/ (in force|not yet)$/, '');
    assert.ok(plain.includes(words), words);
  }
  const { rates, statement } = JSON.parse((await get('/pricing.json')).text);
  for (const { operation, price } of rates)
    assert.ok(pricing.includes(`| ${operation} | ${price} |`), operation);
  for (const words of [statement, 'What would close this open item', 'Is the price bound?', 'GET /offer'])
    assert.ok(pricing.includes(words), words);
  for (const { title, statement: text } of JSON.parse((await get('/icp.json')).text).ladder)
    assert.ok(pricing.includes(title) && pricing.includes(text), title);
});

origins('one text of bounded size holds all guides for callers, and llms.txt links to it', async () => {
  const { text, headers } = await get('/llms-full.txt');
  assert.match(headers.get('content-type') ?? '', /^text\/plain/);
  assert.ok(Buffer.byteLength(text) < 84_000, `${Buffer.byteLength(text)} bytes`);
  assert.not.match(text, /\]\(\//);
  const { text: llms } = await get('/llms.txt');
  assert.match(llms.split('## Optional')[1] ?? '', /\/llms-full\.txt\): under 84 kB/);
  for (const heading of ['Getting started', 'Connect', 'Matching', 'Outcomes'])
    assert.match(text, new RegExp(`^# ${heading}`, 'm'));
  assert.not.match(text, /^# (Operating|Speed|Adding things)/m);
});

origins.run();
