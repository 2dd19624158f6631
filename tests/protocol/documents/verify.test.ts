import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useServer } from '../../support/server.ts';

const verify = suite('npm run verify');
const server = await useServer();

function run(...addresses: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/verify.ts', ...addresses], (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

/** Starts a proxy in front of our server that changes answers by `spoil`, to show that the suites notice. */
async function behind(
  spoil: (path: string, text: string) => string,
): Promise<{ origin: string; close(): void }> {
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const pick = (names: string[], from: (name: string) => unknown) =>
      Object.fromEntries(names.flatMap((name) => (from(name) ? [[name, String(from(name))]] : [])));
    const headers = pick(['accept', 'content-type', 'x-workspace'], (name) => request.headers[name]);
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
    const answer = await fetch(server.origin + request.url, { method: request.method, headers, body });
    const kept = pick(['content-type', 'x-workspace', 'location'], (name) => answer.headers.get(name));
    response.writeHead(answer.status, kept);
    response.end(spoil(request.url ?? '', await answer.text()));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => proxy.close() };
}

verify('both suites pass against our own server, and cover every operation and tool', async () => {
  const { code, output } = await run(server.origin);
  assert.is(code, 0, output);
  assert.match(output, /api\.qa\/suite@1[\s\S]+ 0 failed[\s\S]+api\.qa\/vitest@1[\s\S]+ 0 failed/);
  assert.match(output, /ok\s+coverage of openapi:createPlacement/);
  assert.match(output, /ok\s+coverage of mcp:createPlacement/);
});

/** What is changed where, and the expected message. */
const spoiled = [
  ['/offer', 'OFFER', 'OK', 'FAIL getOffer'],
  ['/mcp', '"name":"getPricing"', '"name":"gone"', 'FAIL the tool door lists its tools'],
  ['/verify/suite.json', '{', ' {', 'FAIL digest'],
] as const;

verify('a wrong answer fails a row of each suite, and a changed suite fails its digest', async () => {
  for (const [at, was, is, told] of spoiled) {
    const proxy = await behind((path, text) => (path === at ? text.replace(was, is) : text));
    const { code, output } = await run(proxy.origin);
    proxy.close();
    assert.is(code, 1, output);
    assert.ok(output.includes(told), output);
  }
});

verify('needs an address', async () => {
  const { code, output } = await run();
  assert.is(code, 2);
  assert.match(output, /npm run verify -- URL/);
});

verify.run();
