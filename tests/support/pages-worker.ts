import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const client = join(import.meta.dirname, '..', '..', 'dist', 'client');

const isFile = (path: string) => existsSync(path) && statSync(path).isFile();

/** Serves files by the addresses of Cloudflare Pages: pages without `.html`, which it redirects from. */
const assets = {
  async fetch(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    if (path.endsWith('.html')) return Response.redirect(new URL(path.slice(0, -5), request.url), 308);
    const candidates = [path, `${path}.html`, `${path}index.html`].map((name) => join(client, name));
    const file = candidates.find(isFile);
    return file ? new Response(readFileSync(file)) : new Response('', { status: 404 });
  },
};

async function toRequest(incoming: IncomingMessage, origin: string): Promise<Request> {
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return new Request(origin + incoming.url, { method: incoming.method, headers });
}

/** Runs the worker that the build writes for Cloudflare Pages, over a stand-in for the files of Pages. */
export async function startPagesWorker(): Promise<{ origin: string; stop(): void }> {
  const { default: worker } = await import(pathToFileURL(join(client, '_worker.js')).href);
  let origin = '';
  const server = createServer(async (incoming, outgoing) => {
    const reply: Response = await worker.fetch(await toRequest(incoming, origin), { ASSETS: assets });
    outgoing.writeHead(reply.status, Object.fromEntries(reply.headers));
    outgoing.end(Buffer.from(await reply.arrayBuffer()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
