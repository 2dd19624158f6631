/** How a change reached the service. */
export const vias = ['http', 'mcp', 'owner', 'shortlist', 'confirmation', 'brief'] as const;
export type Via = (typeof vias)[number];

/** What one change of a workspace did, as it is stored. Names are looked up when it is read. */
export interface ActivityEntry {
  revision: number;
  /** Milliseconds since the epoch. */
  at: number;
  via: Via;
  /** The name that the program that made the change gives itself. */
  client?: string;
  /** The operationId. */
  operation: string;
  /** The first records that the change wrote, at most `mostRecordsOfEntry`. */
  records: readonly { id: string; kind: string }[];
  /** How many more records it wrote. */
  more?: number;
  /** How many records it created, by kind, if it wrote several. */
  created?: Readonly<Record<string, number>>;
  /** The members that the caller sent, if the change wrote one record. */
  members?: readonly string[];
  /** The status before and after, if the change moved a single record. */
  from?: string;
  to?: string;
}

export const mostRecordsOfEntry = 20;
/** How many of the newest entries a store keeps. */
export const mostActivity = 1000;
