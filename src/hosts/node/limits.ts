import { isLoopback, toNetwork } from '../../kernel/client-address.ts';
import { createRateLimit, type RateLimit, toRateHeaders } from '../../kernel/rate-limit.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Admission } from '../../kernel/service.ts';
import type { Metrics } from './metrics.ts';
import type { NodeSettings } from './settings.ts';

/** Both rate limits, by client address. */
export interface Limits {
  /** The RateLimit fields of a live answer to this address. Throws rate_limited. */
  admitLive(client: string): Record<string, string>;
  /** Throws rate_limited. What came to nothing is given back. */
  admitMint(client: string | undefined): Admission;
  /** Networks that are remembered. */
  size(): number;
}

type Chosen = Pick<NodeSettings, 'RATE_LIMIT' | 'RATE_LIMIT_LIVE' | 'RATE_LIMIT_MINT' | 'TRUST_PROXY'>;

const windowSeconds = 60;
const none = {};

/** Loopback is exempt where no proxy stands in front: it is the operator's own machine. */
export function createLimits(settings: Chosen, metrics: Metrics): Limits {
  const isOff = settings.RATE_LIMIT === 'off';
  const live = createRateLimit({ name: 'live', quota: settings.RATE_LIMIT_LIVE, windowSeconds });
  const mint = createRateLimit({ name: 'mint', quota: settings.RATE_LIMIT_MINT, windowSeconds });
  const isExempt = (client: string) => settings.TRUST_PROXY === 0 && isLoopback(client);
  const toUntouched = ({ policy }: RateLimit) =>
    toRateHeaders(policy, { allowed: true, remaining: policy.quota, seconds: policy.windowSeconds });
  const untouchedLive = toUntouched(live);
  const untouchedMint = toUntouched(mint);

  function take(limit: RateLimit, client: string, toReason: (seconds: number) => string) {
    const state = limit.take(toNetwork(client), performance.now());
    const headers = toRateHeaders(limit.policy, state);
    if (state.allowed) return headers;
    throw new Refusal('rate_limited', {
      reason: toReason(state.seconds),
      headers: { ...headers, 'Retry-After': String(state.seconds) },
    });
  }

  return {
    admitLive(client) {
      if (isOff) return none;
      if (isExempt(client)) return untouchedLive;
      try {
        return take(
          live,
          client,
          (seconds) =>
            `More than ${settings.RATE_LIMIT_LIVE} live requests a minute from this address. Wait ${seconds} s, then send it again; plain addresses without a query, such as /occupations and /candidates, are never limited.`,
        );
      } catch (error) {
        metrics.limitedLive += 1;
        throw error;
      }
    },
    admitMint(client = '') {
      const settle = (made: boolean) => {
        if (made) metrics.minted += 1;
      };
      if (isOff) return { headers: none, settle };
      if (isExempt(client)) return { headers: untouchedMint, settle };
      try {
        const headers = take(
          mint,
          client,
          (seconds) =>
            `More than ${settings.RATE_LIMIT_MINT} new workspaces a minute from this address. Wait ${seconds} s, or name a workspace that you have (X-Workspace; over MCP the argument workspace) and add to it.`,
        );
        return {
          headers,
          settle(made) {
            settle(made);
            if (!made) mint.giveBack(toNetwork(client));
          },
        };
      } catch (error) {
        metrics.limitedMint += 1;
        throw error;
      }
    },
    size: () => live.size() + mint.size(),
  };
}
