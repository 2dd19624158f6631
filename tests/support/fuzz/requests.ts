import * as fc from 'fast-check';
import type { Contract, ContractOperation } from '../contract.ts';
import { type Schema, toBrokenObject, toObject, toValue } from './values.ts';

/** One request before it is sent: `workspace` and `key` are chosen from what there is at that time. */
export interface FuzzRequest {
  method: string;
  /** Path as it is sent. */
  path: string;
  /** Decoded `{id}`, where the operation has one. */
  id?: string;
  /** Path of the operation in the contract, where it is for one. */
  template?: string;
  query: [string, unknown][];
  /** An object is sent as JSON, a string as it is. */
  body?: unknown;
  workspace: 'none' | 'own' | 'wrong';
  key: 'none' | 'fresh' | 'used' | 'broken';
}

const workspace = fc.oneof(
  { arbitrary: fc.constant<FuzzRequest['workspace']>('own'), weight: 5 },
  { arbitrary: fc.constant<FuzzRequest['workspace']>('none'), weight: 4 },
  fc.constant<FuzzRequest['workspace']>('wrong'),
);
const key = fc.oneof(
  { arbitrary: fc.constant<FuzzRequest['key']>('none'), weight: 6 },
  fc.constantFrom<FuzzRequest['key']>('fresh', 'used', 'broken'),
);

const garbage = fc.oneof(
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '{', '[]', 'null', '{"name":', '\ufeff{}', `${'['.repeat(9000)}`),
);

function toQuery(operation: ContractOperation): fc.Arbitrary<[string, unknown][]> {
  const members = (operation.parameters ?? []).filter(({ in: place }) => place === 'query');
  const properties = Object.fromEntries(members.map(({ name, schema }) => [name, schema as Schema]));
  const wanted = toObject({ properties, required: [] }).map((args) => Object.entries(args));
  const odd = fc.array(fc.tuple(fc.constantFrom(...Object.keys(properties), 'x', ''), fc.string()), {
    maxLength: 3,
  });
  return fc.oneof({ arbitrary: wanted, weight: 3 }, odd);
}

function toRequest(method: string, path: string, operation: ContractOperation): fc.Arbitrary<FuzzRequest> {
  const isAsked = method === 'GET' || method === 'HEAD';
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema as Schema | undefined;
  const body = schema
    ? fc.oneof(
        { arbitrary: toObject(schema) as fc.Arbitrary<unknown>, weight: 5 },
        { arbitrary: toBrokenObject(schema), weight: 4 },
        garbage,
      )
    : fc.constant(undefined);
  const id = (toValue({ type: 'string', minLength: 1, maxLength: 100 }, 'id') as fc.Arbitrary<string>)
    .map((text) => text.toWellFormed())
    .filter((text) => !/\.(json|md|html)$/.test(text));
  return fc
    .record({
      id,
      body,
      workspace,
      key,
      query: isAsked ? toQuery(operation) : fc.constant<[string, unknown][]>([]),
    })
    .map((parts) => ({
      ...parts,
      method,
      template: path,
      id: path.includes('{id}') ? parts.id : undefined,
      path: path.replace('{id}', () => encodeURIComponent(parts.id)),
    }));
}

/** Requests that are for no operation of the contract: other methods, other addresses. */
const stray: fc.Arbitrary<FuzzRequest> = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
    path: fc.oneof(
      fc.webPath().map((path) => `/${path}`.replace(/^\/+/, '/')),
      fc.constantFrom(
        '/',
        '/candidates/',
        '/candidates/%',
        '/%ff',
        '/../etc',
        '/mcp',
        '/offer.json',
        '/pricing',
      ),
    ),
    body: garbage,
    workspace,
    key,
  })
  .map((parts) => ({ ...parts, query: [] }));

const message = fc.record({
  jsonrpc: fc.constantFrom('2.0', '1.0', undefined),
  id: fc.option(fc.oneof(fc.integer(), fc.string(), fc.jsonValue()), { nil: undefined }),
  method: fc.oneof(
    fc.constantFrom('tools/list', 'tools/call', 'initialize', 'ping', 'server/discover'),
    fc.string(),
  ),
  params: fc.option(
    fc.oneof(
      fc.record({
        name: fc.constantFrom('listCandidates', 'createCandidate', 'getOffer', 'getPricing', 'nope'),
        arguments: fc.jsonValue(),
      }),
      fc.jsonValue(),
    ),
    { nil: undefined },
  ),
});

/** Requests made from the contract: most of them for its operations, valid, at a limit, or broken. */
export function toRequests({ paths }: Contract): fc.Arbitrary<FuzzRequest> {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const isRecords = (path: string) => /^\/(candidates|job-orders|placements|occupations)/.test(path);
  const mcp = rows.find(({ path }) => path === '/mcp')!;
  const rpc = toRequest('POST', '/mcp', mcp.operation).chain((request) =>
    message.map((body) => ({ ...request, body: body as unknown })),
  );
  return fc.oneof(
    ...rows.map(({ method, path, operation }) => ({
      arbitrary: toRequest(method, path, operation),
      weight: isRecords(path) ? 8 : 1,
    })),
    { arbitrary: rpc, weight: 6 },
    { arbitrary: stray, weight: 6 },
  );
}
