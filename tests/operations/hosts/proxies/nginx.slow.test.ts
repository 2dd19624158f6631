import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Manifest } from '../../../../src/kernel/freeze.ts';
import { hasNginx, startNginx } from '../../../support/balancers.ts';
import { startServer } from '../../../support/server.ts';
import { decode, send, type WireReply } from '../../../support/wire.ts';

if (!hasNginx) {
  console.log('skipped: no nginx on this machine');
  process.exit(process.env.CI === 'true' ? 1 : 0);
}
const dist = join(import.meta.dirname, '..', '..', '..', '..', 'dist');
const manifest: Manifest = JSON.parse(readFileSync(join(dist, 'host', 'manifest.json'), 'utf8'));
const nginx = suite('nginx with the rules of the build');
const node = await startServer();
const server = await startNginx();

nginx.after(async () => {
  server.stop();
  await node.stop();
});

/** Headers that a server adds itself: date, length, connection, and its own tag. */
const own = ['date', 'server', 'connection', 'keep-alive', 'etag', 'last-modified', 'accept-ranges'];
const lengths = ['content-length', 'transfer-encoding'];

function toHeaders({ headers }: WireReply): object {
  const entries = Object.entries(headers).filter(([name]) => ![...own, ...lengths].includes(name));
  const sorted = (list: string) => list.split(', ').sort().join(', ');
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name === 'vary' ? sorted(String(value)) : value]),
  );
}

async function each<T>(items: readonly T[], check: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += 32) {
    await Promise.all(items.slice(start, start + 32).map(check));
  }
}

for (const encoding of ['identity', 'gzip']) {
  nginx(`serves every frozen address as the Node host does, in ${encoding}`, async () => {
    const options = { headers: { 'Accept-Encoding': encoding } };
    let count = 0;
    await each(Object.entries(manifest.addresses), async ([path, { file, atStart }]) => {
      const [theirs, ours] = await Promise.all([
        send(server.origin, path, options),
        send(node.origin, path, options),
      ]);
      assert.is(theirs.status, 200, path);
      assert.equal(toHeaders(theirs), toHeaders(ours), path);
      assert.ok(theirs.headers.etag, `${path} has a validator`);
      const bytes = atStart ? readFileSync(join(dist, 'client', file)) : decode(ours);
      assert.ok(decode(theirs).equals(bytes), path);
      count += 1;
    });
    assert.ok(count > 4000, String(count));
  });
}

nginx('answers 304 to a caller that has the bytes, and HEAD without a body', async () => {
  const { headers } = await send(server.origin, '/pricing');
  const again = await send(server.origin, '/pricing', { headers: { 'If-None-Match': headers.etag } });
  assert.is(again.status, 304);
  assert.is(again.bytes.length, 0);
  assert.is(again.headers['cache-control'], headers['cache-control']);
  const head = await send(server.origin, '/pricing', { method: 'HEAD' });
  assert.is(head.status, 200);
  assert.is(head.bytes.length, 0);
});

const accepts: [accept: string | undefined, headers?: object][] = [
  [undefined],
  ['*/*'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['text/markdown'],
  ['application/json'],
  ['application/problem+json, text/html'],
  [undefined, { 'User-Agent': 'Claude-User/1.0' }],
  ['*/*', { 'Sec-Fetch-Dest': 'document' }],
];

nginx('negotiates the home page as the Node host does', async () => {
  for (const [accept, more] of accepts) {
    const options = { headers: { ...(accept !== undefined && { Accept: accept }), ...more } };
    const [theirs, ours] = await Promise.all([server, node].map(({ origin }) => send(origin, '/', options)));
    assert.equal(toHeaders(theirs!), toHeaders(ours!), `${accept} ${JSON.stringify(more)}`);
    assert.is(theirs!.status, 200);
  }
});

/** An address without a file does not exist, whatever Accept says. */
const absent = [
  ...['/placements?scope=admin', '/placements?cursor=x', '/placements.json?scope=admin', '/pricing?x'],
  ...['/occupations.json?cursor=x', '/occupations/15-1252.00?x=1', '/?scope=admin', '/nowhere', '/mcp'],
  ...['/nowhere.json', '/occupations/', '//pricing', '/occupations/99-9999.99', '/candidates/cand_none'],
  ...['/pricing.json.gz', '/.none'],
];
const workspace = { 'X-Workspace': 'ws_x' };
const refused: [method: string, path: string, status: number, type: string, headers?: object][] = [
  ...absent.map((path): [string, string, number, string] => ['GET', path, 404, 'EMPTY']),
  ['GET', '/candidates', 401, 'BLOCKED', workspace],
  ['GET', '/candidates/cand_001', 401, 'BLOCKED', workspace],
  ['POST', '/candidates', 405, 'BLOCKED'],
  ['POST', '/mcp', 405, 'BLOCKED'],
  ['DELETE', '/pricing.json', 405, 'BLOCKED'],
];

nginx('answers unknown addresses with an envelope', async () => {
  for (const [method, path, status, type, headers] of refused) {
    const reply = await send(server.origin, path, { method, ...(headers && { headers }) });
    const { allow, ...told } = reply.headers;
    const what = `${method} ${path}: ${reply.bytes}`;
    assert.equal(reply.status, status, what);
    assert.equal(JSON.parse(reply.bytes.toString()).type, type, what);
    assert.is(told['content-type'], 'application/json; charset=utf-8', what);
    assert.is(told['cache-control'], 'no-store', what);
    assert.is(told['access-control-allow-origin'], '*', what);
    if (status === 405) assert.is(allow, 'GET, HEAD, OPTIONS', what);
  }
});

nginx('ignores an empty query, and gives a page its own query', async () => {
  assert.is((await send(server.origin, '/pricing?')).status, 200);
  assert.is((await send(server.origin, '/occupations.html?q=nurse')).status, 200);
});

nginx('answers a preflight', async () => {
  const [theirs, ours] = await Promise.all(
    [server, node].map(({ origin }) => send(origin, '/candidates', { method: 'OPTIONS' })),
  );
  assert.is(theirs!.status, 204);
  assert.is(theirs!.headers.allow, 'GET, HEAD, OPTIONS');
  for (const name of ['access-control-allow-methods', 'access-control-allow-headers', 'cache-control']) {
    assert.is(theirs!.headers[name], ours!.headers[name]);
  }
});

nginx.run();
