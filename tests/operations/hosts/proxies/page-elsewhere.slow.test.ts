import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fillIn, startNginxWith } from '../../../support/balancers.ts';
import { launchBrowser } from '../../../support/browser.ts';
import { startFirefox } from '../../../support/firefox.ts';
import { findPort, makeFolder, startFor } from '../../../support/server.ts';
import { deployFolder, skipsWithout } from '../../../support/tools.ts';

/** Host names that the browsers of this test find on this machine. */
const [published, elsewhere] = ['careers.example', 'agent.example'];
const pages = suite('a page of another origin');
const folder = makeFolder();
const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];

/** Lists the tools, creates a candidate and reads it with the official client. Returns names, or the error. */
const script = `
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
window.useDesk = async (address, mode) => {
  const client = new Client({ name: 'page', version: '1.0.0' }, { versionNegotiation: { mode } });
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(address)));
    const { tools } = await client.listTools();
    const call = async (name, args) => (await client.callTool({ name, arguments: args })).structuredContent;
    const { candidate, workspace } = await call('createCandidate', { name: 'Ada Example', onetCode: '15-1252.00' });
    const read = await call('getCandidate', { id: candidate.id, workspace });
    await client.close();
    return { tools: tools.map(({ name }) => name), name: read.candidate.name };
  } catch (error) {
    return { error: String(error) };
  }
};`;

type UseDesk = (
  address: string,
  mode: string,
) => Promise<{ tools?: string[]; name?: string; error?: string }>;

/** Runs in the page. */
const useDesk = (given: string) => {
  const [address, mode] = JSON.parse(given) as [string, string];
  return (window as unknown as { useDesk: UseDesk }).useDesk(address, mode);
};

/** Runs in the page. Returns what it can read of a call without the client. */
const readRefusal = async (address: string) => {
  const headers = { 'Content-Type': 'application/json', 'Mcp-Session-Id': 'any', 'X-Of-A-Client': 'any' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const reply = await fetch(address, { method: 'POST', headers, body });
  return { status: reply.status, text: await reply.text() };
};

async function startPage(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'error',
  });
  const html = `<!doctype html><title>Elsewhere</title><script type="module">${outputFiles[0]!.text.replaceAll('</script', '<\\/script')}</script>`;
  const server = createServer((_, reply) => reply.setHeader('Content-Type', 'text/html').end(html));
  await once(server.listen(0), 'listening');
  pages.after(() => void server.close());
  return `http://${elsewhere}:${(server.address() as AddressInfo).port}/`;
}

if (!skipsWithout('openssl', 'nginx')) {
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const named = ['-subj', `/CN=${published}`, '-addext', `subjectAltName=DNS:${published}`];
  spawnSync('openssl', [...request, ...named, '-keyout', key, '-out', certificate]);
  const [tls, port] = [await findPort(), await findPort()];
  const env = { PORT: String(port), BASE_URL: `https://${published}:${tls}`, TRUST_PROXY: '1' };
  await startFor(pages, env);
  const local = await startFor(pages);
  const front = await startNginxWith((plain) => {
    const own = [`ssl_certificate ${certificate};`, `ssl_certificate_key ${key};`];
    const listen = [`listen 127.0.0.1:${plain};`, `listen 127.0.0.1:${tls} ssl;`, ...own].join(' ');
    return fillIn(readFileSync(join(deployFolder, 'nginx.conf'), 'utf8'), [
      ['listen 8080;', listen],
      ['127.0.0.1:4321', `127.0.0.1:${port}`],
    ]);
  });
  pages.after(() => front.stop());
  const page = await startPage();
  const address = `https://${published}:${tls}/mcp`;

  interface Tab {
    run<T>(task: (text: string) => T | Promise<T>, text: string): Promise<T>;
    stop(): Promise<unknown>;
  }

  const tabs: Record<string, () => Promise<Tab>> = {
    async Chromium() {
      const browser = await launchBrowser([`--host-resolver-rules=MAP *.example 127.0.0.1`]);
      const tab = await browser.newPage({ ignoreHTTPSErrors: true });
      await tab.goto(page);
      return { run: (task, text) => tab.evaluate(task, text), stop: () => browser.close() };
    },
    async Firefox() {
      const tab = await startFirefox({ 'network.dns.localDomains': `${published},${elsewhere}` });
      await tab.open(page);
      return tab;
    },
  };

  for (const [browser, open] of Object.entries(tabs)) {
    const tab = await open();
    pages.after(() => void tab.stop());

    for (const mode of ['auto', 'legacy'])
      pages(`uses a host with https through the official client (${browser}, ${mode})`, async () => {
        const { tools, name, error } = await tab.run(useDesk, JSON.stringify([address, mode]));
        assert.is(error, undefined);
        assert.ok(tools?.includes('createCandidate'));
        assert.is(name, 'Ada Example');
      });
    pages(`reads why a host on loopback refuses it (${browser})`, async () => {
      const { status, text } = await tab.run(readRefusal, `${local.origin}/mcp`);
      assert.is(status, 403);
      assert.match(text, `Origin \\"http://${elsewhere}`);
    });
  }
}

pages.run();
