import * as v from 'valibot';
import { candidate } from '../candidates/candidate.ts';
import { jobOrder } from '../job-orders/job-order.ts';
import type { Contracts } from '../kernel/contract.ts';
import type { ReplySpec } from '../kernel/operation.ts';
import { createRecordContract } from '../records/contract.ts';

/** Describes a document in a format of others. The contract leaves its schema to them. */
const document = (type?: string): ReplySpec => ({
  description: 'The document.',
  schema: v.looseObject({}),
  ...(type && { type }),
});

export const exportContracts: Contracts = {
  exportCsv: {
    tag: 'workspaces',
    summary: 'Export as CSV',
    description: 'All records of a kind, as POST /imports reads them.',
    sample: { kind: 'candidates' },
    enveloped: false,
    replies: {
      200: { description: 'The file.', schema: v.string(), type: 'text/csv', example: () => 'ref,name,…' },
    },
  },
  getJobPosting: {
    ...createRecordContract(jobOrder, { 200: document('application/ld+json') }),
    summary: 'Read as JobPosting',
    description: 'As schema.org has it.',
    sample: { id: `${jobOrder.prefix}001` },
    enveloped: false,
  },
  getResume: {
    ...createRecordContract(candidate, { 200: document() }),
    summary: 'Read as JSON Resume',
    description: 'In version 1.0.0.',
    sample: { id: `${candidate.prefix}001` },
    enveloped: false,
  },
};
