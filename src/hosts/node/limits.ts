import { isLoopback, toNetwork } from '../../kernel/client-address.ts';
import { createRateLimit, type RateLimit, type RateState, toRateHeaders } from '../../kernel/rate-limit.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Admission, Settings } from '../../kernel/service.ts';
import type { Count } from '../../records/rate-counter.ts';
import type { Metrics } from './metrics.ts';
import type { NodeSettings } from './settings.ts';
import { createOwnRate, createSharedRate, type Rate } from './shared-rate.ts';

/** Both rate limits, by client address. */
export interface Limits {
  /** The RateLimit fields of a live answer to this address. Throws rate_limited. */
  admitLive(client: string): Record<string, string> | Promise<Record<string, string>>;
  /** Throws rate_limited. An admission that makes no workspace is given back. */
  admitMint(client: string | undefined): Admission | Promise<Admission>;
  /** Networks that are remembered. */
  size(): number;
}

type Chosen = Pick<NodeSettings, 'RATE_LIMIT' | 'RATE_LIMIT_LIVE' | 'RATE_LIMIT_MINT' | 'TRUST_PROXY'>;

const windowSeconds = 60;
/** The fields of a caller who is not limited. */
export const none: Record<string, string> = {};

/** Both limits as they are published; nothing where they are off. */
export const toRates = ({ RATE_LIMIT, RATE_LIMIT_LIVE, RATE_LIMIT_MINT }: Chosen): Pick<Settings, 'rates'> =>
  RATE_LIMIT === 'off' ? {} : { rates: { live: RATE_LIMIT_LIVE, mint: RATE_LIMIT_MINT } };

/**
 * Loopback is exempt without a proxy in front: it is the operator's own machine. Its answers have no rate fields.
 * With a `count` all instances share each quota.
 */
export function createLimits(settings: Chosen, metrics: Metrics, count?: Count): Limits {
  const isOff = settings.RATE_LIMIT === 'off';
  const live = createRateLimit({ name: 'live', quota: settings.RATE_LIMIT_LIVE, windowSeconds });
  const mint = createRateLimit({ name: 'mint', quota: settings.RATE_LIMIT_MINT, windowSeconds });
  const liveRate = count ? createSharedRate(live, count) : createOwnRate(live);
  const mintRate = count ? createSharedRate(mint, count, true) : createOwnRate(mint);
  const isFree = (client: string) => isOff || (settings.TRUST_PROXY === 0 && isLoopback(client));

  const liveReason = (seconds: number) =>
    `More than ${settings.RATE_LIMIT_LIVE} live requests a minute from this address. Wait ${seconds} s, then send it again; plain addresses without a query, such as /occupations and /candidates, are never limited.`;
  const mintReason = (seconds: number) =>
    `More than ${settings.RATE_LIMIT_MINT} new workspaces a minute from this address. Wait ${seconds} s, or name a workspace that you have (X-Workspace; over MCP the argument workspace) and add to it.`;

  function toFields({ policy }: RateLimit, state: RateState): Record<string, string> {
    const headers = toRateHeaders(policy, state);
    if (state.allowed) return headers;
    const isLive = policy === live.policy;
    if (isLive) metrics.limitedLive += 1;
    else metrics.limitedMint += 1;
    throw new Refusal('rate_limited', {
      reason: (isLive ? liveReason : mintReason)(state.seconds),
      headers: { ...headers, 'Retry-After': String(state.seconds) },
    });
  }

  function take(limit: RateLimit, rate: Pick<Rate, 'take'>, client: string) {
    const state = rate.take(toNetwork(client));
    return state instanceof Promise ? state.then((later) => toFields(limit, later)) : toFields(limit, state);
  }

  return {
    admitLive(client) {
      return isFree(client) ? none : take(live, liveRate, client);
    },
    admitMint(client = '') {
      const settle = (made: boolean) => {
        if (made) metrics.minted += 1;
      };
      if (isFree(client)) return { headers: none, settle };
      const toAdmission = (headers: Record<string, string>): Admission => ({
        headers,
        settle(made) {
          settle(made);
          if (!made) mintRate.giveBack(toNetwork(client));
        },
      });
      const headers = take(mint, mintRate, client);
      return headers instanceof Promise ? headers.then(toAdmission) : toAdmission(headers);
    },
    size: () => live.size() + mint.size(),
  };
}
