import { briefOperations } from './briefs/operations.ts';
import { guides } from './documents/guides.ts';
import { health } from './documents/health.ts';
import { exportOperations } from './exports/operations.ts';
import { importOperations } from './imports/operations.ts';
import type { Operation, OperationRow } from './kernel/operation.ts';
import { kinds } from './kinds.ts';
import { ladderOperations } from './ladder/operations.ts';
import { matchOperations } from './matches/operations.ts';
import { callMcp } from './mcp/call-mcp.ts';
import { occupations } from './occupations/operations.ts';
import { outcomeOperations } from './placements/operations.ts';
import { getOffer } from './pricing/offer.ts';
import { deleteWorkspace } from './records/account/workspace-operations.ts';
import { defineRecordOperations } from './records/operations.ts';
import { shortlistOperations } from './shortlists/operations.ts';

/** The operations that every host runs, even a browser. All others are documents, which a browser has as frozen. */
export const live: readonly (Operation | OperationRow)[] = [
  ...occupations,
  ...defineRecordOperations(kinds),
  ...importOperations,
  ...exportOperations,
  ...matchOperations,
  ...shortlistOperations,
  ...briefOperations,
  ...outcomeOperations,
  ...ladderOperations,
  deleteWorkspace,
  getOffer,
  callMcp,
  ...guides,
  ...health,
];
