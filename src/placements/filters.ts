import type { Filters } from '../records/filters.ts';
import { createSearchTest } from '../records/search.ts';
import type { View } from '../workspace/view.ts';
import type { PlacementRecord } from './placement-record.ts';

/** Returns the named members of the candidate and the job order that a placement refers to. */
function readReferred({ candidateId, jobOrderId }: PlacementRecord, view: View) {
  const candidate = view.find('candidate', candidateId) as { name?: string } | undefined;
  const order = view.find('jobOrder', jobOrderId) as { client?: string; title?: string } | undefined;
  return { name: candidate?.name ?? [], client: order?.client ?? [], title: order?.title ?? [] };
}

/** Filters by the records that a placement refers to. */
export const referredFilters: Filters = {
  client: {
    title: 'Client',
    description: 'Each word in the client of its order.',
    createTest: (value, view) =>
      createSearchTest(value, (record) => ({
        texts: [readReferred(record as PlacementRecord, view).client].flat(),
      })),
  },
  q: {
    title: 'Words',
    description: "Each in its candidate's name, or its order's client or title.",
    createTest: (value, view) =>
      createSearchTest(value, (record) => {
        const { name, client, title } = readReferred(record as PlacementRecord, view);
        return { texts: [name, client, title].flat() };
      }),
  },
};
