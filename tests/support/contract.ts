import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as assert from 'uvu/assert';
import type { Reply } from './http.ts';

const root = join(import.meta.dirname, '..', '..');

/** The part of /openapi.json that the tests read. */
export interface Contract {
  paths: Record<string, Record<string, ContractOperation>>;
  components: {
    schemas: Record<string, object>;
    headers: Record<string, { schema: { type: string } }>;
  };
}
export interface ContractOperation {
  operationId: string;
  parameters?: { name: string; in: string; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, ContractReply>;
}
interface ContractReply {
  content?: Record<string, { schema: object }>;
  headers?: Record<string, { $ref: string }>;
}

/** A reply to check. `isPartial`: the call asked for less than whole records. False if absent. */
interface CheckedReply {
  status: number;
  headers: Headers;
  text: string;
  isPartial?: boolean;
}

/** Fails on a reply with a status that the contract does not have, or a body that breaks its schema. */
export interface ContractCheck {
  contract: Contract;
  check(method: string, path: string, reply: CheckedReply): void;
}

/** Headers by which a caller decides what to send next. */
const actedOn = ['Location', 'X-Workspace', 'Idempotency-Replayed', 'ETag', 'Retry-After'];

const envelopes = ['OK', 'EMPTY', 'BLOCKED', 'OFFER'];

/** Fails on a reply that breaks the contract, fails unnamed or has no envelope. */
export function checkReply(
  check: ContractCheck['check'],
  method: string,
  path: string,
  { status, headers, text, body }: Reply,
): void {
  const what = `${method} ${path}`;
  assert.ok(status < 500 || status === 503, `${what} answered ${status}: ${text}`);
  assert.is(headers.get('access-control-allow-origin'), '*', `${what} is readable from any origin`);
  if (status >= 400 && text !== '') {
    const envelope = body?.error ? body.error.data : body;
    assert.ok(envelopes.includes(envelope?.type), `${what} has no envelope type: ${text}`);
  }
  const isMinimal = (headers.get('preference-applied') ?? '').includes('return=minimal');
  check(method, path.split('?')[0]!, {
    status,
    headers,
    text,
    isPartial: isMinimal || path.includes('fields='),
  });
}

/** Checks by the contract without its origin, because the hosts of a process mostly share one contract. */
const known = new Map<string, ContractCheck>();

const toKnownCheck = (text: string): ContractCheck =>
  known.getOrInsertComputed(text, () => toContractCheck(withResponses(JSON.parse(text) as Contract)));

/** Reads /openapi.json at `origin`. */
export async function readContract(origin: string): Promise<ContractCheck> {
  return toKnownCheck((await (await fetch(`${origin}/openapi.json`)).text()).replaceAll(origin, ''));
}

/** Reads the contract of the last build. */
export const readBuiltContract = (): ContractCheck =>
  toKnownCheck(readFileSync(join(root, 'dist', 'client', 'openapi.json'), 'utf8'));

/** Returns the contract with its references resolved, except in schemas of replies. */
export function withResponses<T extends object>(contract: T): T {
  // biome-ignore lint/suspicious/noExplicitAny: the document is walked as plain JSON
  type Json = any;
  const { paths, components } = contract as Json;
  const follow = (part: Json): Json => {
    const [kind, name] = part?.$ref?.slice('#/components/'.length).split('/') ?? [];
    return name ? components[kind][name] : part;
  };
  const toWhole = (part: Json): Json => {
    const found = follow(part);
    if (typeof found !== 'object' || found === null) return found;
    if (Array.isArray(found)) return found.map(toWhole);
    return Object.fromEntries(Object.entries(found).map(([name, member]) => [name, toWhole(member)]));
  };
  for (const operation of Object.values<Json>(paths).flatMap((verbs) => Object.values<Json>(verbs))) {
    const { responses, parameters, requestBody } = operation;
    for (const [status, reply] of Object.entries(responses)) responses[status] = follow(reply);
    if (parameters) operation.parameters = toWhole(parameters);
    if (requestBody) operation.requestBody = toWhole(requestBody);
  }
  return contract;
}

/** Makes the check for a contract. */
export function toContractCheck(contract: Contract): ContractCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: 'contract', ...contract });
  const pointer = (parts: string[]) =>
    `contract#/${parts
      .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
      .map(encodeURIComponent)
      .join('/')}`;

  /** Returns the path template of the contract for an address. */
  function toKey(path: string): string | undefined {
    if (contract.paths[path]) return path;
    const segments = path.split('/');
    const asId = (at: number) => segments.with(at, '{id}').join('/');
    return [asId(-1), ...(segments.length > 2 ? [asId(-2)] : [])].find((one) => contract.paths[one]);
  }

  function validate(parts: string[], body: string, what: string): void {
    const compiled = ajv.getSchema(pointer(parts))!;
    const ok = compiled(JSON.parse(body));
    assert.ok(ok, `${what} breaks the contract: ${ajv.errorsText(compiled.errors)}\n${body.slice(0, 600)}`);
  }

  /** Checks that the headers which a caller acts on are in the contract, and have the form that it says. */
  function checkHeaders(
    declared: NonNullable<ContractReply['headers']>,
    headers: Headers,
    what: string,
  ): void {
    for (const name of actedOn.filter((one) => headers.has(one))) {
      assert.ok(declared[name], `${what} has ${name}, and the contract does not`);
      const value = headers.get(name)!;
      const { type } = contract.components.headers[name]!.schema;
      const compiled = ajv.getSchema(pointer(['components', 'headers', name, 'schema']))!;
      assert.ok(compiled(type === 'integer' ? Number(value) : value), `${what}: ${name} is ${value}`);
    }
  }

  return {
    contract,
    check(method, path, { status, headers, text: body, isPartial }) {
      const what = `${method} ${path} ${status}`;
      const type = headers.get('content-type') ?? '';
      const key = toKey(path.replace(/\.json$/, '')) ?? toKey(path);
      const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
      const operation = key === undefined ? undefined : contract.paths[key]?.[verb];
      const isNoFace = status === 404 && !contract.paths[path] && operation && !operation.responses[404];
      // The contract has the JSON of an address. Its Markdown and its page are told by their suffix.
      const isOtherFormat = /\.(md|html)(%0A|\s)*$/.test(path) && !type.includes('json');
      if (!key || !operation || isNoFace || isOtherFormat) {
        if (status >= 400 && type.includes('json') && body !== '') {
          validate(['components', 'schemas', status === 404 ? 'Empty' : 'Blocked'], body, what);
        }
        return;
      }
      assert.ok(status !== 304 || operation.responses[304], `${what} is not in the contract`);
      const declared = operation.responses[status] ? String(status) : 'default';
      assert.ok(status >= 400 || declared !== 'default', `${what} is not in the contract`);
      const { content, headers: declaredHeaders = {} } = operation.responses[declared] ?? {};
      if (declared !== 'default') checkHeaders(declaredHeaders, headers, what);
      if (!content || body === '') return;
      const media = type.split(';')[0]!;
      assert.ok(content[media], `${what} is ${media}, the contract says ${Object.keys(content)}`);
      // Schemas are those of whole records, so that a typed client has their members.
      if (media === 'application/json' && !isPartial) {
        validate(['paths', key, verb, 'responses', declared, 'content', media, 'schema'], body, what);
      }
    },
  };
}
