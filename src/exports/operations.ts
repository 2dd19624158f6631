import * as v from 'valibot';
import { candidate } from '../candidates/candidate.ts';
import { jobOrder } from '../job-orders/job-order.ts';
import { createEntityTag } from '../kernel/entity-tag.ts';
import { defineOperation, type OperationReply, type OperationRow } from '../kernel/operation.ts';
import { toIsoDate } from '../kernel/text.ts';
import { kinds } from '../kinds.ts';
import { replyNoRecord } from '../records/change.ts';
import type { Kind } from '../records/kind.ts';
import { createRecordRow } from '../records/operations.ts';
import { findRecord } from '../records/read.ts';
import type { PresentedRecord } from '../records/record.ts';
import type { Context, RecordService } from '../records/service.ts';
import { ofWorkspace } from '../records/workspace-operations.ts';
import { exportCsv } from './export-csv.ts';
import { type OrderFacts, toPosting } from './posting.ts';
import { type CandidateFacts, toResume } from './resume.ts';

const collections = kinds.map(({ collection }) => collection);

/** Turns a record into a document. `occupation` is the title of its code, and `today` the day that it is read for. */
type ToDocument = (record: PresentedRecord, occupation: string, today: string) => object;

function readDocument(kind: Kind, toDocument: ToDocument, id: string, context: Context): OperationReply {
  const record = findRecord(kind, id, context)?.value;
  if (!record) return replyNoRecord(kind, id, context);
  const { seed, platform, occupationByCode } = context.service;
  const today = record.example ? seed.today : toIsoDate(platform.now());
  const occupation = occupationByCode.get(record.onetCode as string)!.title;
  const body = toDocument(record, occupation, today);
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
        v.description('The records to export.'),
      ),
    }),
    run: ({ kind }, context: Context) => exportCsv(kind, context),
  }),
  defineOperation({
    ...createDocumentRow(jobOrder, 'posting.jsonld'),
    operationId: 'getJobPosting',
    run({ id }, context: Context) {
      const toDocument: ToDocument = (record, ...facts) => toPosting(record as OrderFacts, ...facts);
      const reply = readDocument(jobOrder, toDocument, id, context);
      return reply.status === 200 ? { ...reply, type: 'application/ld+json' } : reply;
    },
  }),
  defineOperation({
    ...createDocumentRow(candidate, 'resume.json'),
    operationId: 'getResume',
    run({ id }, context: Context) {
      const toDocument: ToDocument = (record, occupation) => toResume(record as CandidateFacts, occupation);
      return readDocument(candidate, toDocument, id, context);
    },
  }),
];
