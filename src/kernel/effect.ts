/** What an operation does to what is stored. All but a `read` take an Idempotency-Key; a `create` may mint a workspace. */
export type Effect = 'read' | 'create' | 'update' | 'delete';

/** Each method that an operation may have, and its effect unless the row says. */
export const methods = { GET: 'read', POST: 'create', PATCH: 'update', DELETE: 'delete' } as const;
export type Method = keyof typeof methods;

/** Most bytes of a request line with headers, of a body unless the operation says, and of any body. */
export const largestHead = 16_384;
export const usualBody = 65_536;
export const largestBody = 1_048_576;

/** Whether a request of this HTTP method is read with its body; else its arguments are its query. */
export const hasBody = (method: string) => !['GET', 'DELETE', 'HEAD', 'OPTIONS'].includes(method);
