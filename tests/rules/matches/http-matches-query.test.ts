import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { carpenters, client, holdEmpty, order, person, registered } from '../../support/matches.ts';
import { pluck, words } from '../../support/rows.ts';

const query = suite('queries of matches');

const toIds = (rows: Body[]) => rows.map(({ candidate }) => candidate.id);

/** Reads every match over all pages by `nextCursor`. */
async function readAll(path: string, asked: string, mine: Record<string, string>) {
  const all: Body[] = [];
  const totals = new Set<number>();
  let pages = 0;
  for (let more = ''; ; pages += 1) {
    const { body } = await client.matches(path, asked + more, mine);
    all.push(...body.matches);
    totals.add(body.total);
    if (body.nextCursor === undefined) return { all, totals: [...totals], pages: pages + 1 };
    more = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
}

query('filters leave people out, and change no score', async () => {
  const { candidates, jobOrders, mine } = await client.make({
    candidates: [
      person(),
      person(registered, { skills: ['ICU nurses', 'CRRT'], metro: 'Cleveland, OH' }),
      person(carpenters, { skills: ['Framing'], metro: undefined }),
    ],
    jobOrders: [order],
  });
  const path = jobOrders[0].links.self;
  const whole = await client.ranked(path, 'scope=workspace', mine);
  const [first, second] = pluck(candidates, 'id');
  for (const [asked, expected] of [
    ['skill=icu', [first, second]],
    ['skill=CRRT', [second]],
    ['metro=Cleveland', [second]],
    ['metro=oh', [first, second]],
    ['skill=ICU&metro=columbus', [first]],
    ['status=available', [first, second]],
    ['minScore=100', [first]],
    [`minScore=${whole[1]!.score}`, [first, second]],
    [`minScore=${whole[1]!.score + 0.25}`, [first]],
    ['minScore=0', [first, second]],
  ] as const) {
    const { body } = await client.matches(path, `scope=workspace&${asked}`, mine);
    assert.equal(toIds(body.matches), expected, asked);
    assert.is(body.total, expected.length, asked);
    const unfiltered = whole.filter(({ candidate }) => expected.includes(candidate.id));
    assert.equal(body.matches, unfiltered, asked);
  }
  const all = await client.ranked(path, 'limit=200&scope=all', mine);
  const seed = await client.ranked(path, 'limit=200&scope=public', mine);
  assert.ok(seed.every(({ candidate }) => candidate.example));
  assert.is(all.length, seed.length + whole.length);
  assert.is((await client.ranked('/job-orders/job_001')).length, 10, 'ten by default');
});

query('if nothing passes, the answer names the filter to drop', async () => {
  const { jobOrders, mine } = await client.make({ candidates: [person()], jobOrders: [order] });
  const path = jobOrders[0].links.self;
  for (const [asked, drop, keep] of [
    ['skill=Falconry', /widen, drop or change skill\.$/, /metro/],
    ['metro=Nowhere', /widen, drop or change metro\.$/, /skill/],
    ['status=asleep', /widen, drop or change status\.$/, /skill|metro/],
    ['skill=ICU&metro=Nowhere', /widen, drop or change metro\.$/, /skill/],
    ['skill=Falconry&metro=Columbus', /widen, drop or change skill\.$/, /metro/],
    ['skill=Falconry&metro=Nowhere', /drop or change skill and drop or change metro/, /status and|another/],
  ] as const) {
    const answer = await client.matches(path, `${asked}&scope=all`, mine);
    holdEmpty(answer, 200, drop);
    assert.not.match(answer.body.message, keep, asked);
    assert.is(answer.body.total, 0);
  }
  const usual = await client.matches(path, 'skill=Falconry', mine);
  holdEmpty(
    usual,
    200,
    /of your workspace .* drop or change skill\. scope=all matches the public seed too\.$/,
  );
  const none = await client.matches('/job-orders/job_001', 'minScore=100&status=available');
  holdEmpty(none, 200, /minScore 100\. Lower or drop minScore/);
});

query('rejects an invalid filter and names it', async () => {
  const list = (await client.get('/candidates?limit=1')).body.nextCursor;
  const other = (await client.matches('/job-orders/job_002', 'limit=1')).body.nextCursor;
  for (const path of ['/job-orders/job_001', '/candidates/cand_001']) {
    for (const [asked, at] of [
      ['minScore=101', 'minScore'],
      ['minScore=-0.25', 'minScore'],
      ['minScore=high', 'minScore'],
      ['minScore=', 'minScore'],
      ['limit=201', 'limit'],
      [`cursor=${list}`, 'cursor'],
      [`cursor=${other}`, 'cursor'],
      [`skill=${'x'.repeat(201)}`, 'skill'],
    ] as const) {
      const { status, body } = await client.matches(path, asked);
      assert.is(status, 400, asked);
      assert.is(body.type, 'BLOCKED', asked);
      assert.is(body.code, 'invalid_request', asked);
      assert.equal(pluck(body.issues, 'path'), [at]);
    }
    for (const scope of ['admin', 'internal']) {
      const { status, body } = await client.matches(path, `scope=${scope}`);
      assert.is(status, 403);
      assert.is(body.type, 'BLOCKED');
      assert.is(body.code, 'forbidden_scope');
    }
    const odd = await client.matches(path, 'scope=odd&limit=1');
    assert.is(odd.status, 200);
    assert.is(odd.body.warnings[0].path, 'scope');
    const strict = await client.matches(path, 'scope=odd', { Prefer: 'handling=strict' });
    assert.is(strict.status, 400);
    assert.is(strict.body.issues[0].path, 'scope');
  }
  const cursor = (await client.matches('/job-orders/job_001', 'limit=1')).body.nextCursor;
  assert.is((await client.get(`/candidates?cursor=${cursor}`)).status, 400, 'a list refuses it too');
});

query('pages show each candidate once, best first, with the same total', async () => {
  // Many equal scores, and more records than are read at once.
  const codes = ['29-1141.03', registered, carpenters];
  const candidates = Array.from({ length: 150 }, (_, at) =>
    person(codes[at % 3], { name: `Sample ${at}`, ...(at % 2 === 0 && { metro: 'Austin, TX' }) }),
  );
  const made = await client.make({ candidates, jobOrders: [order] });
  const path = made.jobOrders[0].links.self;
  const seed = (await client.matches(path, 'limit=1&scope=public', made.mine)).body.total;
  const one = await readAll(path, 'limit=7&scope=all', made.mine);
  assert.equal(one.totals, [150 + seed]);
  assert.is(one.all.length, 150 + seed);
  assert.is(one.pages, Math.ceil((150 + seed) / 7));
  const ids = new Set(toIds(one.all));
  assert.is(ids.size, 150 + seed, 'each once');
  for (const { id } of made.candidates) assert.ok(ids.has(id));
  // People who meet the order come first, and have at most 100 points.
  const ranks = one.all.map(({ meets, score }) => (meets ? 101 + score : score));
  for (const [at, rank] of ranks.slice(1).entries()) assert.ok(rank <= ranks[at]!, 'best first');
  const scores = pluck(one.all, 'score');
  assert.equal((await readAll(path, 'limit=200&scope=all', made.mine)).all, one.all);
  const least = scores[70]!;
  const enough = await readAll(path, `limit=50&minScore=${least}`, made.mine);
  const best = one.all.filter(({ score }) => score >= least);
  assert.equal(enough.all, best);
  assert.equal(enough.totals, [enough.all.length]);
});

query('a record that is added between two pages neither repeats nor hides another', async () => {
  const { candidates, jobOrders, mine } = await client.make({
    candidates: Array.from({ length: 12 }, () => person(registered)),
    jobOrders: [order],
  });
  const path = jobOrders[0].links.self;
  const first = (await client.matches(path, 'scope=workspace&limit=5', mine)).body;
  await client.make({ candidates: [person(), person()] }, mine['X-Workspace']);
  const more = `scope=workspace&limit=200&cursor=${first.nextCursor}`;
  const rest = (await client.matches(path, more, mine)).body;
  assert.equal(toIds([...first.matches, ...rest.matches]).sort(), pluck(candidates, 'id').sort());
  assert.is(rest.total, 14);
});

query('the frozen answer equals the live one, with a query and in a workspace', async () => {
  const { candidates, mine } = await client.make({ candidates: [person()] });
  await client.delete(candidates[0].links.self, mine);
  for (const path of words(
    '/job-orders/job_001 /job-orders/job_002 /candidates/cand_001 /candidates/cand_002',
  )) {
    const [frozen, json, asked, within] = await Promise.all([
      client.matches(path),
      client.get(`${path}/matches.json`),
      client.matches(path, 'limit=10'),
      client.matches(path, 'scope=all', mine),
    ]);
    for (const { status, body } of [json, asked, within]) {
      assert.equal(status, frozen.status, path);
      assert.equal(body, frozen.body, path);
    }
    assert.match(json.headers.get('cache-control')!, /public/);
    assert.is(within.headers.get('cache-control'), 'private, no-store');
    assert.match(within.headers.get('vary')!, /X-Workspace/);
  }
});

query('an ETag in a workspace is valid until the next revision, and for its own address', async () => {
  const { candidates, jobOrders, mine } = await client.make({ candidates: [person()], jobOrders: [order] });
  const path = `${jobOrders[0].links.self}/matches`;
  const tag = (await client.get(path, mine)).headers.get('etag')!;
  const ask = (address: string, headers = mine) => client.get(address, { ...headers, 'If-None-Match': tag });
  const again = await ask(path);
  assert.is(again.status, 304);
  assert.is(again.text, '');
  assert.equal(again.headers.get('etag'), tag);
  for (const address of [`${path}?limit=1`, `${candidates[0].links.self}/matches`])
    assert.is((await ask(address)).status, 200);
  const other = await client.make({ candidates: [person()] });
  assert.is((await ask(path, other.mine)).status, 404);
  assert.is((await client.patch(candidates[0].links.self, { skills: ['CRRT'] }, mine)).status, 200);
  assert.is((await ask(path)).status, 200, 'a new revision is answered');
  const frozen = await client.matches('/job-orders/job_001');
  const since = { 'If-None-Match': frozen.headers.get('etag')! };
  assert.is((await client.get('/job-orders/job_001/matches', since)).status, 304);
});

query.run();
