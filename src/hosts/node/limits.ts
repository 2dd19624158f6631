import { isLoopback, toNetwork } from '../../kernel/client-address.ts';
import { createRateLimit, type RateLimit, type RateState, toRateHeaders } from '../../kernel/rate-limit.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Admission, Settings } from '../../kernel/service.ts';
import type { Count } from '../../records/store.ts';
import type { Metrics } from './metrics.ts';
import type { NodeSettings } from './settings.ts';
import { reportUse, toExactRate, toOwnRate, toSharedRate } from './shared-rate.ts';

/** The limits by client address. */
export type Limits = ReturnType<typeof createLimits>;

type Chosen = Pick<
  NodeSettings,
  'RATE_LIMIT' | 'RATE_LIMIT_LIVE' | 'RATE_LIMIT_MINT' | 'BYTES_PER_CLIENT' | 'TRUST_PROXY'
>;

const minuteSeconds = 60;
const daySeconds = 86_400;
/** The fields of a caller who is not limited. */
export const none: Record<string, string> = {};

/** Both rate limits as they are published; nothing where they are off. */
export const toRates = ({
  RATE_LIMIT,
  RATE_LIMIT_LIVE: live,
  RATE_LIMIT_MINT: mint,
}: Pick<Chosen, 'RATE_LIMIT' | 'RATE_LIMIT_LIVE' | 'RATE_LIMIT_MINT'>): Pick<Settings, 'rates'> =>
  RATE_LIMIT === 'off' ? {} : { rates: { live, mint } };

const reasons = {
  live: (quota: number, seconds: string) =>
    `More than ${quota} live requests a minute from this address. Wait ${seconds} s, then send it again; plain addresses without a query, such as /occupations and /candidates, are never limited.`,
  mint: (quota: number, seconds: string) =>
    `More than ${quota} new workspaces a minute from this address. Wait ${seconds} s, or name a workspace that you have (X-Workspace; over MCP the argument workspace) and add to it.`,
  bytes: (quota: number, seconds: string) =>
    `More than ${quota} bytes in a day from this address, in workspaces that nobody claimed. Wait ${seconds} s, or have a person claim a workspace and add to that. Reads and deletes still work.`,
};

/**
 * Loopback is exempt without a proxy in front: it is the operator's own machine. Its answers have no rate fields.
 * With a `count` all instances share each quota.
 */
export function createLimits(settings: Chosen, metrics: Metrics, count?: Count) {
  const isOurs = (client: string) => settings.TRUST_PROXY === 0 && isLoopback(client);
  const isFree = (client: string) => settings.RATE_LIMIT === 'off' || isOurs(client);
  const create = (name: keyof typeof reasons, quota: number, windowSeconds: number) =>
    createRateLimit({ name, quota, windowSeconds });

  const live = create('live', settings.RATE_LIMIT_LIVE, minuteSeconds);
  const mint = create('mint', settings.RATE_LIMIT_MINT, minuteSeconds);
  const bytesADay = create('bytes', settings.BYTES_PER_CLIENT ?? Number.POSITIVE_INFINITY, daySeconds);
  const liveRate = count ? toSharedRate(live, count) : toOwnRate(live);
  const mintRate = count ? toExactRate(mint, count) : toOwnRate(mint);

  /** The RateLimit fields of a caller that is within its quota. Throws where it is not. */
  function toFields({ policy }: RateLimit, state: RateState): Record<string, string> {
    const isOfBytes = policy.name === 'bytes';
    const fields = isOfBytes ? none : toRateHeaders(policy, state);
    if (state.allowed) return fields;
    const seconds = String(state.seconds);
    metrics.add('careers_rate_limited_total', { limit: policy.name });
    throw new Refusal(isOfBytes ? 'storage_share' : 'rate_limited', {
      reason: reasons[policy.name as keyof typeof reasons](policy.quota, seconds),
      headers: { ...fields, 'Retry-After': seconds },
    });
  }

  return {
    /** The RateLimit fields of a live answer to this address. Throws rate_limited. */
    admitLive(client: string): Record<string, string> | Promise<Record<string, string>> {
      if (isFree(client)) return none;
      const state = liveRate.take(toNetwork(client));
      return state instanceof Promise ? state.then((one) => toFields(live, one)) : toFields(live, state);
    },
    /** Throws rate_limited. An admission that makes no workspace is given back. */
    async admitMint(client = ''): Promise<Admission> {
      const isLimited = !isFree(client);
      const key = toNetwork(client);
      return {
        headers: isLimited ? toFields(mint, await mintRate.take(key)) : none,
        settle(made) {
          if (made) metrics.add('careers_workspaces_minted_total');
          else if (isLimited) mintRate.giveBack(key);
        },
      };
    },
    /** Counts bytes once they are durable, by what it answers. Throws storage_share where there were too many before. */
    admitBytes(bytes: number, client: string): () => void {
      const key = toNetwork(client);
      if (settings.BYTES_PER_CLIENT === undefined || isOurs(client)) return () => {};
      toFields(bytesADay, bytesADay.take(key, performance.now(), 0));
      return () => {
        bytesADay.take(key, performance.now(), bytes);
        if (count) reportUse(bytesADay, count, key, bytes);
      };
    },
    /** Networks that are remembered. */
    size: () => live.size() + mint.size(),
  };
}
