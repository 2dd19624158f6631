/** What a page tells its worker: to answer it too, and to take the place of the worker before it. */
export const messages = { claim: 'claim', takeOver: 'take-over' } as const;

/** What a worker tells its pages while it fetches what a search needs: parts of one that have come. */
export interface SearchProgress {
  search: number;
}

/** A request with this header goes past the worker to the host behind it. */
export const passHeader = 'X-Worker';

export const workerPath = '/worker.js';
