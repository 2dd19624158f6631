import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inside } from '../support/doors.ts';
import { client } from '../support/front.ts';
import { type Body, connect } from '../support/http.ts';
import { pluck } from '../support/rows.ts';
import { withServer } from '../support/server.ts';

const limits = suite('limits of a workspace');

const candidate = { name: 'Mine', onetCode: '15-1252.00' };
const toIds = (rows: Body[]) => pluck(rows, 'id');

limits('paging while records are added repeats none and hides none', async () => {
  const { workspace } = (await client.post('/candidates', candidate)).body;
  for (let n = 1; n < 65; n++) await client.post('/candidates', candidate, inside(workspace));
  const before = await client.get('/candidates?limit=200', inside(workspace));
  assert.is(before.body.total, 65 + 48);
  const walked: string[] = [];
  for (let next: string | undefined = '/candidates?limit=10'; next !== undefined; ) {
    const { body, headers }: { body: Body; headers: Headers } = await client.get(next, inside(workspace));
    walked.push(...toIds(body.candidates));
    await client.post('/candidates', { ...candidate, name: 'Late' }, inside(workspace));
    next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  }
  assert.equal(walked, toIds(before.body.candidates));
});

limits(
  'at the record ceiling a create is an OFFER whose first way out is free, and nothing is lost',
  async () => {
    await withServer({ RECORD_CEILING: '3' }, async ({ origin }) => {
      const own = await connect(origin);
      const { workspace } = (await own.post('/candidates', candidate)).body;
      const job = { client: 'Example', title: 'Developer', onetCode: '15-1252.00' };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => own.post('/job-orders', job, inside(workspace))),
      );
      assert.equal(pluck(answers, 'status').sort(), [201, 201, 402, 402, 402, 402, 402, 402]);
      const { body } = answers.find(({ status }) => status === 402)!;
      assert.is(body.type, 'OFFER');
      const [first] = body.alternatives;
      assert.equal([first.kind, first.live, first.method], ['free', true, 'POST']);
      assert.match(first.statement, /without X-Workspace/);
      const { body: list } = await own.get('/job-orders?limit=200', inside(workspace));
      assert.is(list.total, 40 + 2);
      for (const { body: made } of answers.filter(({ status }) => status === 201)) {
        assert.is((await own.get(made.jobOrder.links.self, inside(workspace))).status, 200);
      }
      assert.is((await own.post('/job-orders', job)).status, 201, 'the first way out works');
    });
  },
);

limits('a write puts expiry off, a read does not', async () => {
  const { body } = await client.post('/candidates', candidate);
  const mine = inside(body.workspace);
  const expiry = async () => (await client.get('/workspace', mine)).body.workspace.expiresAt;
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.is((await client.get('/candidates', mine)).status, 200);
  assert.is(await expiry(), body.retention.expiresAt);
  const { retention } = (await client.post('/candidates', candidate, mine)).body;
  assert.ok(retention.expiresAt > body.retention.expiresAt);
  assert.is(await expiry(), retention.expiresAt);
});

limits.run();
