import { setTimeout as pause } from 'node:timers/promises';
import { isExempt } from '../../kernel/caller.ts';
import { type ClientKey, listClientKeys } from '../../kernel/client-keys.ts';
import {
  computeKeyQuota,
  computeKeyState,
  formatRateHeaders,
  pickBindingState,
  RateLimit,
  type RateState,
} from '../../kernel/rate-limit.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Admission, GrowthSource } from '../../kernel/service.ts';
import { compose, type Wording } from '../../kernel/wording.ts';
import type { QuotaCounter } from '../../workspace/store.ts';
import type { Metrics } from './metrics.ts';
import type { NodeSettings } from './settings.ts';

/** Milliseconds for which a store that failed or was slow is not used, and that a caller waits for it at most. */
const awayMs = 1000;
const patienceMs = 200;

/**
 * Adds to the count of a key in the store and takes it over here. Up to `wanted` requests are granted within the quota.
 */
async function countInStore(
  limit: RateLimit,
  count: QuotaCounter,
  key: ClientKey,
  use: { add: number; wanted?: number },
) {
  const { name, windowSeconds } = limit.policy;
  const quota = computeKeyQuota(limit.policy, key);
  const question = { windowMs: windowSeconds * 1000, wanted: 0, ...use, quota };
  const { granted, ...tally } = await count(`${name} ${key.key}`, question);
  limit.adopt(key, tally, performance.now());
  return { granted, tally };
}

const ignore = () => {};

/** Reports use that was allowed here to the store. If that fails, only this instance knows of it. */
function reportUse(limit: RateLimit, count: QuotaCounter, client: string, used: number): void {
  for (const key of listClientKeys(client)) void countInStore(limit, count, key, { add: used }).catch(ignore);
}

/**
 * Takes `weight` of a shared quota, or what is left of it, counted in the store first. It is for calls that need the
 * store anyway. Rejects if the store fails.
 */
async function takeInStore(
  limit: RateLimit,
  count: QuotaCounter,
  client: string,
  weight = 1,
): Promise<RateState> {
  const counted = await Promise.all(
    listClientKeys(client).map(async (key) => {
      const { granted, tally } = await countInStore(limit, count, key, { add: 0, wanted: weight });
      return { key, granted, state: computeKeyState(limit.policy, key, tally, granted > 0) };
    }),
  );
  const binding = pickBindingState(counted.map(({ state }) => state));
  // A refused request costs nothing under the keys that had room.
  for (const { key, granted } of counted)
    if (granted > 0 && !binding.allowed)
      void countInStore(limit, count, key, { add: -granted }).catch(ignore);
  return binding;
}

/**
 * Takes from a shared quota for calls that do not need the store otherwise. If the store fails or is slow, this instance counts alone for a
 * second, from the last known count. It refuses a caller that is over the quota by its own count, without asking the
 * store.
 */
function createSharedTake(limit: RateLimit, count: QuotaCounter) {
  let awayUntil = Number.NEGATIVE_INFINITY;
  async function ask(client: string, weight: number, here: RateState): Promise<RateState> {
    const late = pause(patienceMs, undefined, { ref: false });
    const state = await Promise.race([takeInStore(limit, count, client, weight), late]).catch(ignore);
    if (!state) awayUntil = performance.now() + awayMs;
    return state ?? here;
  }
  return (client: string, weight: number): RateState | Promise<RateState> => {
    const here = limit.take(client, performance.now(), weight);
    return here.allowed && performance.now() >= awayUntil ? ask(client, weight, here) : here;
  };
}

const minuteSeconds = 60;
const daySeconds = 86_400;
/** The RateLimit fields of a caller without limits: none. */
export const noRateFields: Record<string, string> = {};
const unlimited: Admission = { headers: noRateFields, settle: ignore };

const namedWorkspace = { http: 'X-Workspace; over MCP the argument workspace', argument: 'workspace' };

/** Why a call is refused. `from` is the address of its caller, or the network that it shares with others. */
const reasons = {
  live: (quota: number, from: string, seconds: string) =>
    `More than ${quota} live requests a minute from ${from}. Wait ${seconds} s, then send it again; plain addresses without a query, such as /occupations and /candidates, are never limited.`,
  mint: (quota: number, from: string, seconds: string) =>
    compose`More than ${String(quota)} new workspaces a minute from ${from}. Wait ${seconds} s, or name a workspace that you have (${namedWorkspace}) and add to it.`,
  claim: (quota: number, from: string, seconds: string) =>
    `More than ${quota} workspaces claimed in a day from ${from}. Wait ${seconds} s, then claim this one: if its url has expired by then, ask the agent for a new one.`,
  bytes: (quota: number, from: string, seconds: string) =>
    `More than ${quota} bytes in a day from ${from}. Wait ${seconds} s, or send less. Reads and deletes still work.`,
};
type ExplainLimit = (quota: number, from: string, seconds: string) => Wording;
const explainOwnerLimit: ExplainLimit = (quota, _from, seconds) =>
  `More than ${quota} bytes in a day in the workspaces of one owner. Wait ${seconds} s, or send less. Reads and deletes still work.`;

/** How many workspaces may be claimed from one address in a day. */
const claimsADay = 10;

/** The limits of clients. With a `count`, all instances share each quota. The operator of this machine has no limit. */
export class Limits {
  readonly #settings: NodeSettings;
  readonly #metrics: Metrics;
  readonly #count: QuotaCounter | undefined;
  readonly #live: RateLimit;
  readonly #takeLive: (client: string, weight: number) => RateState | Promise<RateState>;
  readonly #bytes: RateLimit;
  readonly #mint: RateLimit;
  readonly #claim: RateLimit;

  constructor(settings: NodeSettings, metrics: Metrics, count?: QuotaCounter) {
    this.#settings = settings;
    this.#metrics = metrics;
    this.#count = count;
    const create = (name: keyof typeof reasons, quota: number, windowSeconds: number) =>
      new RateLimit({ name, quota, windowSeconds });
    this.#live = create('live', settings.RATE_LIMIT_LIVE, minuteSeconds);
    this.#bytes = create('bytes', settings.BYTES_PER_CLIENT ?? Number.POSITIVE_INFINITY, daySeconds);
    this.#mint = create('mint', settings.RATE_LIMIT_MINT, minuteSeconds);
    this.#claim = create('claim', claimsADay, daySeconds);
    const takeHere = (client: string, weight: number) => this.#live.take(client, performance.now(), weight);
    this.#takeLive = count ? createSharedTake(this.#live, count) : takeHere;
  }

  /**
   * Counts `weight` live calls of this address, and returns the RateLimit fields. A call is allowed while any of the
   * quota is left, whatever its weight. Throws rate_limited.
   */
  admitLive(client: string, weight = 1): Record<string, string> | Promise<Record<string, string>> {
    if (this.#isFree(client)) return noRateFields;
    const state = this.#takeLive(client, weight);
    const requireLiveQuota = (taken: RateState) => this.#requireQuota(this.#live, taken);
    return state instanceof Promise ? state.then(requireLiveQuota) : requireLiveQuota(state);
  }

  /** Gives back calls that were counted for an address. */
  giveBackLive(client: string, count: number): void {
    if (count === 0 || this.#isFree(client)) return;
    this.#live.giveBack(client, count);
    if (this.#count) reportUse(this.#live, this.#count, client, -count);
  }

  /** Throws rate_limited. Gives the quota back if no workspace is made. */
  async admitMint(client = ''): Promise<Admission> {
    const admission = this.#isFree(client) ? unlimited : await this.#admitOne(this.#mint, client);
    return {
      headers: admission.headers,
      settle: (made) => {
        if (made) this.#metrics.add('careers_workspaces_minted_total');
        admission.settle(made);
      },
    };
  }

  /**
   * Throws rate_limited. Gives the quota back if nothing is claimed. BYTES_PER_CLIENT=off lifts this limit too, because
   * a claim is what makes records stay.
   */
  async admitClaim(client = ''): Promise<Admission> {
    return this.#isStorageFree(client) ? unlimited : this.#admitOne(this.#claim, client);
  }

  /**
   * Throws storage_share if the address, or the owner of a claimed workspace, has already added too many bytes. The
   * returned function counts the bytes for both, and is called when they are durable.
   *
   * The bytes of the owner do not count against an answer, because the person who answers did not add them. A bounded
   * change is never refused.
   */
  admitBytes(
    bytes: number,
    client: string,
    { owner, kind }: Pick<GrowthSource, 'owner' | 'kind'> = { kind: 'change' },
  ): () => void {
    if (this.#isStorageFree(client)) return ignore;
    const ownerKey = owner && `owner ${owner}`;
    if (kind !== 'bounded') this.#refuseBytes(client, reasons.bytes);
    if (ownerKey && (kind === 'change' || kind === 'extra')) this.#refuseBytes(ownerKey, explainOwnerLimit);
    return () => {
      this.#addBytes(client, bytes);
      if (ownerKey) this.#addBytes(ownerKey, bytes);
    };
  }

  /** Lists the limits of clients of which at least `share` is used, at most `most` of each. Owners are not named. */
  listNearEnd(share: number, most: number) {
    const now = performance.now();
    return [this.#live, this.#mint, this.#claim, this.#bytes].flatMap((limit) =>
      limit
        .listNearEnd(now, share)
        .slice(0, most)
        .map(({ key, used, quota }) => ({
          limit: limit.policy.name,
          client: key.startsWith('owner ') ? 'an owner' : key,
          used,
          quota,
        })),
    );
  }

  /** How many networks are remembered. */
  size(): number {
    return this.#live.size() + this.#mint.size();
  }

  #isOurs(client: string): boolean {
    return isExempt(client, { proxies: this.#settings.TRUST_PROXY });
  }

  #isFree(client: string): boolean {
    return this.#settings.RATE_LIMIT === 'off' || this.#isOurs(client);
  }

  #isStorageFree(client: string): boolean {
    return this.#settings.BYTES_PER_CLIENT === undefined || this.#isOurs(client);
  }

  /** Takes one of a quota, and gives it back if the call has no effect. */
  async #admitOne(limit: RateLimit, client: string): Promise<Admission> {
    const count = this.#count;
    const state = count ? await takeInStore(limit, count, client) : limit.take(client, performance.now());
    return {
      headers: this.#requireQuota(limit, state),
      settle(made) {
        if (made) return;
        if (count) reportUse(limit, count, client, -1);
        else limit.giveBack(client);
      },
    };
  }

  /** Refuses more bytes from a client or an owner who has already added too many. */
  #refuseBytes(from: string, explainLimit: ExplainLimit): void {
    this.#requireQuota(this.#bytes, this.#bytes.take(from, performance.now(), 0), explainLimit);
  }

  #addBytes(from: string, bytes: number): void {
    this.#bytes.add(from, performance.now(), bytes);
    if (this.#count) reportUse(this.#bytes, this.#count, from, bytes);
  }

  /** Returns the RateLimit fields of a caller within its quota. Throws if it is not. */
  #requireQuota(
    { policy }: RateLimit,
    state: RateState,
    explainLimit?: ExplainLimit,
  ): Record<string, string> {
    const isOfBytes = policy.name === 'bytes';
    const fields = isOfBytes ? noRateFields : formatRateHeaders(policy, state);
    if (state.allowed) return fields;
    const seconds = String(state.seconds);
    const from = state.quota === undefined ? 'this address' : 'this network (an IPv6 /56)';
    const explain = explainLimit ?? reasons[policy.name as keyof typeof reasons];
    this.#metrics.add('careers_rate_limited_total', { limit: policy.name });
    throw new Refusal(isOfBytes ? 'storage_share' : 'rate_limited', {
      reason: explain(state.quota ?? policy.quota, from, seconds),
      limit: policy.name,
      headers: { ...fields, 'Retry-After': seconds },
    });
  }
}
