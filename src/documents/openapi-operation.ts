import { blocked, invalid } from '../kernel/contract.ts';
import { keyPattern, longestKey, shortestMintKey } from '../kernel/idempotency.ts';
import type { JsonSchema } from '../kernel/json-schema.ts';
import {
  type Capability,
  type Contract,
  hasBody,
  hasId,
  type Operation,
  type ReplySpec,
  usualBody,
} from '../kernel/operation.ts';
import { offer } from '../pricing/contract.ts';
import { workspacePattern } from '../records/account/workspace.ts';
import { storeRefusals } from '../records/refusals.ts';
import { createReplySchema, toContractSchema } from './openapi-schemas.ts';
import type { DocumentService } from './service.ts';

const text = (description: string, bounds: object = {}) => ({
  description,
  schema: { type: 'string', ...bounds },
});

const createHeaderParameter = (name: string, description: string, bounds?: object, required = false) => ({
  name,
  in: 'header',
  ...(required && { required }),
  ...text(description, bounds),
});

const createWorkspaceHeader = (workspace: true | 'required') =>
  createHeaderParameter(
    'X-Workspace',
    `Id of a workspace, \`ws_…\`, or its owner's handle.${workspace === 'required' ? '' : ' Without it a read sees the public seed, and a create mints a workspace.'}`,
    { pattern: workspacePattern },
    workspace === 'required',
  );

const createCapabilityHeader = ({ header, hint, shape }: Capability) =>
  createHeaderParameter(header, hint, { pattern: shape.source }, true);

const strictWords = '`handling=strict` refuses what would get a warning (RFC 7240).';
const minimalWords =
  '`return=minimal` answers only the id, ref and status of each record, whatever its schema requires (RFC 7240).';
const waitWords =
  '`wait=N`, in seconds, 25 at most, with If-None-Match: the answer comes once its ETag is another, else 304 at the end (RFC 7240).';

/** Lists the header Prefer of an operation. It is one header, even if the operation reads several preferences. */
function listPreferHeaders({ caching, rawBody, effect, hasMinimal }: Operation, hasQuery: boolean) {
  const isStrict = !rawBody && (hasQuery || effect !== 'read');
  const words = [
    ...(caching.canWait ? [waitWords] : []),
    ...(hasMinimal ? [minimalWords] : []),
    ...(isStrict ? [strictWords] : []),
  ];
  return words.length > 0 ? [createHeaderParameter('Prefer', words.join(' '))] : [];
}

const noneMatchHeader = createHeaderParameter(
  'If-None-Match',
  'The ETag of the answer that you have: 304 if it is still the same.',
);

/** Whether the 200 of an operation has an ETag: if it is frozen, can wait, or declares the header. */
const hasTag = ({ caching, contract: { replies } }: Operation): boolean =>
  replies[200] !== undefined &&
  (caching.frozen !== undefined ||
    caching.canWait !== undefined ||
    replies[200].headers?.includes('ETag') === true);

const matchHeader = createHeaderParameter(
  'If-Match',
  'The ETag that you read, a strong one; if the record reads otherwise by now, the answer is 412.',
);

const keyHeader = createHeaderParameter(
  'Idempotency-Key',
  `Makes a change safe to repeat while its workspace is kept: the same key and body get the first reply, another body gets 422. 1 to ${longestKey} ASCII characters, quoted (RFC 9651) or bare; without X-Workspace at least ${shortestMintKey}, from one address. Over /mcp it counts for tools that write.`,
  { pattern: keyPattern },
);

const actorHeader = createHeaderParameter(
  'X-Actor',
  'Who asked for the change, for the activity: UTF-8, percent-encoded, to 80 characters. Over /mcp the argument actor.',
);

export interface Parameter {
  name: string;
  /** Absent if it is optional. */
  required?: boolean;
}

/** Lists the parameters of an operation, with the values of its sample as examples. */
export function listParameters(operation: Operation): Parameter[] {
  const { input, method, effect, contract, otherBody, readsIfMatch } = operation;
  const { idText, sample = {}, headers } = contract;
  const { workspace, capability } = operation.access;
  const { properties = {}, required = [] } = toContractSchema(input);
  const query = Object.entries(properties).filter(
    ([name]) => !hasBody(method) || otherBody?.query.includes(name),
  );
  const id = { name: 'id', in: 'path', required: true, ...text(idText ?? ''), example: sample.id };
  return [
    ...(idText ? [id] : []),
    ...query.map(([name, { title: _, description, ...schema }]) => ({
      name,
      in: 'query',
      ...(!otherBody && required.includes(name) && { required: true }),
      description,
      schema,
      ...(!otherBody && sample[name] !== undefined && { example: sample[name] }),
    })),
    ...(workspace ? [createWorkspaceHeader(workspace)] : []),
    ...(capability ? [createCapabilityHeader(capability)] : []),
    ...(effect === 'read' ? [] : [keyHeader, actorHeader]),
    ...(readsIfMatch ? [matchHeader] : []),
    ...(effect === 'read' && hasTag(operation) ? [noneMatchHeader] : []),
    ...listPreferHeaders(operation, query.length > 0),
    ...Object.entries(headers ?? {}).map(([name, description]) => createHeaderParameter(name, description)),
  ];
}

export const headerComponents = {
  Location: text('Address of the created record.', { pattern: '^/' }),
  'X-Workspace': text('Id of the workspace that holds it: a capability, keep it to yourself.', {
    pattern: workspacePattern,
  }),
  'Idempotency-Replayed': text(
    '`true` where this is the reply to an earlier request with the same Idempotency-Key.',
    { const: 'true' },
  ),
  ETag: text(
    'The version of the answer. Send it as If-None-Match with a read and, unless it begins with W/, as If-Match with a change.',
    { pattern: '^(W/)?"' },
  ),
  'Retry-After': {
    description: 'Seconds to wait before the same is sent again.',
    schema: { type: 'integer', minimum: 1 },
  },
  RateLimit: text(
    'For each policy, requests that are left (`r`) and seconds until there are more (`t`); absent where you are not limited.',
  ),
  'RateLimit-Policy': text('For each policy, requests (`q`) in a window of seconds (`w`).'),
  'X-Request-Id': text('Id of this request in the log of the service: yours where you sent a fitting one.'),
};

/** Headers of replies that no cache may store, because they are made for one request. */
const liveHeaders = ['RateLimit', 'X-Request-Id'];

/** Whether a request for the operation can reach the live service, so that the rate limit can refuse it. */
function canBeLive(operation: Operation): boolean {
  const { effect, caching, access, input } = operation;
  const hasInput = access.workspace !== false || hasId(operation) || Object.keys(input.entries).length > 0;
  return effect !== 'read' || caching.rule === 'never' || hasInput;
}

function listHeaderNames(status: string, row: Operation): readonly string[] {
  const isOk = status === '200' || status === '304';
  const isCacheable = isOk && (row.caching.rule === 'public' || row.caching.rule === 'brief');
  const mayWait = ['429', '503', 'default'].includes(status);
  return [
    ...(status.startsWith('2') && isReplayed(row) ? ['Idempotency-Replayed'] : []),
    ...(mayWait ? ['Retry-After'] : []),
    // Every live reply has it, but the contract has no room to say so at each.
    ...(status === '429' ? ['RateLimit-Policy'] : []),
    ...(isOk && row.effect === 'read' && hasTag(row) ? ['ETag'] : []),
    ...(isCacheable ? [] : liveHeaders),
  ];
}

/** Replies of operations that create, by status. */
const creationReplies = {
  503: blocked(storeRefusals.store_full, 'The store is full, so nothing was added; see Retry-After.'),
};

/** Replies of every operation, by status. */
const commonReplies = {
  429: blocked('rate_limited', 'Too many requests, or bytes, from this address; see Retry-After.'),
  500: blocked('internal', 'Something went wrong here, not with the request.'),
  default: blocked('method_not_allowed', 'Any other boundary, with a worded reason.'),
};

/** Whether a repeated request with the same Idempotency-Key gets the first reply again. */
const isReplayed = (row: Operation) => row.effect !== 'read' && !row.rawBody;

const tooLarge = ({ bodyLimit = usualBody }: Operation): ReplySpec =>
  blocked('body_too_large', `The body is larger than ${bodyLimit / 1024} KiB.`);

const meterCeiling = offer('meterCeiling', 'The meter is at its ceiling.');

const notModified = { description: 'If-None-Match has the current ETag. No body.' };

/** Returns the replies of an operation: its own, and those that follow from its input and its price. */
export function collectReplies(row: Operation, { meter }: DocumentService): Contract['replies'] {
  const { access, contract, input, method } = row;
  const { workspace, capability } = access;
  const { replies } = contract;
  return {
    ...(method === 'GET' && replies[200] && { 304: notModified }),
    400:
      hasId(row) && !hasBody(method) ? blocked('invalid_path', 'The path or query is not valid.') : invalid,
    ...(workspace && { 401: blocked('unknown_workspace', 'No such workspace.') }),
    ...(capability && { 401: blocked(capability.unknown, 'No such token: unknown, replaced or expired.') }),
    ...('scope' in input.entries && { 403: blocked('forbidden_scope', 'scope is admin or internal.') }),
    ...(hasBody(method) && { 413: tooLarge(row) }),
    ...(isReplayed(row) && {
      422: blocked('idempotency_mismatch', 'The Idempotency-Key was used for another request.'),
    }),
    ...(meter.rates.has(row.operationId) && { 402: meterCeiling }),
    ...replies,
  } as Contract['replies'];
}

export interface Response {
  description: string;
  headers: Record<string, { $ref: string }>;
  content?: Record<string, { schema: JsonSchema; example?: unknown }>;
}

/** Characters of JSON of the longest example. A longer one is of a whole document, which can be read at its address. */
const longestExample = 1850;

const pickExample = (example: unknown): { example?: unknown } =>
  JSON.stringify(example).length > longestExample ? {} : { example };

export async function createResponses(
  operation: Operation,
  service: DocumentService,
  schemas: Record<string, JsonSchema>,
): Promise<Record<string, Response>> {
  const responses: Record<string, Response> = {};
  const added = operation.effect === 'create' ? creationReplies : {};
  const specs = Object.entries<ReplySpec>({
    ...commonReplies,
    ...added,
    ...collectReplies(operation, service),
  });
  for (const [status, spec] of specs) {
    if (status === '429' && !operation.contract.replies[429] && !canBeLive(operation)) continue;
    const { description, schema, type = 'application/json', headers = [], example } = spec;
    const names = new Set([...headers, ...listHeaderNames(status, operation)]);
    responses[status] = {
      description,
      headers: Object.fromEntries([...names].map((name) => [name, { $ref: `#/components/headers/${name}` }])),
      ...(schema && {
        content: {
          [type]: {
            schema: createReplySchema(schema, operation.operationId, schemas),
            ...(example && pickExample(await example(service))),
          },
        },
      }),
    };
  }
  return responses;
}

/** Names a response as a component: by the code or id in its example, else by its status. */
export function nameResponse(status: string, { content = {} }: Response): string {
  const { code, id } = (Object.values(content)[0]?.example ?? {}) as { code?: string; id?: unknown };
  const usual = { 304: 'not_modified', 402: 'offer', 404: 'not_found' }[status] ?? `status_${status}`;
  const name = code ?? id ?? usual;
  return String(name).replaceAll('-', '_');
}
