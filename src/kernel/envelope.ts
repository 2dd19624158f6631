import * as v from 'valibot';

/** Where in the request something is amiss, and what to send instead. */
export const Issue = v.pipe(v.object({ path: v.string(), message: v.string() }), v.title('Issue'));
export type Issue = v.InferOutput<typeof Issue>;

const warnings = v.optional(
  v.pipe(v.array(Issue), v.description('What was accepted but ignored or could not be resolved.')),
);

/** A truthful empty result: 200 for a collection, 404 for a single record or an unknown address. */
export const Empty = v.pipe(
  v.object({
    type: v.literal('EMPTY'),
    message: v.pipe(v.string(), v.description('Why there is nothing, and where to look.')),
    total: v.optional(v.number()),
    links: v.optional(v.record(v.string(), v.string())),
    warnings,
  }),
  v.title('Empty'),
  v.description('A truthful empty result, never a bare empty array.'),
);

/** A permission, validation or availability boundary with a worded reason. */
export const Blocked = v.pipe(
  v.object({
    type: v.literal('BLOCKED'),
    code: v.pipe(v.string(), v.description('Stable name of the boundary, for programs.')),
    reason: v.pipe(v.string(), v.description('What was refused and what to send instead.')),
    issues: v.optional(v.array(Issue)),
  }),
  v.title('Blocked'),
  v.description('A boundary with a worded reason; nothing was acknowledged.'),
);

/** The envelope of substantive content: `type: "OK"`, the given members, and warnings if there are any. */
export function toOkSchema<E extends v.ObjectEntries>(entries: E) {
  return v.object({ type: v.literal('OK'), ...entries, warnings });
}

/** The envelope of a collection page under its member name. */
export function toPageSchema<T extends v.GenericSchema>(member: string, row: T) {
  return toOkSchema({
    [member]: v.array(row),
    total: v.pipe(v.number(), v.description('How many match, over all pages.')),
    nextCursor: v.optional(v.pipe(v.string(), v.description('Send it as `cursor` for the next page.'))),
  });
}
