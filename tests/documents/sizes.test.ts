import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bodyCap, openWire, type Seen } from '../support/axp/wire.ts';
import type { Body } from '../support/http.ts';
import { useServer } from '../support/server.ts';

const sizes = suite('small for a context window');
const { origin, port } = await useServer();
const wire = openWire(origin, port);

const bytesOf = (text: string) => Buffer.byteLength(text);

/** Prints a figure, and holds it to its limit. */
function hold(name: string, value: number, limit: number): void {
  console.log(`\nfigure: ${name} ${value}`);
  assert.ok(value <= limit, `${name} is ${value}, the limit is ${limit}`);
}

sizes('llms.txt', async () => {
  hold('llms.txt bytes', bytesOf((await wire.get('/llms.txt')).text), 5000);
});

sizes('the API on one page has every operation with its statuses, and what leads there', async () => {
  const { text } = await wire.get('/api.md');
  hold('api.md bytes', bytesOf(text), 16_384);
  const { body: contract } = await wire.get('/openapi.json');
  for (const [path, verbs] of Object.entries<
    Record<string, { operationId: string; tags: string[]; responses: object }>
  >(contract.paths))
    for (const [verb, { operationId, tags, responses }] of Object.entries(verbs)) {
      const heading = `${verb.toUpperCase()} ${path}`;
      if (tags[0] === 'discovery' || tags[0] === 'tools') assert.ok(text.includes(heading), heading);
      else {
        const entry = text.split(`### ${heading}\n`)[1]?.split('\n#')[0] ?? '';
        assert.ok(entry.startsWith(operationId), heading);
        for (const status of Object.keys(responses).filter(
          (one) => !['400', '401', '429', '500', '503', 'default'].includes(one),
        ))
          assert.match(entry, new RegExp(`^- [^\`]*\\b${status}\\b`, 'm'), `${heading} ${status}`);
      }
    }
  const lost = await wire.get('/nowhere');
  assert.is(lost.body.links.api, '/api.md');
  for (const path of ['/', '/index.md', '/llms.txt', '/nowhere'])
    assert.ok((await wire.get(path)).text.includes('/api.md'), path);
  const refused = await wire.get('/placements?scope=admin');
  assert.match(String(refused.headers.link), /<\/api\.md>; rel="help"/);
});

sizes('the list of tools', async () => {
  const { text, body } = await wire.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  assert.ok(body.result.tools.length > 10, text);
  assert.not('nextCursor' in body.result);
  hold('tools/list bytes', bytesOf(text), 27_000);
});

/** Every row of a collection, page after page. */
async function readRows(path: string, member: string): Promise<Body[]> {
  const rows: Body[] = [];
  let address = `${path}?limit=200`;
  for (let page = 0; page < 50; page++) {
    const { body } = await wire.get(address);
    rows.push(...body[member]);
    if (body.nextCursor === undefined) return rows;
    address = `${path}?limit=200&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
  throw new Error(`${path} never ends`);
}

const collections = {
  occupations: '/occupations',
  candidates: '/candidates',
  jobOrders: '/job-orders',
  placements: '/placements',
};

for (const [member, path] of Object.entries(collections)) {
  sizes(`a row of ${path}`, async () => {
    const rows = await readRows(path, member);
    const largest = Math.max(...rows.map((row) => bytesOf(JSON.stringify(row))));
    hold(`${member} row bytes, largest of ${rows.length}`, largest, 540);
  });
}

sizes('a row found by a search', async () => {
  const { body } = await wire.get('/occupations?q=software%20developer&limit=200');
  const largest = Math.max(...body.occupations.map((row: object) => bytesOf(JSON.stringify(row))));
  hold('occupations row bytes with matched', largest, 480);
});

sizes('the first bare answer', async () => {
  const { text, headers } = await wire.get('/');
  hold('GET / bytes', bytesOf(text), 2500);
  hold('GET / header bytes', bytesOf(JSON.stringify(headers)), 2500);
});

/** Every GET of the contract that needs no id, and each list at its longest page. */
async function readDocuments(): Promise<Seen[]> {
  const { body: contract } = await wire.get('/openapi.json');
  const paths = Object.entries(contract.paths as Record<string, object>).flatMap(([path, item]) =>
    'get' in item && !path.includes('{') ? [path] : [],
  );
  const longest = Object.values(collections).map((path) => `${path}?limit=200`);
  const others = ['/', '/verify/suite.json', '/verify/executable.json', '/mcp/server-card', '/onet.json'];
  const documents: Seen[] = [];
  for (const path of [...paths, ...longest, ...others]) documents.push(await wire.get(path));
  return documents;
}

sizes('every JSON document', async () => {
  const documents = (await readDocuments()).filter(({ type }) => type.includes('json'));
  assert.ok(documents.length > 20, String(documents.length));
  for (const { url, text } of documents)
    assert.ok(text !== '', `${url} is ${bodyCap} bytes or more, or empty`);
  const [largest] = documents.sort((a, b) => bytesOf(b.text) - bytesOf(a.text));
  hold(`largest JSON document bytes, ${new URL(largest!.url).pathname}`, bytesOf(largest!.text), bodyCap - 1);
});

sizes('from / to a created candidate by what the first answer says', async () => {
  const before = wire.seen.length;
  const { create } = (await wire.get('/')).body.start;
  assert.is(create.method, 'POST');
  const { status, body, headers } = await wire.post(create.url, create.body, create.headers);
  hold('requests from / to a created candidate', wire.seen.length - before, 2);
  assert.is(status, 201);
  assert.is(body.type, 'OK');
  assert.equal({ ...body.candidate, ...create.body }, body.candidate);
  const { body: again } = await wire.get(String(headers.location), { 'x-workspace': body.workspace });
  assert.equal(again.candidate, body.candidate);
});

sizes.run();
