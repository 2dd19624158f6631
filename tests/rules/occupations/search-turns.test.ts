import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodePlatform } from '../../../src/hosts/node-platform.ts';
import { createAnswer } from '../../../src/kernel/answer.ts';
import { World } from '../../support/world.ts';

const turns = suite('turns of searches');
const { service } = new World({ platform: nodePlatform });
const answer = createAnswer(service);

/** Makes a title of many misspelt words that no other search contains. It takes long to search for. */
const toTitle = (n: number) =>
  `nurze techer drivr ${n} clark sales manger assistnt chief enginer electrican plumbr carpentr weldr ${n} acountant`;

const get = (title: string, client: string) => {
  const query = `q=${encodeURIComponent(title)}`;
  return answer({ method: 'GET', path: '/occupations', query, headers: {}, body: new Uint8Array(), client });
};

function post(path: string, sent: object, client: string) {
  const body = new TextEncoder().encode(JSON.stringify(sent));
  const headers = { host: 'localhost', 'content-type': 'application/json' };
  return answer({ method: 'POST', path, query: '', headers, body, client });
}

const callTool = (name: string, args: object, client: string) => {
  const params = { name, arguments: args };
  return post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, client);
};

/** No more than one client may have waiting. */
const count = 64;
/** Calls by which a client searches for `count` titles. */
const attacks: Record<string, (client: string) => unknown[]> = {
  'GET /occupations?q=': (client) => Array.from({ length: count }, (_, at) => get(toTitle(at), client)),
  'POST /titles': (client) =>
    Array.from({ length: count }, (_, at) => post('/titles', { titles: [toTitle(count + at)] }, client)),
  codeTitles: (client) =>
    Array.from({ length: count }, (_, at) =>
      callTool('codeTitles', { titles: [toTitle(2 * count + at)] }, client),
    ),
  'POST /candidates with titles as codes': (client) =>
    Array.from({ length: count }, (_, at) =>
      post('/candidates', { name: 'A', onetCode: toTitle(3 * count + at) }, client),
    ),
};

await get('nurse', '192.0.2.9');

for (const [what, attack] of Object.entries(attacks)) {
  test(what, attack);
}

/** The search of another client is answered while most searches of a client still wait. */
function test(what: string, attack: (client: string) => unknown[]): void {
  turns(`a search does not wait for the ${what} of another client`, async () => {
    let answered = 0;
    const answers = attack('192.0.2.1').map(async (one) => {
      await one;
      answered += 1;
    });
    await get(`${toTitle(0)} of another`, '192.0.2.2');
    assert.ok(answered < count / 2, `${answered} of ${count} were answered before`);
    await Promise.all(answers);
  });
}

turns.run();
