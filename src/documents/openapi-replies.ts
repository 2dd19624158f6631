import type { GenericSchema } from 'valibot';
import { Blocked } from '../kernel/envelope.ts';
import { toPlainSchema } from '../kernel/json-schema.ts';
import type { Operation, ReplySpec } from '../kernel/operation.ts';
import { toBlocked } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';

const text = (description: string) => ({ description, schema: { type: 'string' } });

/** Every header of a reply that the contract tells, for its components. */
export const headerComponents = {
  Location: text('Address of the created record.'),
  'X-Workspace': text('Id of the workspace that holds it: a capability, keep it to yourself.'),
  'Idempotency-Replayed': text(
    '`true` where this is the reply to an earlier request with the same Idempotency-Key.',
  ),
  ETag: text('Tells this version of the record from others; send it as If-Match with a change.'),
  'Retry-After': {
    description: 'Seconds to wait before the same is sent again.',
    schema: { type: 'integer', minimum: 1 },
  },
  RateLimit: text(
    'For each policy, requests that are left (`r`) and seconds until there are more (`t`); absent where limits are off.',
  ),
  'RateLimit-Policy': text('For each policy, requests (`q`) in a window of seconds (`w`).'),
  'X-Request-Id': text('Id of this request in the log of the service: yours where you sent a fitting one.'),
};

/** Sent with what no cache may keep: an answer made for one request. */
const liveHeaders = ['RateLimit', 'RateLimit-Policy', 'X-Request-Id'];

/** Whether some request of the operation is answered live, by which it can be one too many. */
function canBeLive({ effect, cache, workspace, idText, input }: Operation): boolean {
  const asks = workspace !== false || idText !== undefined || Object.keys(input.entries).length > 0;
  return effect !== 'read' || cache === 'never' || asks;
}

/** Headers of a reply, beside its own. */
function toHeaderNames(status: string, operation: Operation): readonly string[] {
  const isKept = status === '200' && ['public', 'brief'].includes(operation.cache);
  const mayWait = status === '429' || status === 'default';
  return [...(mayWait ? ['Retry-After'] : []), ...(isKept ? [] : liveHeaders)];
}

const rateLimited: ReplySpec = {
  description: 'Too many requests from this address; see Retry-After.',
  schema: Blocked,
  example: () => toBlocked('rate_limited'),
};

const fallback: ReplySpec = {
  description: 'Any other boundary, with a worded reason.',
  schema: Blocked,
  example: () => toBlocked('method_not_allowed'),
};

type Components = Record<string, GenericSchema>;

async function toResponse(
  { description, schema, type = 'application/json', headers = [], example }: ReplySpec,
  more: readonly string[],
  service: Service,
  components: Components,
): Promise<object> {
  const names = [...headers, ...more];
  return {
    description,
    ...(names.length > 0 && {
      headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    }),
    ...(schema && {
      content: {
        [type]: {
          schema: toPlainSchema(schema, components),
          ...(example && { example: await example(service) }),
        },
      },
    }),
  };
}

/** What every operation can be answered, told once: by the name of the component, and its status. */
const shared = { RateLimited: ['429', rateLimited], Other: ['default', fallback] } as const;

/** The responses that the contract tells once for all operations. */
export async function toSharedResponses(service: Service, components: Components) {
  const told = Object.entries(shared).map(async ([name, [, spec]]) => {
    return [name, await toResponse(spec, ['Retry-After', ...liveHeaders], service, components)] as const;
  });
  return Object.fromEntries(await Promise.all(told));
}

/** The replies of an operation, by status, as OpenAPI 3.1 has them. */
export async function toResponses(
  operation: Operation,
  service: Service,
  components: Components,
): Promise<Record<string, object>> {
  const responses: Record<string, object> = {};
  for (const [status, spec] of Object.entries(operation.replies))
    responses[status] = await toResponse(spec, toHeaderNames(status, operation), service, components);
  for (const [name, [status]] of Object.entries(shared)) {
    if (status !== '429' || canBeLive(operation))
      responses[status] ??= { $ref: `#/components/responses/${name}` };
  }
  return responses;
}
