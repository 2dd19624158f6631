import { type Call, readMediaType } from './call.ts';
import type { Finding } from './envelope.ts';

/** A body that is not JSON. The arguments that it does not hold are in the query. */
export interface OtherBody {
  /** Its media type, in lower case. A body of this type is always read so. */
  type: string;
  /** Media types that other clients give it. A body of one of them is read so if the query has the argument `byQuery`. */
  otherTypes: readonly string[];
  byQuery: string;
  /** How to send it, for a refusal: `a table as text/csv`. */
  how: string;
  /** The arguments that are read from the query. */
  query: readonly string[];
  /** Reads the other arguments from the body. Throws a Refusal. */
  read(call: Call): { args: Readonly<Record<string, unknown>>; warnings: Finding[] };
}

/** Whether a body is in the other form that an operation reads. `args` are those of the query. */
export function isOtherBody({ type, otherTypes, byQuery }: OtherBody, args: object, call: Call): boolean {
  const sent = readMediaType(call);
  return sent === type || (otherTypes.includes(sent) && byQuery in args);
}
