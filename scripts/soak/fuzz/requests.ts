import * as fc from 'fast-check';
import type { Contract, ContractOperation } from '../../../tests/support/contract.ts';

/** The part of JSON Schema that the requests of the contract use. */
interface Schema {
  type?: string | string[];
  const?: unknown;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  items?: Schema;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
}

/** Existing values by the name of their member, because a schema does not list codes or ids. */
const known: Record<string, string[]> = {
  onetCode: ['15-1252.00', '29-1141.00', '11-1011.00', '53-7065.00'],
  occupation: ['15-1252.00', '15-1252', '29', '99', '15-1252.99'],
  status: ['available', 'placed', 'open', 'filled', 'scheduled', 'active', 'completed', 'ended-early'],
  scope: ['public', 'workspace', 'admin', 'internal', 'all'],
  q: ['nurse', 'software developer', 'truk drivr', '%', 'a'],
  id: ['cand_001', 'job_001', 'plc_001', '15-1252.00', 'cand_999', '%2e%2e', '%00', '%', 'x'.repeat(300)],
  candidateId: ['cand_001', 'cand_none'],
  jobOrderId: ['job_001', 'job_none'],
  method: ['tools/list', 'tools/call', 'initialize', 'ping', 'server/discover'],
};

const units = ['grapheme', 'grapheme-ascii', 'binary'] as const;
const text = (minLength: number, maxLength: number) =>
  fc.oneof(...units.map((unit) => fc.string({ unit, minLength, maxLength, size: 'max' })));

function toText({ pattern, format, minLength = 0, maxLength = 300 }: Schema): fc.Arbitrary<unknown> {
  if (format === 'date') {
    const day = fc.date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
    return day.map((date) => date.toISOString().slice(0, 10));
  }
  if (pattern && pattern !== '\\S') return fc.stringMatching(new RegExp(pattern));
  return fc.oneof(
    { arbitrary: text(minLength, Math.min(maxLength, 20)), weight: 8 },
    fc.constantFrom(
      'x'.repeat(minLength),
      'x'.repeat(maxLength),
      'x'.repeat(maxLength + 1),
      '🙂'.repeat(maxLength),
      ' ',
    ),
  );
}

function toNumber({ type, minimum, maximum, exclusiveMinimum }: Schema): fc.Arbitrary<unknown> {
  const edges = [minimum, maximum, exclusiveMinimum].filter((edge) => edge !== undefined);
  const around = edges.flatMap((edge) => [edge - 1, edge, edge + 1]);
  const any = type === 'integer' ? fc.integer({ min: minimum ?? -10, max: maximum ?? 500 }) : fc.double();
  return fc.oneof(any, fc.constantFrom(...around, 0, -0, 25, 25.000001, 1e21, 0.1));
}

/** Values that a schema allows, and those at its limits and just beyond. */
function toValue(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const usual = known[name] ? [{ arbitrary: fc.constantFrom<unknown>(...known[name]), weight: 6 }] : [];
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.type))
    return fc.oneof(
      ...schema.type.map((type) =>
        type === 'null' ? fc.constant(null) : toValue({ ...schema, type }, name),
      ),
    );
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => toValue(one)));
  if (schema.type === 'string') return fc.oneof(...usual, { arbitrary: toText(schema), weight: 1 });
  if (schema.type === 'number' || schema.type === 'integer') return toNumber(schema);
  if (schema.type === 'array') {
    const item = toValue(schema.items ?? {});
    const most = schema.maxItems ?? 5;
    return fc.oneof(
      { arbitrary: fc.array(item, { maxLength: 4 }), weight: 9 },
      fc.constantFrom(most, most + 1).map((count) => Array(count).fill('x')),
    );
  }
  return schema.type === 'object' ? toObject(schema) : fc.jsonValue();
}

/** Objects with every required member and some of the others. */
function toObject({ properties = {}, required = [] }: Schema): fc.Arbitrary<Record<string, unknown>> {
  const members = Object.entries(properties).map(([name, schema]) => [name, toValue(schema, name)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: required }) as fc.Arbitrary<
    Record<string, unknown>
  >;
}

/** Broken objects: a member is missing, has another type, or is one too many. */
function toBrokenObject(schema: Schema): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(schema.properties ?? {});
  const name = fc.oneof(
    fc.constantFrom(...names, '__proto__', 'constructor', 'workspace', 'id'),
    text(0, 30),
  );
  return fc
    .tuple(
      toObject(schema),
      fc.array(fc.tuple(name, fc.option(fc.jsonValue(), { nil: undefined })), { maxLength: 3 }),
    )
    .map(([whole, changes]) => Object.fromEntries([...Object.entries(whole), ...changes]));
}

/** A request before it is sent. `workspace` and `key` are chosen from those that exist by then. */
export interface FuzzRequest {
  method: string;
  /** The path as it is sent. */
  path: string;
  /** The path template in the contract, if the request is for an operation. */
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
    .map(({ id: named, ...parts }) => ({
      ...parts,
      method,
      template: path,
      path: path.replace('{id}', () => encodeURIComponent(named)),
    }));
}

/** Requests for no operation of the contract: other methods, other addresses. */
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

/** Makes requests from the contract: most for its operations, valid, at a limit, or broken. */
export function toRequests({ paths }: Contract): fc.Arbitrary<FuzzRequest> {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const isRecords = (path: string) => /^\/(candidates|job-orders|placements|occupations|mcp)/.test(path);
  return fc.oneof(
    ...rows.map(({ method, path, operation }) => ({
      arbitrary: toRequest(method, path, operation),
      weight: isRecords(path) ? 8 : 1,
    })),
    { arbitrary: stray, weight: 6 },
  );
}
