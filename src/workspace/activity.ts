/** How a change reached the service. */
export const vias = ['http', 'mcp', 'owner', 'shortlist', 'confirmation', 'brief'] as const;
export type Via = (typeof vias)[number];

/** What one change of a workspace did, as it is stored. Names are looked up when it is read. */
export interface ActivityEntry {
  revision: number;
  /** Milliseconds since the epoch. */
  at: number;
  via: Via;
  /** The program that made the change, as it says of itself. */
  client?: string;
  /** The operationId. */
  operation: string;
  /** The first records that it wrote, at most `mostRecordsOfEntry`. */
  records: readonly { id: string; kind: string }[];
  /** How many more it wrote. */
  more?: number;
  /** The members that the caller sent, if one record changed. */
  members?: readonly string[];
  /** The status before and after, if the only record moved. */
  from?: string;
  to?: string;
}

export const mostRecordsOfEntry = 20;
/** A store keeps the newest entries, so many of them. */
export const mostActivity = 1000;
