import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as assert from 'uvu/assert';

/** What the tests read of /openapi.json. */
export interface Contract {
  paths: Record<string, Record<string, ContractOperation>>;
  components: { schemas: Record<string, object> };
}
export interface ContractOperation {
  operationId: string;
  parameters?: { name: string; in: string; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, ContractReply>;
}
/** An operation that may refer to what is told elsewhere. */
interface Whole {
  responses: Record<string, { $ref?: string }>;
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> };
}
type ContractReply = { content?: Record<string, { schema: object }> };

/** Holds replies to the published contract: a status that it does not have, or a body that breaks it, fails. */
export interface ContractCheck {
  contract: Contract;
  check(method: string, path: string, status: number, type: string, body: string): void;
}

/** Reads /openapi.json at `origin`. */
export async function readContract(origin: string): Promise<ContractCheck> {
  return toContractCheck(withResponses((await (await fetch(`${origin}/openapi.json`)).json()) as Contract));
}

/** The contract with every response and body in its place that it tells once, as a component. */
export function withResponses<T extends object>(contract: T): T {
  const { paths, components } = contract as unknown as {
    paths: Record<string, Record<string, Whole>>;
    components: { responses: Record<string, object>; schemas: Record<string, object> };
  };
  const toName = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);
  for (const { responses, requestBody } of Object.values(paths).flatMap((verbs) => Object.values(verbs))) {
    for (const [status, { $ref }] of Object.entries(responses))
      if ($ref) responses[status] = components.responses[toName($ref)]!;
    for (const media of Object.values(requestBody?.content ?? {}))
      if (media.schema.$ref) media.schema = components.schemas[toName(media.schema.$ref)]!;
  }
  return contract;
}

/** Makes the check of a contract that is at hand. */
export function toContractCheck(contract: Contract): ContractCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: 'contract', ...contract });
  const pointer = (parts: string[]) =>
    `contract#/${parts
      .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
      .map(encodeURIComponent)
      .join('/')}`;

  /** The templated path of the contract that a concrete one falls under. */
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

  return {
    contract,
    check(method, path, status, type, body) {
      // What the caller has already is told by no body.
      if (status === 304) return;
      const what = `${method} ${path} ${status}`;
      const key = toKey(path.replace(/\.json$/, '')) ?? toKey(path);
      const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
      const operation = key === undefined ? undefined : contract.paths[key]?.[verb];
      const isNoFace = status === 404 && !contract.paths[path] && operation && !operation.responses[404];
      if (!key || !operation || isNoFace) {
        if (status >= 400 && type.includes('json') && body !== '') {
          validate(['components', 'schemas', status === 404 ? 'Empty' : 'Blocked'], body, what);
        }
        return;
      }
      const declared = operation.responses[status] ? String(status) : 'default';
      assert.ok(status >= 400 || declared !== 'default', `${what} is not in the contract`);
      const content = operation.responses[declared]?.content;
      if (!content || body === '') return;
      const media = type.split(';')[0]!;
      assert.ok(content[media], `${what} is ${media}, the contract says ${Object.keys(content)}`);
      if (media === 'application/json') {
        validate(['paths', key, verb, 'responses', declared, 'content', media, 'schema'], body, what);
      }
    },
  };
}
