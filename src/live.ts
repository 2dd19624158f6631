import { guides } from './documents/guides.ts';
import { health } from './documents/health.ts';
import type { Operation } from './kernel/operation.ts';
import { matchOperations } from './matches/operations.ts';
import { callMcp } from './mcp/call-mcp.ts';
import { occupations } from './occupations/operations.ts';
import { commerce } from './pricing/operations.ts';
import { recordOperations } from './records/operations.ts';

/** The operations that every host runs, a browser too; all others are documents, which a browser has as frozen. */
export const live: readonly Operation[] = [
  ...occupations,
  ...recordOperations,
  ...matchOperations,
  ...commerce,
  callMcp,
  ...guides,
  ...health,
];
