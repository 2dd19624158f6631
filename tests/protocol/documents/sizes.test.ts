import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../support/front.ts';
import type { Body } from '../../support/http.ts';

const sizes = suite('sizes that count in a context window');

const bytesOf = (text: string) => Buffer.byteLength(text);

/** Prints a figure, and asserts its limit. */
function hold(name: string, value: number, limit: number): void {
  console.log(`\nfigure: ${name} ${value}`);
  assert.ok(value <= limit, `${name} is ${value}, the limit is ${limit}`);
}

sizes('llms.txt', async () => {
  hold('llms.txt bytes', bytesOf((await client.get('/llms.txt')).text), 7000);
});

sizes('the API page lists every operation with its statuses, and the documents link to it', async () => {
  const { text } = await client.get('/api.md');
  hold('api.md bytes', bytesOf(text), 24_000);
  const { body: contract } = await client.get('/openapi.json');
  for (const [path, verbs] of Object.entries<Record<string, Body>>(contract.paths))
    for (const [verb, { operationId, tags, responses, requestBody }] of Object.entries(verbs)) {
      const heading = `${verb.toUpperCase()} ${path}`;
      if (tags[0] === 'discovery' || tags[0] === 'tools') assert.ok(text.includes(heading), heading);
      else {
        const entry = text.split(`### ${heading}\n`)[1]?.split('\n#')[0] ?? '';
        assert.ok(entry.startsWith(operationId), heading);
        for (const name of requestBody?.content['application/json']?.schema.required ?? [])
          assert.match(entry, new RegExp(`\\b${name}\\b`), `${heading} ${name}`);
        for (const status of Object.keys(responses).filter(
          (one) => !['304', '400', '401', '429', '500', '503', 'default'].includes(one),
        ))
          assert.match(entry, new RegExp(`^- [^\`]*\\b${status}\\b`, 'm'), `${heading} ${status}`);
      }
    }
  const lost = await client.get('/nowhere');
  assert.is(lost.body.links.api, '/api.md');
  for (const path of ['/', '/index.md', '/llms.txt', '/nowhere'])
    assert.ok((await client.get(path)).text.includes('/api.md'), path);
  const refused = await client.get('/placements?scope=admin');
  assert.match(String(refused.headers.get('link')), /<\/api\.md>; rel="help"/);
});

sizes('the list of tools', async () => {
  const { text, body } = await client.rpc('tools/list');
  assert.ok(body.result.tools.length > 10, text);
  assert.not('nextCursor' in body.result);
  // Some clients accept no more tools than this.
  hold('tools', body.result.tools.length, 40);
  hold('tools/list bytes', bytesOf(text), 40_000);
});

sizes('the list of core tools', async () => {
  const { text, body } = await client.post('/mcp?tools=core', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
  });
  assert.ok(body.result.tools.length > 10, text);
  hold('core tools/list bytes', bytesOf(text), 16_000);
});

sizes('a row of a list', async () => {
  // A placement has the names of what it refers to, so that no reader joins three lists.
  for (const [path, member, limit] of [
    ['/occupations', 'occupations', 540],
    ['/candidates', 'candidates', 540],
    ['/job-orders', 'jobOrders', 540],
    ['/placements', 'placements', 680],
  ] as const) {
    const rows: object[] = (await client.get(path)).body[member];
    hold(`${member} row bytes`, Math.max(...rows.map((row) => bytesOf(JSON.stringify(row)))), limit);
  }
});

sizes('a row of a search', async () => {
  const { occupations } = (await client.get('/occupations?q=nurse&limit=50')).body;
  const bytes = occupations.map((row: object) => bytesOf(JSON.stringify(row)));
  // A summary has at most 140 characters.
  hold('search row bytes', Math.max(...bytes), 400);
});

/** Makes a workspace with an order for a nurse, and twenty people who meet all of it. */
async function makeNurses() {
  const people = Array.from({ length: 20 }, (_, at) => ({
    name: `Person ${at}`,
    onetCode: '29-1141.03',
    skills: ['ICU'],
  }));
  const order = { ref: 'icu', client: 'Example Hospital', title: 'ICU nurse', onetCode: '29-1141.03' };
  const jobOrders = [{ ...order, requires: ['RN license PA'] }];
  const { workspace } = (await client.post('/batch', { candidates: people, jobOrders })).body;
  return { 'x-workspace': workspace as string };
}

/** Returns the bytes of each match after the first. */
async function measureMatch(headers: Record<string, string>, fields: string) {
  const read = async (limit: number) =>
    bytesOf((await client.get(`/job-orders/%23icu/matches?limit=${limit}${fields}`, headers)).text);
  return Math.ceil(((await read(20)) - (await read(1))) / 19);
}

// A model reads ten of them by default.
sizes('each further match, whole and with fields', async () => {
  const nurses = await makeNurses();
  hold('a further match bytes', await measureMatch(nurses, ''), 800);
  hold('a further match with fields bytes', await measureMatch(nurses, '&fields=name,unmet,unknown'), 400);
});

// An agent that keeps the books of a desk writes often, and knows what it sent.
sizes('the short reply to a batch of twelve', async () => {
  const person = { onetCode: '29-1141.03', skills: ['ICU'], metro: 'Columbus, OH' };
  const order = { client: 'Example Hospital', title: 'ICU nurse', onetCode: '29-1141.03' };
  const batch = {
    candidates: Array.from({ length: 6 }, (_, at) => ({
      ...person,
      name: `Person ${at}`,
      ref: `person-${at}`,
    })),
    jobOrders: Array.from({ length: 3 }, (_, at) => ({ ...order, ref: `order-${at}` })),
    placements: Array.from({ length: 3 }, (_, at) => ({
      candidateId: `#person-${at}`,
      jobOrderId: `#order-${at}`,
      onetCode: '29-1141.03',
      status: 'proposed',
    })),
  };
  const { text } = await client.post('/batch', batch, { prefer: 'return=minimal' });
  hold('short reply to a batch bytes', bytesOf(text), 1400);
});

sizes('the first reply of the service', async () => {
  const { text, headers } = await client.get('/');
  hold('GET / bytes', bytesOf(text), 2500);
  hold('GET / header bytes', bytesOf(JSON.stringify([...headers])), 2500);
});

sizes.run();
