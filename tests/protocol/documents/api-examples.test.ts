import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { useServer } from '../../support/server.ts';

const examples = suite('the examples of the API page');
const { origin } = await useServer();
const html = await (await fetch(`${origin}/api.html`)).text();

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const toText = (block: string) =>
  block
    .replace(/<span data-origin>ORIGIN<\/span>/g, origin)
    .replace(/<[^>]+>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name]!);

/** The blocks of each operation, by language. */
const operations = [...html.matchAll(/<article class="operation" id="(\w+)".*?<\/article>/gs)].map(
  ([whole, id]) => ({
    id: id!,
    blocks: Object.fromEntries(
      [...whole.matchAll(/aria-label="(\w+)"><code>(.*?)<\/code><\/pre>/gs)].map(([, name, block]) => [
        name,
        toText(block!),
      ]),
    ) as Record<string, string>,
  }),
);
const listBlocks = (language: string) => operations.map(({ blocks }) => blocks[language]!);

/** A request that a block sends. Names of headers are in lower case. */
interface Sent {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: unknown;
}

const lowerNames = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
const toSent = (
  url: string,
  method = 'GET',
  headers: Record<string, string> = {},
  body?: string | null,
): Sent => ({
  url,
  method,
  headers: lowerNames(headers),
  body: body ? JSON.parse(body) : undefined,
});

/** Reads the requests of command lines, from a shell in which curl prints its arguments. */
function readCommands(commands: string[]): Sent[] {
  const script = `curl() { printf '%s\\0' "$@"; printf '\\001'; }\n${commands.join('\n')}`;
  const output = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
  return output
    .split('\u0001')
    .slice(0, -1)
    .map((line) => {
      const words = line.split('\0').slice(0, -1);
      const after = (flag: string) => words.flatMap((word, at) => (word === flag ? [words[at + 1]!] : []));
      const headers = Object.fromEntries(
        after('-H').map((header) => header.split(/: (.*)/s) as [string, string]),
      );
      return toSent(words.find((word) => word.startsWith('http'))!, after('-X')[0], headers, after('-d')[0]);
    });
}

/** Runs TypeScript in which fetch only notes its request. */
async function readTypeScript(code: string): Promise<Sent> {
  let sent: Sent | undefined;
  const note = async (url: string, { method, headers, body }: RequestInit = {}) => {
    sent = toSent(url, method, headers as Record<string, string>, body as string);
    return new Response('');
  };
  const run = new Function('fetch', 'console', `return (async () => { ${code} })()`);
  await run(note, { log() {} });
  return sent!;
}

/** Runs Python in which urlopen only notes its request, all blocks in one process. */
function readPython(blocks: string[]): Sent[] {
  const script = `
import contextlib, io, json, sys, urllib.request
class Reply(io.BytesIO):
    status = 200
sent = []
def urlopen(request):
    one = request if isinstance(request, urllib.request.Request) else urllib.request.Request(request)
    sent.append([one.full_url, one.get_method(), dict(one.header_items()), one.data and one.data.decode()])
    return Reply(b'')
urllib.request.urlopen = urlopen
for block in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()):
        exec(block, {})
print(json.dumps(sent))`;
  const output = execFileSync('python3', ['-c', script], { encoding: 'utf8', input: JSON.stringify(blocks) });
  return JSON.parse(output).map((parts: Parameters<typeof toSent>) => toSent(...parts));
}

const commands = readCommands(listBlocks('curl'));

examples('every operation has one in curl, TypeScript and Python', () => {
  assert.ok(operations.length > 40);
  for (const { id, blocks } of operations)
    assert.equal(Object.keys(blocks).slice(0, 3), ['curl', 'TypeScript', 'Python'], id);
});

examples('the command line of each sends the method of its operation', async () => {
  const contract: Body = await (await fetch(`${origin}/openapi.json`)).json();
  const methods = new Map(
    Object.values<Body>(contract.paths).flatMap((row) =>
      Object.entries<Body>(row).map(
        ([method, { operationId }]) => [operationId, method.toUpperCase()] as const,
      ),
    ),
  );
  for (const [at, { id }] of operations.entries()) assert.is(commands[at]!.method, methods.get(id), id);
});

examples('the TypeScript of each sends what its command line sends', async () => {
  for (const [at, code] of listBlocks('TypeScript').entries())
    assert.equal(await readTypeScript(code), commands[at], operations[at]!.id);
});

examples('the Python of each sends what its command line sends', () => {
  const all = readPython(listBlocks('Python'));
  for (const [at, sent] of all.entries()) assert.equal(sent, commands[at], operations[at]!.id);
});

examples('the arguments of each tool are accepted as they are', async () => {
  const tools = operations.filter(({ blocks }) => blocks.MCP);
  assert.ok(tools.length > 20);
  for (const { id, blocks } of tools) {
    const params = JSON.parse(blocks.MCP!);
    assert.is(params.name, id);
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    const reply = await fetch(`${origin}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) });
    const { result, error }: Body = await reply.json();
    assert.is(error, undefined, `${id}: ${JSON.stringify(error)}`);
    assert.is.not(
      result.structuredContent.code,
      'invalid_request',
      `${id}: ${result.structuredContent.reason}`,
    );
  }
});

examples('no name on the page ends in a number', () => {
  const names = [...html.matchAll(/<a href="#(\w+)">/g)].map(([, name]) => name!);
  assert.equal(
    names.filter((name) => /\d$/.test(name)),
    [],
  );
});

examples.run();
