import type { Operation } from '../core/operation.ts';
import { candidates } from './candidates.ts';
import { commerce } from './commerce.ts';
import { discovery } from './discovery.ts';
import { documents } from './documents.ts';
import { health } from './health.ts';
import { jobOrders } from './job-orders.ts';
import { callMcp } from './mcp/call-mcp.ts';
import { occupations } from './occupations.ts';
import { placements } from './placements.ts';

/** Every operation of the service. Routing, the contract, the tools and the frozen files are read from here. */
export const operations: readonly Operation[] = [
  ...occupations,
  ...candidates,
  ...jobOrders,
  ...placements,
  ...commerce,
  ...documents,
  ...discovery,
  callMcp,
  ...health,
];
