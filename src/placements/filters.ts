import type { Filters } from '../records/kind/filters.ts';
import { createSearchTest } from '../records/kind/search.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';

const isText = (value: unknown): value is string => typeof value === 'string';

/** Lists the texts of some members of the job order that a placement refers to. */
function listOrderTexts({ jobOrderId }: StoredRecord, view: View, members: readonly string[]): string[] {
  const order = view.find('jobOrder', jobOrderId as string);
  return members.map((member) => order?.[member]).filter(isText);
}

/** Filters by the records that a placement refers to. */
export const referredFilters: Filters = {
  client: {
    title: 'Client',
    description: 'Each word in the client of its order.',
    createTest: (value, view) =>
      createSearchTest(value, (record) => ({ texts: listOrderTexts(record, view, ['client']) })),
  },
  q: {
    title: 'Words',
    description: "Each in its ref, its candidate's name, or its order's client or title.",
    createTest: (value, view) =>
      createSearchTest(value, (record) => {
        const candidate = view.find('candidate', record.candidateId as string);
        const ownTexts = [record.ref, candidate?.name].filter(isText);
        return { texts: [...ownTexts, ...listOrderTexts(record, view, ['client', 'title'])] };
      }),
  },
};
