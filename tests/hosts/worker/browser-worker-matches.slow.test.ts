import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { launchBrowser } from '../../support/browser.ts';
import { type Body, connect } from '../../support/http.ts';
import { carpenters, order, person, registered } from '../../support/matches.ts';
import { type RunningServer, startServer } from '../../support/server.ts';
import { startStaticHost, stopProcesses } from '../../support/static-host.ts';
import { openWorkerPage, type WorkerPage } from '../../support/worker-page.ts';

type Ask = (method: string, path: string, headers?: object, body?: object) => Promise<Body>;

const browser = await launchBrowser();
const worker = suite('matches in a browser');
let server: RunningServer;
let tab: WorkerPage;
/** The same asked of the worker and of a host; each answers its status and body. */
let both: Ask[];
worker.before(async () => {
  server = await startServer();
  const live = await connect(server.origin);
  tab = await openWorkerPage(browser, `${(await startStaticHost()).origin}/index.html`);
  assert.is(await tab.kind(), 'browser');
  both = [
    async (method, path, headers, body) => {
      const reply = await tab.ask(method, path, { headers, body });
      return { status: reply.status, body: reply.body, tag: reply.headers.etag };
    },
    async (method, path, headers, body) => {
      const init = { headers: { ...headers }, ...(body && { body: JSON.stringify(body) }) };
      const { status, body: read, headers: sent } = await live.request(method, path, init);
      return { status, body: read, tag: sent.get('etag') };
    },
  ];
});
worker.after(async () => {
  await browser.close();
  stopProcesses();
  await server.stop();
});

async function same(path: string): Promise<Body> {
  const [one, other] = await Promise.all(both.map((ask) => ask('GET', path)));
  assert.equal([one.status, one.body], [other.status, other.body], path);
  return one;
}

worker('of the seed are those of the live host, page by page', async () => {
  for (const path of [
    '/job-orders/job_001',
    '/job-orders/job_021',
    '/candidates/cand_001',
    '/candidates/cand_036',
  ]) {
    const plain = await same(`${path}/matches`);
    let seen = 0;
    for (let more = ''; ; ) {
      const { body } = await same(`${path}/matches?limit=4${more}`);
      seen += body.matches?.length ?? 0;
      if (body.nextCursor === undefined) break;
      more = `&cursor=${body.nextCursor}`;
    }
    assert.is(seen, plain.body.total ?? 0);
  }
  for (const [path, status] of [
    ['/job-orders/job_001/matches?minScore=101', 400],
    ['/job-orders/job_001/matches?scope=admin', 403],
    ['/job-orders/job_none/matches', 404],
    ['/candidates/cand_036/matches?skill=Falconry', 200],
    ['/candidates/cand_036/matches?minScore=50', 200],
  ] as const) {
    assert.is((await same(path)).status, status);
  }
});

worker('of a workspace are those of the live host, and follow what is placed', async () => {
  const told = await Promise.all(
    both.map(async (ask) => {
      const page = {
        candidates: [
          person(carpenters, { skills: ['Framing'], name: 'Far' }),
          person(registered, { metro: 'Cleveland, OH', name: 'Near' }),
          person(undefined, { name: 'Same' }),
        ],
        jobOrders: [order],
      };
      const { body } = await ask('POST', '/batch', {}, page);
      const mine = { 'X-Workspace': body.workspace };
      const path = `${body.jobOrders[0].links.self}/matches?scope=workspace`;
      const read = async () => {
        const { body: found } = await ask('GET', path, mine);
        const matches = found.matches.map(({ candidate, ...match }: Body) => [candidate.name, match]);
        return { ...found, matches };
      };
      const before = await read();
      const { tag } = await ask('GET', path, mine);
      assert.is((await ask('GET', path, { ...mine, 'If-None-Match': tag })).status, 304);
      const sent = { candidateId: body.candidates[2].id, jobOrderId: 'job_001', onetCode: registered };
      assert.is((await ask('POST', '/placements', mine, sent)).status, 201);
      assert.is((await ask('GET', path, { ...mine, 'If-None-Match': tag })).status, 200);
      return [before, await read()];
    }),
  );
  assert.equal(told[0], told[1]);
  const shown = told[0]!.map(({ matches }) => matches.map(([name]: [string]) => name));
  assert.equal(shown, [
    ['Same', 'Near', 'Far'],
    ['Near', 'Far'],
  ]);
});

worker.run();
