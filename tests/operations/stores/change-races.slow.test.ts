import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, connect, type Reply } from '../../support/http.ts';
import { skipsRedis, startRedis } from '../../support/redis.ts';
import { pluck } from '../../support/rows.ts';
import { makeSandbox, onetCode, strict, toBody } from '../../support/sandbox.ts';
import { startServer } from '../../support/server.ts';

/** Callers at once. */
const callers = 50;

/** Runs this many calls at once and returns their results. */
const all = <T>(call: (index: number) => Promise<T>, count = callers) =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));

/** Counts each result: a status, and the code and the first place of a refusal. */
function tally(answers: readonly Reply[]): Record<string, number> {
  const said = answers.map(({ status, body }) =>
    [status, body.code, body.issues?.[0]?.code].filter((part) => part !== undefined).join(' '),
  );
  return Object.fromEntries([...Map.groupBy(said, (one) => one)].map(([one, same]) => [one, same.length]));
}

/** Asserts that one of 50 callers succeeded. */
const holdToOne = (answers: readonly Reply[], won: number, lost: string) =>
  assert.equal(tally(answers), { [won]: 1, [lost]: answers.length - 1 });

/** Hosts of one service. */
interface Hosts {
  clients: Client[];
  stop(): Promise<void>;
}

/** Starts this many hosts with these settings. */
async function startHosts(env: Record<string, string>, count: number): Promise<Hosts> {
  const servers = await Promise.all(Array.from({ length: count }, () => startServer(env)));
  const clients = await Promise.all(servers.map(({ origin }) => connect(origin)));
  return { clients, stop: async () => void (await Promise.all(servers.map((server) => server.stop()))) };
}

function testRaces(name: string, start: () => Promise<Hosts>): void {
  const test = suite(name);
  let hosts: Hosts;
  /** Returns the hosts in turn. */
  const to = (index: number) => hosts.clients[index % hosts.clients.length]!;
  test.before(async () => {
    hosts = await start();
  });
  test.after(async () => {
    await hosts.stop();
  });

  const { candidate: person, jobOrder: order } = toBody;
  const make = (batch: object) => makeSandbox(to(0), batch);
  const read = async (path: string, mine: Record<string, string>) => (await to(1).get(path, mine)).body;

  test('of 50 changes with one If-Match, one succeeds per revision', async () => {
    const { candidates, mine } = await make({ candidates: [person()] });
    const path = candidates[0].links.self;
    for (let round = 1; round <= 5; round += 1) {
      const ETag = (await to(round).get(path, mine)).headers.get('etag')!;
      const answers = await all((index) =>
        to(index).patch(path, { name: `${round} ${index}` }, { ...mine, 'If-Match': ETag }),
      );
      holdToOne(answers, 200, '412 changed');
      const winner = answers.findIndex(({ status }) => status === 200);
      const { candidate } = await read(path, mine);
      assert.is(candidate.name, `${round} ${winner}`);
      assert.is(candidate.revision, round + 1);
      assert.is((await to(0).get(path, mine)).headers.get('etag'), answers[winner]!.headers.get('etag'));
    }
  });

  for (const openings of [1, 3]) {
    test(`${openings} of 50 strict placements take ${openings} openings`, async () => {
      const { candidates, jobOrders, mine } = await make({
        candidates: Array.from({ length: callers }, () => person()),
        jobOrders: [order({ openings })],
      });
      const [{ id: jobOrderId, links }] = jobOrders;
      const answers = await all((index) =>
        to(index).post(
          '/placements',
          { candidateId: candidates[index].id, jobOrderId, onetCode },
          { ...mine, ...strict },
        ),
      );
      assert.equal(tally(answers), { 201: openings, '409 conflict already_filled': callers - openings });
      assert.is((await read('/placements?scope=workspace', mine)).total, openings);
      assert.is((await read(links.self, mine)).jobOrder.status, 'filled');
      const placed = await read('/candidates?scope=workspace&status=placed&limit=200', mine);
      const winners = answers.flatMap(({ body }) => (body.placement ? [body.placement.candidateId] : []));
      assert.equal(pluck(placed.candidates, 'id').sort(), winners.sort());
    });
  }

  test('a strict caller finds a candidate withdrawn or placed, never both', async () => {
    const { candidates, jobOrders, mine } = await make({
      candidates: Array.from({ length: callers }, () => person()),
      jobOrders: [order({ openings: callers })],
    });
    const [{ id: jobOrderId }] = jobOrders;
    const pairs = await all((index) => {
      const { id: candidateId, links } = candidates[index];
      const body = { candidateId, jobOrderId, onetCode };
      const place = () => to(index).post('/placements', body, { ...mine, ...strict });
      const withdraw = () => to(index + 1).patch(links.self, { status: 'withdrawn' }, mine);
      return Promise.all(index % 2 === 0 ? [place(), withdraw()] : [withdraw(), place()]);
    });
    for (const pair of pairs) {
      const won = pair.filter(({ status }) => status < 300).length;
      assert.is(won, 1, pluck(pair, 'text').join('\n'));
    }
  });

  test('of 50 creates with one ref one succeeds, and so with changes and batches', async () => {
    const { candidates, mine } = await make({ candidates: Array.from({ length: callers }, () => person()) });
    const ref = 'the-one';
    const made = await all((index) => to(index).post('/candidates', person({ ref }), mine));
    holdToOne(made, 201, '409 duplicate_ref');
    const named = await all((index) => to(index).patch(candidates[index].links.self, { ref: 'two' }, mine));
    holdToOne(named, 200, '409 duplicate_ref');
    const batch = { candidates: [person(), person()], jobOrders: [order(), order({ ref })] };
    const batches = await all((index) => to(index).post('/batch', batch, mine));
    holdToOne(batches, 201, '409 duplicate_ref');
    const { records } = (await read('/workspace', mine)).workspace;
    assert.equal(records, { candidates: callers + 3, jobOrders: 2, placements: 0 });
  });

  test.run();
}

testRaces('races in one process', () => startHosts({}, 1));

if (!skipsRedis())
  testRaces('races over two processes on one Redis', async () => {
    const redis = await startRedis();
    const hosts = await startHosts({ STORE_URL: `redis://127.0.0.1:${redis.port}` }, 2);
    const stop = async () => {
      await hosts.stop();
      await redis.stop();
    };
    return { ...hosts, stop };
  });
