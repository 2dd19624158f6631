import * as v from 'valibot';
import { candidate } from '../candidates/candidate.ts';
import { jobOrder } from '../job-orders/job-order.ts';
import { createEntityTag } from '../kernel/entity-tag.ts';
import { defineOperation, type OperationReply, type OperationRow } from '../kernel/operation.ts';
import { kinds } from '../kinds.ts';
import { ofWorkspace } from '../records/account/workspace-operations.ts';
import type { Kind } from '../records/kind/kind.ts';
import type { PresentedRecord } from '../records/kind/record.ts';
import { createRecordRow } from '../records/operations.ts';
import { findRecord } from '../records/read/read.ts';
import type { Context, RecordService } from '../records/service.ts';
import { replyNoRecord } from '../records/write/change.ts';
import { boundCsv, exportCsv } from './export-csv.ts';
import { toPosting } from './posting.ts';
import { toResume } from './resume.ts';

const collections = kinds.map(({ collection }) => collection);

type ToDocument = (record: PresentedRecord, service: RecordService) => object;

function readDocument(kind: Kind, toDocument: ToDocument, id: string, context: Context): OperationReply {
  const record = findRecord(kind, id, context)?.value;
  if (!record) return replyNoRecord(kind, id, context);
  const body = toDocument(record, context.service);
  return {
    status: 200,
    ...(context.workspace && { headers: { ETag: createEntityTag(JSON.stringify(body)) } }),
    body,
  };
}

/** Returns what the operations share that answer a record in a format of others. */
const createDocumentRow = (kind: Kind, file: string) => ({
  ...createRecordRow(kind, `/${file}`),
  method: 'GET' as const,
  caching: {
    rule: 'record' as const,
    frozen: ({ seed }: RecordService) =>
      seed.rows[kind.name]!.map(({ record: { id } }) => `${kind.path}/${id}/${file}`),
  },
});

export const exportOperations: readonly OperationRow[] = [
  defineOperation({
    ...ofWorkspace,
    operationId: 'exportCsv',
    method: 'GET',
    path: '/workspace/export.csv',
    input: v.object({
      kind: v.pipe(
        v.picklist(collections, `must be one of ${collections.join(', ')}`),
        v.title('Kind'),
        v.description('Which records.'),
      ),
    }),
    boundAnswer: boundCsv,
    run: ({ kind }, context: Context) => exportCsv(kind, context),
  }),
  defineOperation({
    ...createDocumentRow(jobOrder, 'posting.jsonld'),
    operationId: 'getJobPosting',
    run({ id }, context: Context) {
      const reply = readDocument(jobOrder, toPosting, id, context);
      return reply.status === 200 ? { ...reply, type: 'application/ld+json' } : reply;
    },
  }),
  defineOperation({
    ...createDocumentRow(candidate, 'resume.json'),
    operationId: 'getResume',
    run: ({ id }, context: Context) => readDocument(candidate, toResume, id, context),
  }),
];
