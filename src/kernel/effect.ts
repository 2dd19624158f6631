/** What an operation does to what is kept. */
export type Effect = 'read' | 'create' | 'update' | 'delete';

/** What follows from an effect. */
interface Consequences {
  /** Whether it makes a workspace for a caller who names none. */
  mints: boolean;
  /** Whether it takes an Idempotency-Key. */
  isKeyed: boolean;
  /**
   * Hints to a model (MCP, Tools, annotations): whether it only reads and, which says something only where it does
   * not, may undo what is there, and may be repeated.
   */
  hints: { readOnlyHint: true } | { readOnlyHint: false; destructiveHint: boolean; idempotentHint: boolean };
}

/** What each effect means, in the one place that decides it. */
export const effects = {
  read: {
    mints: false,
    isKeyed: false,
    hints: { readOnlyHint: true },
  },
  create: {
    mints: true,
    isKeyed: true,
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  },
  update: {
    mints: false,
    isKeyed: true,
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  },
  delete: {
    mints: false,
    isKeyed: true,
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  },
} as const satisfies Record<Effect, Consequences>;

/** Each method that an operation may have, and whether its arguments are its body; else they are its query. */
export const methods = {
  GET: { hasBody: false },
  POST: { hasBody: true },
  PATCH: { hasBody: true },
  DELETE: { hasBody: false },
} as const;

export type Method = keyof typeof methods;

/** Bytes of a request line and headers at most. */
export const largestHead = 16_384;

/** Bytes of a body at most, where the operation does not say. */
export const usualBody = 65_536;

/** Bytes of a body at most, whatever the operation. */
export const largestBody = 1_048_576;

/** Whether a request of this method, as HTTP has it, is read with its body. */
export function hasBody(method: string): boolean {
  return Object.hasOwn(methods, method)
    ? methods[method as Method].hasBody
    : method !== 'HEAD' && method !== 'OPTIONS';
}
