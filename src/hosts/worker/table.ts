import type { Operation } from '../../core/operation.ts';
import { candidates } from '../../operations/candidates.ts';
import { commerce } from '../../operations/commerce.ts';
import { toDocument } from '../../operations/document.ts';
import { health } from '../../operations/health.ts';
import { jobOrders } from '../../operations/job-orders.ts';
import { callMcp } from '../../operations/mcp/call-mcp.ts';
import { occupations } from '../../operations/occupations.ts';
import { placements } from '../../operations/placements.ts';
import type { DocumentRow, FrozenDocuments } from './build-facts.ts';

/** The rows that a worker runs as they are. All other rows are documents, and come frozen. */
export const runRows: readonly Operation[] = [
  ...occupations,
  ...candidates,
  ...jobOrders,
  ...placements,
  ...commerce,
  callMcp,
  ...health,
];

/** The row of a frozen document: it answers what the build wrote down. */
function toFrozenRow(
  { markdown, ...row }: DocumentRow,
  documents: () => Promise<FrozenDocuments>,
): Operation {
  const find = async () => (await documents())[row.operationId]!;
  const document = toDocument({ summary: '', description: '', ...row, make: () => undefined });
  return {
    ...document,
    ...(markdown && { markdown: async () => (await find()).markdown }),
    async run() {
      const { markdown: _, ...outcome } = await find();
      return { status: 200, ...outcome };
    },
  };
}

/** The table of a worker: what it runs, and the documents that the build froze. */
export function toWorkerTable(
  rows: readonly DocumentRow[],
  documents: () => Promise<FrozenDocuments>,
): readonly Operation[] {
  return [...runRows, ...rows.map((row) => toFrozenRow(row, documents))];
}
