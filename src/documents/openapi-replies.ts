import type { GenericSchema } from 'valibot';
import { Blocked } from '../kernel/envelope.ts';
import { everyAnswer } from '../kernel/headers.ts';
import { type JsonSchema, toPlainSchema } from '../kernel/json-schema.ts';
import type { Operation, ReplySpec } from '../kernel/operation.ts';
import { toBlocked } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import { memberBounds } from './member-bounds.ts';
import { tellReply } from './openapi-members.ts';

const text = (description: string, bounds: object = {}) => ({
  description,
  schema: { type: 'string', ...bounds },
});

/** Every header of a reply that the contract tells, for its components. */
export const headerComponents = {
  Location: text('Address of the created record.', { pattern: '^/', maxLength: 2048 }),
  'X-Workspace': text(
    'Id of the workspace that holds it: a capability, keep it to yourself.',
    memberBounds.workspace,
  ),
  'Idempotency-Replayed': text(
    '`true` where this is the reply to an earlier request with the same Idempotency-Key.',
    { const: 'true' },
  ),
  ETag: text('Tells this version of the record from others; send it as If-Match with a change.', {
    pattern: '^(W/)?"',
    maxLength: 80,
  }),
  'Retry-After': {
    description: 'Seconds to wait before the same is sent again.',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 2 ** 31 - 1 },
  },
  RateLimit: text(
    'For each policy, requests that are left (`r`) and seconds until there are more (`t`); absent where you are not limited.',
  ),
  'RateLimit-Policy': text('For each policy, requests (`q`) in a window of seconds (`w`).'),
  'Access-Control-Allow-Origin': {
    description: 'Any origin may read it, since no cookie exists.',
    schema: { const: everyAnswer['Access-Control-Allow-Origin'] },
  },
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

const failed: ReplySpec = {
  description: 'Something went wrong here, not with the request.',
  schema: Blocked,
  example: () => toBlocked('internal'),
};

const fallback: ReplySpec = {
  description: 'Any other boundary, with a worded reason.',
  schema: Blocked,
  example: () => toBlocked('method_not_allowed'),
};

/** Schemas with a name: what they are made of, and as the contract tells them. */
interface Named {
  components: Record<string, GenericSchema>;
  schemas: Record<string, JsonSchema>;
}

async function toResponse(
  { operationId }: Operation,
  { description, schema, type = 'application/json', headers = [], example }: ReplySpec,
  more: readonly string[],
  service: Service,
  { components, schemas }: Named,
): Promise<object> {
  const names = [...headers, 'Access-Control-Allow-Origin', ...more];
  return {
    description,
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...(schema && {
      content: {
        [type]: {
          schema: tellReply(toPlainSchema(schema, components), operationId, schemas),
          ...(example && { example: await example(service) }),
        },
      },
    }),
  };
}

/** What every operation can be answered, by its status. */
const everywhere = { 429: rateLimited, 500: failed, default: fallback };

/** The replies of an operation, by status, as OpenAPI 3.1 has them. */
export async function toResponses(
  operation: Operation,
  service: Service,
  named: Named,
): Promise<Record<string, object>> {
  const responses: Record<string, object> = {};
  for (const [status, spec] of Object.entries(operation.replies))
    responses[status] = await toResponse(operation, spec, toHeaderNames(status, operation), service, named);
  for (const [status, spec] of Object.entries(everywhere)) {
    const more = [...(status === '500' ? [] : ['Retry-After']), ...liveHeaders];
    if (status !== '429' || canBeLive(operation))
      responses[status] ??= await toResponse(operation, spec, more, service, named);
  }
  return responses;
}

type Responses = Record<string, object>;

/** What a response is called: by the code of the boundary that is its example, else by its status. */
function toName(status: string, response: object): string {
  const { content = {} } = response as {
    content?: Record<string, { example?: { code?: string; id?: string } }>;
  };
  const { code, id } = Object.values(content)[0]?.example ?? {};
  const words = (code ?? id ?? (status === '404' ? 'not-found' : `status-${status}`)).split(/[_-]/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/**
 * The responses of operations, those that several have told once: the operations refer to them by name. Gives the
 * named ones, and changes each of `all`.
 */
export function shareResponses(all: readonly Responses[]): Responses {
  const rows = all.flatMap((responses) =>
    Object.entries(responses).map(([status, response]) => {
      return { responses, status, response, text: JSON.stringify([status === 'default', response]) };
    }),
  );
  const times = new Map<string, number>();
  for (const { text } of rows) times.set(text, (times.get(text) ?? 0) + 1);
  const names = new Map<string, string>();
  const uses = new Map<string, number>();
  const shared: Responses = {};
  for (const { responses, status, response, text } of rows) {
    if (times.get(text) === 1) continue;
    if (!names.has(text)) {
      const name = toName(status, response);
      const used = (uses.get(name) ?? 0) + 1;
      uses.set(name, used);
      names.set(text, used === 1 ? name : `${name}${used}`);
      shared[names.get(text)!] = response;
    }
    responses[status] = { $ref: `#/components/responses/${names.get(text)}` };
  }
  return shared;
}
