import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatRateHeaders, RateLimit, type RateState } from '../../../src/kernel/rate-limit.ts';
import { toChance } from '../../support/people.ts';

const window = suite('the sliding window');
const policy = { name: 'p', quota: 10, windowSeconds: 60 };

/** What is left of a quota, from a list of all requests. A second must be a binary fraction of the window. */
class Ledger {
  #taken: { second: number; weight: number }[] = [];
  #start = Number.NEGATIVE_INFINITY;
  readonly #quota: number;
  readonly #length: number;

  constructor(quota: number, length: number) {
    this.#quota = quota;
    this.#length = length;
  }

  #startAt(second: number): number {
    if (second >= this.#start + 2 * this.#length) return second;
    return second >= this.#start + this.#length ? this.#start + this.#length : this.#start;
  }

  #count(from: number, to: number): number {
    const within = this.#taken.filter((one) => one.second >= from && one.second < to);
    return within.reduce((sum, { weight }) => sum + weight, 0);
  }

  countLeft(second: number): number {
    const start = this.#startAt(second);
    const share = (start + this.#length - second) / this.#length;
    return (
      this.#quota -
      this.#count(start, start + this.#length) -
      this.#count(start - this.#length, start) * share
    );
  }

  /** Opens the window of a request, allowed or not. */
  open(second: number): void {
    this.#start = this.#startAt(second);
  }

  add(second: number, weight: number): void {
    this.#taken.push({ second, weight });
  }

  /** The state after a request, which is counted already if it was allowed. */
  describe(second: number, allowed: boolean): RateState {
    const start = this.#startAt(second);
    const remaining = allowed ? Math.max(0, Math.floor(this.countLeft(second))) : 0;
    if (!allowed) {
      let wait = 1;
      while (this.countLeft(second + wait) < 1) wait += 1;
      return { allowed, remaining, seconds: wait };
    }
    const decays = this.#count(start - this.#length, start) > 0;
    return { allowed, remaining, seconds: decays ? 1 : start + this.#length - second };
  }
}

const binary = { name: 'p', quota: 10, windowSeconds: 64 };

window('says after each request what a list of all requests says', () => {
  const chance = toChance(41);
  for (let history = 0; history < 300; history += 1) {
    const quota = 1 + chance(12);
    const limit = new RateLimit({ ...binary, quota });
    const ledger = new Ledger(quota, binary.windowSeconds);
    let second = chance(1000);
    for (let step = 0; step < 30; step += 1) {
      second += chance(3) === 0 ? chance(150) : chance(9);
      const weight = chance(4) === 0 ? 1 + chance(quota) : 1;
      ledger.open(second);
      const allowed = ledger.countLeft(second) >= 1;
      const state = limit.take('a', second * 1000, weight);
      if (allowed) ledger.add(second, weight);
      assert.equal(state, ledger.describe(second, allowed), `history ${history}, step ${step}`);
    }
  }
});

/** Of two states of one caller: the longer refusal, or the less that is left. */
function pickTighter(own: RateState, wide: RateState): RateState {
  if (own.allowed && wide.allowed) return wide.remaining < own.remaining ? wide : own;
  if (own.allowed) return wide;
  return !wide.allowed && wide.seconds > own.seconds ? wide : own;
}

window('limits each network of an IPv6 /56, and all of them together as four callers', () => {
  const chance = toChance(42);
  const bound = { own: 0, wide: 0 };
  for (let history = 0; history < 40; history += 1) {
    const limit = new RateLimit(binary);
    const wide = new Ledger(4 * binary.quota, binary.windowSeconds);
    const own = Array.from({ length: 6 }, () => new Ledger(binary.quota, binary.windowSeconds));
    let second = 0;
    for (let step = 0; step < 120; step += 1) {
      second += chance(4) === 0 ? chance(12) : 0;
      const network = Math.min(chance(6), chance(6));
      const ledger = own[network]!;
      for (const one of [ledger, wide]) one.open(second);
      const room = [ledger, wide].map((one) => one.countLeft(second) >= 1);
      const state = limit.take(`2001:db8:1:ab0${network}:0:0:0:${chance(99)}`, second * 1000);
      if (room.every(Boolean)) for (const one of [ledger, wide]) one.add(second, 1);
      const expected = pickTighter(ledger.describe(second, room[0]!), {
        ...wide.describe(second, room[1]!),
        quota: 4 * binary.quota,
      });
      assert.equal(state, expected, `history ${history}, step ${step}`);
      if (!state.allowed) bound[state.quota ? 'wide' : 'own'] += 1;
    }
  }
  assert.ok(bound.own > 20, `${bound.own} refused by their own limit`);
  assert.ok(bound.wide > 20, `${bound.wide} refused by the shared limit`);
});

window('given back requests can be made again, and never more than were made', () => {
  const limit = new RateLimit(policy);
  limit.giveBack('a', 3);
  for (let count = 0; count < 6; count += 1) limit.take('a', 0);
  limit.giveBack('a');
  assert.is(limit.take('a', 0).remaining, 4);
  limit.giveBack('a', 2);
  assert.is(limit.take('a', 0).remaining, 5);
  limit.giveBack('a', 99);
  assert.is(limit.take('a', 0).remaining, 9);
});

window('goes on with a tally of another counter', () => {
  const limit = new RateLimit(policy);
  limit.adopt({ key: 'a', shares: 1 }, { age: 30_000, count: 3, before: 8 }, 100_000);
  assert.is(limit.take('a', 100_000).remaining, 2);
  assert.is(limit.take('a', 115_000).remaining, 3);
  assert.is(limit.take('a', 130_000).remaining, 4);
});

window('an adopted tally counts as one caller', () => {
  const limit = new RateLimit(policy, 2);
  for (const key of ['a', 'b', 'c', 'c'])
    limit.adopt({ key, shares: 1 }, { age: 0, count: 1, before: 0 }, 1000);
  assert.is(limit.size(), 2);
  assert.is(limit.take('c', 1000).remaining, 8);
});

window('forgets a caller two windows after its window opened, and not before', () => {
  const limit = new RateLimit(policy);
  limit.take('a', 0);
  limit.take('b', 119_999);
  assert.is(limit.size(), 2);
  limit.take('c', 120_000);
  assert.is(limit.size(), 2);
});

window('drops those whose window opened first if it remembers too many', () => {
  const limit = new RateLimit(policy, 2);
  const seconds = { a: 0, b: 10, 'a again': 60, c: 61 };
  for (const [name, second] of Object.entries(seconds)) limit.take(name[0]!, second * 1000);
  assert.is(limit.take('a', 61_000).remaining, 7);
});

window('lists the keys that have used a share of their quota, the fullest first', () => {
  const limit = new RateLimit(policy);
  const listAt = (now: number, share = 0.8) =>
    limit.listNearEnd(now, share).map(({ key, used, quota }) => `${key} ${used}/${quota}`);
  limit.add('full', 0, 10);
  limit.add('over', 0, 30);
  limit.add('near', 0, 8);
  limit.add('far', 0, 7);
  for (let network = 0; network < 5; network += 1) limit.add(`2001:db8:1:${network}:0:0:0:1`, 0, 7);
  assert.equal(listAt(0), ['over 30/10', 'full 10/10', '2001:db8:1:0::/56 35/40', 'near 8/10']);
  assert.equal(listAt(90_000), ['over 15/10']);
  assert.equal(listAt(60_000), listAt(0));
  assert.equal(listAt(120_000), []);
  assert.is(listAt(120_000, 0).length, 10);
});

window('counts the window before in the list of keys', () => {
  const limit = new RateLimit(policy);
  limit.add('a', 0, 8);
  limit.add('a', 60_000, 5);
  assert.equal(limit.listNearEnd(60_000, 0.8), [{ key: 'a', used: 13, quota: 10 }]);
  assert.equal(limit.listNearEnd(91_000, 0.8), [{ key: 'a', used: 9, quota: 10 }]);
});

window('the headers name the quota that is the tightest', () => {
  const state = { allowed: true, remaining: 3, seconds: 7 };
  assert.equal(formatRateHeaders(policy, state), {
    'RateLimit-Policy': '"p";q=10;w=60',
    RateLimit: '"p";r=3;t=7',
  });
  assert.is(formatRateHeaders(policy, { ...state, quota: 40 })['RateLimit-Policy'], '"p";q=40;w=60');
});

window.run();
