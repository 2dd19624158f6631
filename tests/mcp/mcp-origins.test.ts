import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { words } from '../support/rows.ts';
import { passed, refused, send } from '../support/rpc.ts';
import { findPort, startFor, withServer } from '../support/server.ts';
import { sendRaw } from '../support/wire.ts';

const protocol = suite('who may call /mcp');
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

protocol('a foreign Origin or Host is 403, which names it and the settings that change that', async () => {
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
  const { port: open } = published;
  const host = `careers.example:${open}`;
  const own = { ...json, Host: host };
  passed(await send(open, list, { headers: own }));
  for (const Origin of [`http://${host}`, 'https://partner.example:8443'])
    passed(await send(open, list, { headers: { ...own, Origin } }));
  for (const Origin of [`https://${host}`, 'http://careers.example', 'https://partner.example'])
    refused(await send(open, list, { headers: { ...own, Origin } }), 403, -32600, null);
});

protocol('a target in absolute form is called by its own host, whatever Host says', async () => {
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
