import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, type Client, connect, toIdLike, unknownWorkspace } from '../support/http.ts';
import { type SharedServer, startServer, useServer } from '../support/server.ts';

let server: SharedServer;
let client: Client;
const limits = suite('limits of a workspace');
limits.before(async () => {
  server = await useServer();
  client = await connect(server.origin);
});

const candidate = { name: 'Mine', onetCode: '15-1252.00' };
const inside = (workspace: string) => ({ 'X-Workspace': workspace });
const toIds = (rows: Body[]) => rows.map(({ id }) => id);

async function withServer(
  env: Record<string, string>,
  run: (client: Client) => Promise<void>,
): Promise<void> {
  const own = await startServer(env);
  try {
    await run(await connect(own.origin));
  } finally {
    await own.stop();
  }
}

limits(
  'all unknown ids get one answer, byte for byte, on every record address; those of another shape hear of that',
  async () => {
    const { body } = await client.post('/candidates', candidate);
    const id: string = body.workspace;
    const last = id.endsWith('0') ? '1' : '0';
    const unknown = [id.slice(0, -1) + last, unknownWorkspace];
    const misshapen = [id.slice(0, -1), `${id}0`, id.toUpperCase(), id.slice(3), `${id}, ${id}`];
    misshapen.push('', 'null', 'ws_', toIdLike('u'), '../../../etc', 'x'.repeat(5000));
    const answers = { unknown: new Set<string>(), misshapen: new Set<string>() };
    for (const wrong of [...unknown, ...misshapen]) {
      const calls = [
        await client.get('/candidates', inside(wrong)),
        await client.get(body.candidate.links.self, inside(wrong)),
        await client.get('/placements?scope=admin', inside(wrong)),
        await client.post('/candidates', candidate, inside(wrong)),
      ];
      for (const { status, text, headers } of calls) {
        assert.is(status, 401, wrong);
        assert.is(headers.get('www-authenticate'), 'Workspace realm="sandbox"');
        assert.is(headers.get('cache-control'), 'no-store');
        assert.is(headers.get('x-workspace'), null);
        answers[unknown.includes(wrong) ? 'unknown' : 'misshapen'].add(text);
      }
    }
    for (const texts of Object.values(answers)) {
      assert.is(texts.size, 1, [...texts].join('\n'));
      const { type, code, reason } = JSON.parse([...texts][0]!);
      assert.equal([type, code], ['BLOCKED', 'unknown_workspace']);
      assert.match(reason, /a create without it mints a new workspace/);
    }
    assert.match([...answers.misshapen][0]!, /not shaped like a workspace id, `ws_` and \d+ letters/);
    assert.not.match([...answers.unknown][0]!, /shaped/);
  },
);

limits('a refused create mints nothing and changes nothing', async () => {
  const refused = { name: 'No', onetCode: '99-9999.99' };
  const { status, text, headers } = await client.post('/candidates', refused);
  assert.is(status, 400);
  assert.not.match(text, /ws_/);
  assert.equal([headers.get('x-workspace'), headers.get('location')], [null, null]);
  const { workspace } = (await client.post('/candidates', candidate)).body;
  const before = await client.get('/candidates', inside(workspace));
  for (const sent of [refused, '{', [], { name: 'No' }, { ...candidate, skills: [''] }]) {
    assert.is((await client.post('/candidates', sent, inside(workspace))).status, 400);
  }
  assert.is((await client.get('/candidates', inside(workspace))).text, before.text);
});

limits('two workspaces never see each other', async () => {
  const [a, b] = [
    (await client.post('/candidates', { ...candidate, name: 'A' })).body,
    (await client.post('/candidates', { ...candidate, name: 'B' })).body,
  ];
  for (const [mine, theirs] of [
    [a, b],
    [b, a],
  ]) {
    const { body } = await client.get('/candidates?limit=200', inside(mine.workspace));
    assert.ok(toIds(body.candidates).includes(mine.candidate.id));
    assert.not.ok(toIds(body.candidates).includes(theirs.candidate.id));
    const read = await client.get(theirs.candidate.links.self, inside(mine.workspace));
    assert.equal([read.status, read.body.type], [404, 'EMPTY']);
  }
  assert.is((await client.get('/candidates')).body.total, 48, 'nor does the public list');
});

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
    await withServer({ RECORD_CEILING: '3' }, async (own) => {
      const { workspace } = (await own.post('/candidates', candidate)).body;
      const job = { client: 'Example', title: 'Developer', onetCode: '15-1252.00' };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => own.post('/job-orders', job, inside(workspace))),
      );
      assert.equal(answers.map(({ status }) => status).sort(), [201, 201, 402, 402, 402, 402, 402, 402]);
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

limits('after its retention a workspace answers as one that never was', async () => {
  await withServer({ RETENTION_SECONDS: '1' }, async (own) => {
    const never = await own.get('/candidates', inside(unknownWorkspace));
    const { body } = await own.post('/candidates', candidate);
    assert.is(body.retention.seconds, 1);
    const mine = inside(body.workspace);
    assert.is((await own.get(body.candidate.links.self, mine)).status, 200);
    await new Promise((resolve) =>
      setTimeout(resolve, Date.parse(body.retention.expiresAt) - Date.now() + 30),
    );
    for (const answer of [
      await own.get('/candidates', mine),
      await own.get(body.candidate.links.self, mine),
      await own.post('/candidates', candidate, mine),
    ]) {
      assert.equal([answer.status, answer.text], [401, never.text]);
      assert.is(answer.headers.get('www-authenticate'), never.headers.get('www-authenticate'));
    }
  });
});

limits('a short retention is told as it is, never as no time at all', async () => {
  await withServer({ RETENTION_SECONDS: '60' }, async (own) => {
    const { statement } = (await own.post('/candidates', candidate)).body.retention;
    assert.not.match(statement, /\b0 (h|min|s)\b/);
  });
});

limits('a write puts expiry off, a read does not', async () => {
  await withServer({ RETENTION_SECONDS: '3' }, async (own) => {
    const { body } = await own.post('/candidates', candidate);
    const mine = inside(body.workspace);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await own.post('/candidates', candidate, mine);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    assert.is((await own.get(body.candidate.links.self, mine)).status, 200, 'kept by the second write');
    await new Promise((resolve) => setTimeout(resolve, 1200));
    assert.is((await own.get(body.candidate.links.self, mine)).status, 401, 'not kept by the read');
  });
});

limits.run();
