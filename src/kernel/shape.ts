import type * as v from 'valibot';

/** A valibot schema with the members that are read here. Which ones it has depends on its type. */
export type Shape = v.GenericSchema & {
  type: string;
  wrapped?: v.GenericSchema;
  getter?(sent: unknown): v.GenericSchema;
  entries?: v.ObjectEntries;
  item?: v.GenericSchema;
  /** The most items that a list of a request takes. */
  mostItems?: number;
  /** Set if a text holds several values with commas between: an example of such a text. */
  takesCommas?: string;
  /** Set if a tool has a default of its own: its value, and a description that says so. */
  ofTool?: { usual: number; description: string };
  /** Returns the entries of an object that can be one of several. Returns undefined if it does not show which one. */
  chooseEntries?(sent: Record<string, unknown>): v.ObjectEntries | undefined;
};

/**
 * Returns the schema inside `optional`, `nullable` and `lazy`. A `lazy` schema chooses one by the value; for undefined it
 * returns the one that the contract and the tools show.
 */
export function unwrap(schema: v.GenericSchema): Shape {
  const { wrapped, getter } = schema as Shape;
  const inner = getter ? getter(undefined) : wrapped;
  return inner ? unwrap(inner) : (schema as Shape);
}
