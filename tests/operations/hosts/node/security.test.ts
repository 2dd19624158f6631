import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useServer } from '../../../support/server.ts';
import { sendRaw } from '../../../support/wire.ts';

const security = suite('security headers');
const client = join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'client');
const pages = readdirSync(client, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.html'))
  .map((name) => `/${name.replaceAll('\\', '/')}`);

const server = await useServer();
const directivesOf = (policy: string) =>
  new Map(policy.split(';').map((part) => [part.trim().split(' ')[0], part.trim().split(' ').slice(1)]));

security('every answer forbids content sniffing, and names no software', async () => {
  const body = '{"name":"A","onetCode":"15-1252.00"}';
  const asked: [path: string, options?: RequestInit][] = [
    ...['/candidates', '/candidates?limit=1', '/nothing', '/offer', '/healthz', '/readyz'],
    ...pages.slice(0, 20),
  ].map((path) => [path]);
  asked.push(['/candidates', { method: 'POST', body }], ['/mcp', { method: 'POST', body }]);
  asked.push(['/pricing', { method: 'OPTIONS' }]);
  const answers = await Promise.all(asked.map(([path, options]) => fetch(server.origin + path, options)));
  for (const { url, status, headers } of answers) {
    assert.is(headers.get('x-content-type-options'), 'nosniff', `${url} ${status}`);
    for (const name of ['server', 'x-powered-by', 'set-cookie']) assert.is(headers.get(name), null, url);
  }
  const { head } = await sendRaw(server.port, 'GARBAGE\r\n\r\n');
  assert.match(head, /X-Content-Type-Options: nosniff/);
  assert.not.match(head, /^(Server|X-Powered-By):/im);
});

const sources = {
  ...{ 'default-src': 'none', 'script-src': 'self', 'style-src': 'self', 'font-src': 'self' },
  ...{ 'frame-ancestors': 'none', 'base-uri': 'none' },
};

security('every HTML page has a policy without inline code or framing', async () => {
  for (const page of pages) {
    const { headers } = await fetch(server.origin + page, { method: 'HEAD' });
    const policy = directivesOf(headers.get('content-security-policy') ?? '');
    for (const [name, source] of Object.entries(sources))
      assert.equal(policy.get(name), [`'${source}'`], `${page} ${name}`);
    assert.is(headers.get('referrer-policy'), 'no-referrer', page);
    assert.match(headers.get('permissions-policy') ?? '', /geolocation=\(\)/, page);
  }
});

security('no page holds what that policy would block', () => {
  for (const page of pages) {
    const html = readFileSync(join(client, page), 'utf8');
    const inline = [...html.matchAll(/<script\b([^>]*)>/g)].filter(
      ([, attributes]) =>
        !/\bsrc="\/[^/]/.test(attributes!) && !/type="application\/(ld\+)?json"/.test(attributes!),
    );
    assert.equal(
      inline.map(([tag]) => tag),
      [],
      page,
    );
    assert.not.match(html, /<style\b|<[^>]+\s(style|on\w+)=["']/, page);
    assert.not.match(html, /<(link|img|script|iframe)\b[^>]*\b(src|rel="stylesheet" href)="https?:/, page);
  }
});

security.run();
