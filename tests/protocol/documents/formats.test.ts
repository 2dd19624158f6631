import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Representation, toAlternates } from '../../support/link-header.ts';
import { toTargets } from '../../support/links.ts';
import { useServer } from '../../support/server.ts';
import { openWire, type Seen } from '../../support/visit.ts';

const faces = suite('the three formats of a document');
const types: Record<Representation, string> = {
  json: 'application/json',
  md: 'text/markdown',
  html: 'text/html',
};
const suffixes = Object.keys(types) as Representation[];
const codes = ['11-1011.00', '15-1252.00', '15-1299.08', '29-1141.00', '55-3019.00'];
const paths = ['/', '/pricing', '/verify', '/occupations', ...codes.map((code) => `/occupations/${code}`)];
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const { origin, port } = await useServer();
const wire = openWire(origin, port);

const toAddress = (path: string, face: Representation) => `${path === '/' ? '/index' : path}.${face}`;

function holdToFace({ status, type, text, url }: Seen, face: Representation, asked: string): void {
  const what = `${url} for ${asked}: ${status} ${type}\n${text.slice(0, 200)}`;
  assert.is(status, 200, what);
  assert.is(type, types[face], what);
  if (face === 'json') assert.is(JSON.parse(text).type, 'OK', what);
  else if (face === 'html') assert.match(text, /^<!doctype html>/i, what);
  else assert.match(text, /^# \S/, what);
}

const acceptsAnything = [
  ...['*/*', browser, 'application/json', 'text/markdown', 'text/html', 'image/png', 'x;;q'],
];

for (const path of paths) {
  for (const face of suffixes) {
    const address = toAddress(path, face);
    faces(`${address} is ${types[face]} whatever Accept says`, async () => {
      for (const accept of acceptsAnything) {
        holdToFace(await wire.get(address, { accept }), face, accept);
        holdToFace(await wire.get(address, { accept, 'user-agent': 'GPTBot/1.2' }), face, accept);
        holdToFace(await wire.get(address, { accept, 'sec-fetch-dest': 'document' }), face, accept);
      }
    });
  }

  faces(`${path} and its formats name all three in Link`, async () => {
    for (const address of [path, ...suffixes.map((face) => toAddress(path, face))]) {
      const { headers } = await wire.get(address);
      const named = toAlternates(String(headers.link ?? ''), wire.origin);
      for (const face of suffixes)
        assert.is(named.get(face), wire.origin + toAddress(path, face), `${address}: ${headers.link}`);
    }
  });

  faces(`the Markdown of ${path} is prose with a next call, and every link in it answers`, async () => {
    const address = toAddress(path, 'md');
    const { text } = await wire.get(address);
    const prose = text.replace(/```[\s\S]*?```/g, '').replace(/^(#|-|\||\s{4}).*$/gm, '');
    assert.ok(prose.trim().length > 80, `${address} has no prose:\n${text.slice(0, 300)}`);
    assert.not.match(text, /<html|```json\s*\{[\s\S]*\}\s*```\s*$/i, address);
    assert.match(text, /\bnext\b|`GET \//i, `${address} names no next call`);
    const targets = toTargets({ url: address, type: 'text/markdown', text, headers: {} }, wire.origin);
    assert.ok(targets.length > 0, `${address} has no link`);
    for (const target of targets.slice(0, 40)) {
      const { status, body } = await wire.get(target);
      const isDoor = target.endsWith('/mcp') && status === 405;
      const isSaid = text.includes(`GET ${target}: answers ${status}`);
      const isRight =
        isDoor || isSaid || status === 200 || body?.type === 'OFFER' || body?.code === 'unknown_workspace';
      assert.ok(isRight, `${target}: ${status}`);
    }
  });
}

type Headers = Record<string, string>;
/** Some headers by which a caller asks for each format. `rules/kernel/addresses` has all. */
const negotiated: Record<Representation, Headers[]> = {
  json: [{}, { accept: '*/*' }, { accept: 'application/json', 'user-agent': 'GPTBot/1.2' }],
  html: [{ accept: browser }, { 'sec-fetch-dest': 'document' }],
  md: [{ accept: 'text/markdown' }, { 'user-agent': 'Claude-User/1.0 (+https://api.qa)' }],
};

for (const face of suffixes) {
  faces(`/ answers ${face} if it is asked for, with a query too, and not for shared caches`, async () => {
    for (const headers of negotiated[face]) {
      const asked = JSON.stringify(headers).slice(0, 100);
      const home = await wire.get('/', headers);
      holdToFace(home, face, asked);
      holdToFace(await wire.get('/?from=somewhere', headers), face, asked);
      const { etag, vary, ...sent } = home.headers;
      assert.is(sent['cache-control'], 'no-cache', asked);
      assert.is(sent['cdn-cache-control'], 'no-store', asked);
      for (const name of ['accept', 'user-agent', 'sec-fetch-dest'])
        assert.ok(String(vary).toLowerCase().split(/, */).includes(name), `${asked}: Vary names ${name}`);
      assert.match(String(etag), /^"[0-9a-f]{32}[^"]*"$/);
      const again = await wire.get('/', { ...headers, 'if-none-match': String(etag) });
      assert.is(again.status, 304, asked);
      // Every other address answers the same Accept with JSON.
      for (const path of paths.slice(1)) holdToFace(await wire.get(path, headers), 'json', asked);
    }
  });
}

faces('each format of / has a public address of its own, and no other address negotiates', async () => {
  for (const address of ['/index.json', '/index.md', '/index.html']) {
    const { headers } = await wire.get(address, { accept: 'image/png' });
    assert.match(String(headers['cache-control']), /^public, /);
    assert.not.match(String(headers.vary ?? ''), /user-agent/i, address);
  }
  for (const path of ['/pricing', '/verify', '/occupations', '/candidates', '/candidates/cand_001']) {
    const plain = await wire.get(path);
    assert.not.match(String(plain.headers.vary ?? ''), /user-agent|sec-fetch|accept(,|$)/i, path);
    for (const headers of [{ accept: 'text/html' }, { 'user-agent': 'Claude-User/1.0' }] as Headers[])
      assert.is((await wire.get(path, headers)).text, plain.text, path);
  }
});

faces('a format of a missing document is a 404, for a browser too', async () => {
  for (const suffix of suffixes) {
    for (const path of ['/occupations/99-9999.99', '/nothing', '/candidates/cand_none']) {
      const { status } = await wire.get(`${path}.${suffix}`, { accept: browser });
      assert.is(status, 404, `${path}.${suffix}`);
    }
  }
});

faces.run();
