import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IndexedDbStore } from '../../../src/stores/indexeddb.ts';
import { SqliteStore } from '../../../src/stores/sqlite.ts';
import type { Store } from '../../../src/workspace/store.ts';
import { openRedisStore } from '../../support/changes.ts';
import type { Body } from '../../support/http.ts';
import { createRandom } from '../../support/random-desk.ts';
import { skipsRedis, startRedis } from '../../support/redis.ts';
import { nurseCode as onetCode, toBody } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const law = suite('the links of random shortlists');

const lifeMs = 14 * 86_400_000;
const people = 8;
/** The second spells the first otherwise: both name one reviewer. */
const reviewers = ['Dána Example', 'dana example', 'Bo', 'Cy', 'Di', 'Ed', 'Flo', undefined];
const toKey = (reviewer: string | undefined) => reviewer?.replace('á', 'a').toLowerCase();

interface Link {
  token: string;
  reviewer: string | undefined;
  expiresAt: number;
}

/** A shortlist on which random calls are made, and what has to come of them. */
class RandomShortlist {
  readonly #world: World;
  readonly #random: () => number;
  #mine = {};
  #order = '';
  /** The links that should work, by the key of their reviewer. */
  readonly #links = new Map<string | undefined, Link>();
  readonly #tokens: string[] = [];
  /** Who decided on each placement. */
  readonly #decided = new Map<string, string | undefined>();
  readonly seen = new Set<string>();

  constructor(store: Store, seed: number) {
    this.#world = new World({ store, settings: { retentionSeconds: 400 * 86_400 } });
    this.#random = createRandom(seed);
  }

  #pick = <T>(items: readonly T[]): T => items[Math.floor(this.#random() * items.length)]!;
  #ask = (method: string, path: string, body?: object, headers: object = this.#mine) =>
    this.#world.ask(method, path, body, headers);

  async start(): Promise<void> {
    const refs = Array.from({ length: people }, (_, index) => `c${index}`);
    const made = await this.#ask('POST', '/batch', {
      candidates: refs.map((ref) => toBody.candidate({ ref, name: `Person ${ref}`, onetCode })),
      jobOrders: [toBody.jobOrder({ ref: 'o', onetCode, openings: people })],
      placements: refs.map((ref) => ({
        ...{ candidateId: `#${ref}`, jobOrderId: '#o', onetCode, status: 'proposed' },
      })),
    });
    assert.is(made.status, 201, made.text);
    this.#mine = { 'x-workspace': made.body.workspace };
    this.#order = made.body.jobOrders[0].id;
  }

  #share = (body: object) => this.#ask('POST', `/job-orders/${this.#order}/shortlist`, body);

  #listLive(): [string | undefined, Link][] {
    return [...this.#links].filter(([, { expiresAt }]) => expiresAt > this.#world.clock.now);
  }

  async #make(): Promise<void> {
    const reviewer = this.#pick(reviewers);
    const replace = this.#random() < 0.5;
    const live = new Map(this.#listLive());
    const key = toKey(reviewer);
    const others = [...live.keys()].filter((one) => one !== undefined && one !== key);
    const isFull = key !== undefined && others.length >= 5;
    const isPending = reviewer === undefined && live.has(key) && !replace;
    const code = isPending ? 'pending' : isFull ? 'too_many_reviewers' : undefined;
    const { status, body } = await this.#share({ replace, ...(reviewer && { reviewer }) });
    assert.is(body.code, code, JSON.stringify(body));
    this.seen.add(code ?? 'made');
    if (code) return;
    assert.is(status, 201);
    const { token } = body.shortlist;
    this.#tokens.push(token);
    this.#links.set(key, { token, reviewer, expiresAt: this.#world.clock.now + lifeMs });
  }

  async #revoke(): Promise<void> {
    const reviewer = this.#pick(reviewers);
    const key = toKey(reviewer);
    const code = new Map(this.#listLive()).has(key) ? undefined : 'no_such_link';
    const { body } = await this.#share({ revoke: true, ...(reviewer && { reviewer }) });
    assert.is(body.code, code, JSON.stringify(body));
    this.seen.add(code ?? 'revoked');
    if (!code) this.#links.delete(key);
  }

  async #decide(): Promise<void> {
    const live = this.#listLive();
    if (live.length === 0) return;
    const [, { token, reviewer }] = this.#pick(live);
    const held = { 'x-shortlist': token, 'x-actor': 'Somebody%20Else' };
    const rows: Body[] = (await this.#ask('GET', '/shortlist', undefined, held)).body.shortlist.placements;
    const open = rows.filter(({ decision }) => !decision);
    if (open.length === 0) return;
    const { id, tag } = this.#pick(open);
    const sent = { placementId: id, decision: this.#pick(['interview', 'decline']), tag };
    const { status, body } = await this.#ask('POST', '/shortlist', sent, held);
    assert.is(status, 200, JSON.stringify(body));
    assert.is(body.placement.decidedBy, reviewer);
    this.#decided.set(id, reviewer);
    this.seen.add('decided');
    const entries: Body[] = (await this.#ask('GET', '/workspace/activity?limit=1')).body.activity;
    assert.is(entries[0]!.actor, reviewer);
  }

  /** Does one random thing, and checks that each link opens the shortlist or does not, as it should. */
  async step(): Promise<void> {
    const chance = this.#random();
    if (chance < 0.5) await this.#make();
    else if (chance < 0.75) await this.#revoke();
    else if (chance < 0.95) await this.#decide();
    else this.#world.clock.now += lifeMs / 2;
    await this.#check();
  }

  async #check(): Promise<void> {
    const live = this.#listLive().map(([, link]) => link);
    const reviewerOf = new Map(live.map(({ token, reviewer }) => [token, reviewer]));
    for (const token of this.#tokens) {
      const { status, body } = await this.#ask('GET', '/shortlist', undefined, { 'x-shortlist': token });
      assert.is(status, reviewerOf.has(token) ? 200 : 401);
      if (status === 200) assert.is(body.shortlist.reviewer, reviewerOf.get(token));
    }
    const { jobOrder } = (await this.#ask('GET', `/job-orders/${this.#order}`)).body;
    const links: Body[] = jobOrder.shortlist?.links ?? [];
    // On the day on which a link expires, the order still shows it.
    const shown = links.filter(({ expiresAt }) => Date.parse(expiresAt) > this.#world.clock.now);
    const listNames = (of: readonly { reviewer?: string | undefined }[]) =>
      of.map(({ reviewer }) => String(reviewer)).sort();
    assert.equal(listNames(shown as Link[]), listNames(live));
    const { placements } = (await this.#ask('GET', '/placements?limit=100')).body;
    for (const { id, transitions } of placements) {
      const decision = transitions.find((move: Body) => move.by === 'shortlist');
      assert.is(Boolean(decision), this.#decided.has(id));
      if (decision) assert.is(decision.reviewer, this.#decided.get(id));
    }
  }
}

async function run(store: Store, { seed, steps }: { seed: number; steps: number }): Promise<Set<string>> {
  try {
    const shortlist = new RandomShortlist(store, seed);
    await shortlist.start();
    for (let step = 0; step < steps; step += 1) await shortlist.step();
    return shortlist.seen;
  } finally {
    await store.close();
  }
}

const outcomes = ['made', 'pending', 'too_many_reviewers', 'revoked', 'no_such_link', 'decided'];

law('each opens the shortlist until it is replaced, revoked or expired', async () => {
  const seen = new Set<string>();
  for (let seed = 0; seed < 3; seed += 1)
    for (const one of await run(new SqliteStore(':memory:'), { seed, steps: 40 })) seen.add(one);
  assert.equal([...seen].sort(), outcomes.toSorted());
});

law('the same holds in IndexedDB', async () => {
  await run(new IndexedDbStore(randomUUID()), { seed: 1, steps: 40 });
});

if (!skipsRedis())
  law('the same holds in Redis', async () => {
    const redis = await startRedis();
    await run(await openRedisStore(`redis://127.0.0.1:${redis.port}`), { seed: 2, steps: 40 });
    await redis.stop();
  });

law.run();
