import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFor } from '../../support/open-host.ts';
import { words } from '../../support/rows.ts';
import { passed, refused, send } from '../../support/rpc.ts';
import { findPort, startFor, withServer } from '../../support/server.ts';
import { sendRaw } from '../../support/wire.ts';
import { World } from '../../support/world.ts';

const protocol = suite('callers of /mcp');
const json = { 'Content-Type': 'application/json' };
const list = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
const free = await findPort();
const local = await startFor(protocol);
const { port } = local;
const published = await startFor(protocol, {
  PORT: String(free),
  BASE_URL: `http://careers.example:${free}`,
  ALLOWED_ORIGINS: 'https://partner.example:8443',
});
const web = await openFor(protocol, {
  PORT: String(await findPort()),
  BASE_URL: 'https://careers.example',
});
const open = await openFor(protocol, { ALLOWED_ORIGINS: '*' });

protocol('a foreign Origin or Host is 403, which names the settings that would allow it', async () => {
  const cases = [
    [{ Host: 'box.lan:4321' }, 'Host "box.lan:4321"'],
    [{ Origin: 'https://evil.example' }, 'Origin "https://evil.example"'],
  ] as const;
  for (const [headers, named] of cases) {
    const { body } = await send(port, list, { headers: { ...json, ...headers } });
    for (const text of [named, 'BASE_URL', 'ALLOWED_ORIGINS', `http://localhost:${port}/mcp`])
      assert.ok(body.error.message.includes(text), `${text} in ${body.error.message}`);
  }
  assert.match(local.output(), new RegExp(`^MCP clients: http://localhost:${port}/mcp$`, 'm'));
  assert.match(local.output(), /^BASE_URL is not set, so \/mcp answers 403/m);
  assert.match(published.output(), /^MCP clients: http:..careers\.example:\d+\/mcp$/m);
  assert.not.match(published.output(), /BASE_URL is not set/);
  assert.not.match(await withServer({ HOST: '127.0.0.1' }, async () => {}), /BASE_URL is not set/);

  const foreign = words(`
    https://evil.example http://localhost.evil.example null https://127.0.0.1.evil.example
  `);
  for (const Origin of [...foreign, 'https://careers.example', ''])
    refused(await send(port, list, { headers: { ...json, Origin } }), 403, -32600, null);
  for (const Host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', 'careers.example'])
    refused(await send(port, list, { headers: { ...json, Host } }), 403, -32600, null);
});

protocol('no Origin, loopback, the published origin and the allowed ones pass', async () => {
  for (const host of ['localhost', 'localhost:1', '127.0.0.1:8080', '[::1]:3000', 'LOCALHOST']) {
    passed(await send(port, list, { headers: { ...json, Host: host } }));
    passed(await send(port, list, { headers: { ...json, Origin: `http://${host}` } }));
    passed(await send(port, list, { headers: { ...json, Origin: `https://${host}` } }));
  }
  const host = `careers.example:${published.port}`;
  const own = { ...json, Host: host };
  passed(await send(published.port, list, { headers: own }));
  for (const Origin of [`http://${host}`, 'https://partner.example:8443'])
    passed(await send(published.port, list, { headers: { ...own, Origin } }));
  for (const Origin of [`https://${host}`, 'http://careers.example', 'https://partner.example'])
    refused(await send(published.port, list, { headers: { ...own, Origin } }), 403, -32600, null);
});

/** Origins of pages: chat services, a file or a sandboxed frame, and plain http. */
const pageOrigins = ['https://claude.ai', 'https://chatgpt.com', 'null', 'http://evil.example'];

protocol('a service published with https accepts a page of any origin', async () => {
  const headers = { ...json, Host: 'careers.example' };
  for (const Origin of pageOrigins) passed(await send(web.port, list, { headers: { ...headers, Origin } }));
});

protocol('a service published with https accepts no other Host, whatever the Origin', async () => {
  for (const Host of ['evil.example', 'careers.example.evil.example'])
    for (const Origin of [...pageOrigins, `http://${Host}`, 'https://careers.example']) {
      const reply = await send(web.port, list, { headers: { ...json, Host, Origin } });
      refused(reply, 403, -32600, null);
      assert.match(reply.error.message, `Host "${Host}"`);
    }
});

protocol('a service published with http, or as https on loopback, checks Origin', async () => {
  const origin = { Origin: 'https://claude.ai' };
  const http = { ...json, Host: `careers.example:${published.port}`, ...origin };
  refused(await send(published.port, list, { headers: http }), 403, -32600, null);
  const { status } = await new World({ settings: { baseUrl: 'https://localhost:4321' } }).ask(
    'POST',
    '/mcp',
    list,
    origin,
  );
  assert.is(status, 403);
});

protocol('ALLOWED_ORIGINS=* allows a page of any origin, and no other Host', async () => {
  for (const Origin of pageOrigins)
    passed(await send(open.port, list, { headers: { ...json, Host: `localhost:${open.port}`, Origin } }));
  for (const Host of ['evil.example', `evil.example:${open.port}`]) {
    const headers = { ...json, Host, Origin: 'https://claude.ai' };
    refused(await send(open.port, list, { headers }), 403, -32600, null);
  }
});

/** What browser clients of MCP send, and one header of their own. */
const clientHeaders = words(`
  authorization content-type last-event-id mcp-method mcp-name mcp-protocol-version mcp-session-id x-workspace
`);

const readNames = (field: string | string[] | undefined) => String(field).toLowerCase().split(/,\s*/);

protocol('a preflight allows the methods and headers of browser clients, and any other header', async () => {
  const headers = { Origin: 'https://claude.ai', 'Access-Control-Request-Method': 'POST' };
  const preflight = await send(web.port, '', { method: 'OPTIONS', headers });
  const allowed = readNames(preflight.headers['access-control-allow-headers']);
  const methods = readNames(preflight.headers['access-control-allow-methods']);
  assert.is(preflight.headers['access-control-allow-origin'], '*');
  for (const name of [...clientHeaders, '*']) assert.ok(allowed.includes(name), name);
  for (const name of ['post', 'get', 'delete']) assert.ok(methods.includes(name), name);
});

protocol('a page may read a result, and the headers that its client needs', async () => {
  const { headers } = await send(web.port, list, { headers: { ...json, Origin: 'https://claude.ai' } });
  const exposed = readNames(headers['access-control-expose-headers']);
  assert.is(headers['access-control-allow-origin'], '*');
  for (const name of words('mcp-session-id mcp-protocol-version www-authenticate retry-after x-workspace'))
    assert.ok(exposed.includes(name), name);
});

protocol('a refused page may read why: its preflight passes, and the refusal has CORS headers', async () => {
  const headers = { ...json, Origin: 'https://evil.example' };
  const preflight = await send(port, '', { method: 'OPTIONS', headers });
  const refusal = await send(port, list, { headers });
  assert.is(preflight.status, 204);
  assert.is(preflight.headers['access-control-allow-origin'], '*');
  assert.is(refusal.status, 403);
  assert.is(refusal.headers['access-control-allow-origin'], '*');
});

protocol('a target in absolute form counts by its own host, whatever Host says', async () => {
  const body = JSON.stringify(list);
  const call = (authority: string, host: string) =>
    sendRaw(
      port,
      `POST http://${authority}/mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
  assert.is((await call('evil.example', 'localhost')).status, 403);
  assert.is((await call('localhost', 'evil.example')).status, 200);
});

protocol.run();
