import { briefContracts } from './briefs/contract.ts';
import { listBriefs } from './briefs/list-briefs.ts';
import { discovery } from './documents/discovery.ts';
import { documents } from './documents/operations.ts';
import { exportContracts } from './exports/contract.ts';
import { importContracts } from './imports/contract.ts';
import { describeOperations } from './kernel/contract.ts';
import type { Operation } from './kernel/operation.ts';
import { kinds } from './kinds.ts';
import { ladderContracts } from './ladder/contract.ts';
import { live } from './live.ts';
import { matchContracts } from './matches/contract.ts';
import { mcpContracts } from './mcp/contract.ts';
import { serverCards } from './mcp/server-card.ts';
import { occupationContracts } from './occupations/contract.ts';
import { outcomeContracts } from './placements/contract.ts';
import { getKeys } from './placements/operations.ts';
import { pricingContracts } from './pricing/contract.ts';
import { getPricing } from './pricing/get-pricing.ts';
import { createRecordContracts } from './records/contract.ts';
import { shortlistContracts } from './shortlists/contract.ts';

const contracts = {
  ...occupationContracts,
  ...createRecordContracts(kinds),
  ...importContracts,
  ...exportContracts,
  ...matchContracts,
  ...shortlistContracts,
  ...briefContracts,
  ...outcomeContracts,
  ...ladderContracts,
  ...pricingContracts,
  ...mcpContracts,
};

/** Every operation of the service. Routing, the contract, the tools and the frozen files are made from it. */
export const operations: readonly Operation[] = [
  ...describeOperations(live, contracts),
  getPricing,
  listBriefs,
  ...documents,
  getKeys,
  ...discovery,
  ...serverCards,
];
