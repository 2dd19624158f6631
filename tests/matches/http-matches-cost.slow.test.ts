import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAnswer } from '../../src/kernel/answer.ts';
import { startBystander } from '../support/bystander.ts';
import { server } from '../support/front.ts';
import { client, order, person } from '../support/matches.ts';
import { makeWorld } from '../support/outcome-world.ts';

const cost = suite('what matches cost others');

const letters = [...'bcdeghjklmpqruvwxyz0123456789'].join(' ');

cost('a filter that reads fifty skills of each of a thousand leaves others their turn', async () => {
  const skills = Array.from({ length: 50 }, (_, at) => `${letters} é${at}`);
  const candidates = Array.from({ length: 50 }, () => person(undefined, { skills }));
  const { jobOrders, mine } = await client.make({ candidates, jobOrders: [order] });
  for (let made = 50; made < 950; made += 50) await client.make({ candidates }, mine['X-Workspace']);
  const path = jobOrders[0].links.self;
  await client.matches(path, 'skill=zzz', mine);
  const bystander = startBystander(server);
  const rounds = 3;
  for (let round = 0; round < rounds; round += 1)
    assert.is((await client.matches(path, 'skill=zzz', mine)).body.type, 'EMPTY');
  const { answers, slowestMs } = bystander.stop();
  console.log(`figure: ${answers} answers to a bystander, the slowest in ${slowestMs.toFixed(0)} ms`);
  // How long a turn takes is the machine's; that there are many of them is ours.
  assert.ok(answers > 8 * rounds, `${answers} answers`);
});

cost('few go through workspaces at once, however many ask; clients have their turns', async () => {
  const { ask, service, store } = await makeWorld();
  const answer = createAnswer(service);
  const get = (address: string, workspace: string, client: string, headers: object = {}) => {
    const [path = '', query = ''] = address.split('?');
    const sent = { 'x-workspace': workspace, ...headers };
    return answer({ method: 'GET', path, query, headers: sent, body: new Uint8Array(), client });
  };
  const make = async () =>
    (await ask('POST', '/batch', { candidates: Array(50).fill(person()), jobOrders: [order] })).body;
  const made = await Promise.all(Array.from({ length: 8 }, make));
  const [first, other] = [made[0]!, made.at(-1)!];
  const path = (one: typeof first) => `${one.jobOrders[0].links.self}/matches`;
  const before = await get(`${path(first)}?minScore=50`, first.workspace, 'a');
  const { read } = store;
  let [begun, most] = [0, 0];
  store.read = async (...asked) => {
    begun += 1;
    most = Math.max(most, begun);
    const records = await read(...asked);
    await service.platform.pause();
    begun -= 1;
    return records;
  };
  const many = made.flatMap((one) =>
    Array.from({ length: 5 }, (_, index) => [
      get(`${path(one)}?minScore=${index}`, one.workspace, 'a'),
      get(`/candidates?status=available&limit=${60 + index}`, one.workspace, 'a'),
      get(`/workspace/export?limit=${60 + index}`, one.workspace, 'a'),
    ]).flat(),
  );
  const last = Promise.resolve(many.at(-1)!).then(() => undefined);
  const one = await Promise.race([get(path(other), other.workspace, 'b'), last]);
  assert.is(one?.status, 200, 'another client does not wait for the last of them');
  const has = { 'if-none-match': before.headers.ETag! };
  const again = await Promise.race([get(`${path(first)}?minScore=50`, first.workspace, 'a', has), last]);
  assert.is(again?.status, 304, 'nor does who needs nothing made');
  for (const { status, body } of await Promise.all(many)) assert.is(status, 200, body);
  assert.ok(most >= 2 && most <= 4, `${most} read at once`);
});

cost.run();
