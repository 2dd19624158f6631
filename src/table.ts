import { listBriefs } from './briefs/list-briefs.ts';
import { discovery } from './documents/discovery.ts';
import { documents } from './documents/operations.ts';
import type { Operation } from './kernel/operation.ts';
import { live } from './live.ts';
import { serverCards } from './mcp/server-card.ts';
import { getKeys } from './placements/operations.ts';
import { getPricing } from './pricing/get-pricing.ts';

/** Every operation of the service. Routing, the contract, the tools and the frozen files are made from it. */
export const operations: readonly Operation[] = [
  ...live,
  getPricing,
  listBriefs,
  ...documents,
  getKeys,
  ...discovery,
  ...serverCards,
];
