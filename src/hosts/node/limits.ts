import { isLoopback, toNetwork } from '../../kernel/client-address.ts';
import { createRateLimit, type RateState, toRateHeaders } from '../../kernel/rate-limit.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Admission, Settings } from '../../kernel/service.ts';
import type { Count } from '../../records/store.ts';
import type { Metrics } from './metrics.ts';
import type { NodeSettings } from './settings.ts';
import { createSharedRate, type Rate } from './shared-rate.ts';

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

interface Limit {
  name: string;
  quota: number;
  /** Whether all instances together allow no more than the quota. */
  isExact: boolean;
  toReason(seconds: number): string;
}

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
  const isFree = (client: string) =>
    settings.RATE_LIMIT === 'off' || (settings.TRUST_PROXY === 0 && isLoopback(client));

  function create({ name, quota, isExact, toReason }: Limit) {
    const limit = createRateLimit({ name, quota, windowSeconds });
    const own: Rate = {
      take: (key) => limit.take(key, performance.now()),
      giveBack: limit.giveBack,
    };
    const { take, giveBack } = count ? createSharedRate(limit, count, isExact) : own;

    function toFields(state: RateState): Record<string, string> {
      const headers = toRateHeaders(limit.policy, state);
      if (state.allowed) return headers;
      metrics.add('careers_rate_limited_total', { limit: name });
      throw new Refusal('rate_limited', {
        reason: toReason(state.seconds),
        headers: { ...headers, 'Retry-After': String(state.seconds) },
      });
    }

    return {
      admit(client: string) {
        const state = take(toNetwork(client));
        return state instanceof Promise ? state.then(toFields) : toFields(state);
      },
      giveBack: (client: string) => giveBack(toNetwork(client)),
      size: limit.size,
    };
  }

  const live = create({
    name: 'live',
    quota: settings.RATE_LIMIT_LIVE,
    isExact: false,
    toReason: (seconds) =>
      `More than ${settings.RATE_LIMIT_LIVE} live requests a minute from this address. Wait ${seconds} s, then send it again; plain addresses without a query, such as /occupations and /candidates, are never limited.`,
  });
  const mint = create({
    name: 'mint',
    quota: settings.RATE_LIMIT_MINT,
    isExact: true,
    toReason: (seconds) =>
      `More than ${settings.RATE_LIMIT_MINT} new workspaces a minute from this address. Wait ${seconds} s, or name a workspace that you have (X-Workspace; over MCP the argument workspace) and add to it.`,
  });

  return {
    admitLive: (client) => (isFree(client) ? none : live.admit(client)),
    admitMint(client = '') {
      const toAdmission = (headers: Record<string, string>): Admission => ({
        headers,
        settle(made) {
          if (made) metrics.add('careers_workspaces_minted_total');
          else if (headers !== none) mint.giveBack(client);
        },
      });
      const headers = isFree(client) ? none : mint.admit(client);
      return headers instanceof Promise ? headers.then(toAdmission) : toAdmission(headers);
    },
    size: () => live.size() + mint.size(),
  };
}
