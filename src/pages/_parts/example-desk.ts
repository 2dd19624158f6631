import desk from '../../../content/live-desk.json' with { type: 'json' };

type Batch = Partial<(typeof desk.past)[number]['batch']>;
const batches: Batch[] = desk.past.map(({ batch }) => batch);

/** The records of the live desk, of all its changes. */
export const exampleDesk = {
  candidates: batches.flatMap(({ candidates = [] }) => candidates),
  jobOrders: batches.flatMap(({ jobOrders = [] }) => jobOrders),
  placements: batches.flatMap(({ placements }): object[] => placements ?? []),
};
