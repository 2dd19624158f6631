import { type JsonSchema, toComponents } from '../kernel/json-schema.ts';
import { hasBody, hasId, type Operation } from '../kernel/operation.ts';
import { previewWithFiles, type Settings } from '../kernel/service.ts';
import { kindsByWeight } from '../kinds.ts';
import {
  createResponses,
  headerComponents,
  listParameters,
  nameResponse,
  type Response,
} from './openapi-operation.ts';
import {
  type ContractPart,
  components,
  listInnerSchemas,
  share,
  tidy,
  toContractSchema,
} from './openapi-schemas.ts';
import type { DocumentService } from './service.ts';

function toRequestBody(operation: Operation) {
  const { method, input, contract, otherBody } = operation;
  const { sample = {} } = contract;
  const schema = toContractSchema(input);
  const { id, ...rest } = sample;
  const json = { schema, example: hasId(operation) ? rest : sample };
  const patch = method === 'PATCH' && { 'application/merge-patch+json': { schema } };
  const other = otherBody && {
    [otherBody.type]: { schema: { type: 'string', maxLength: operation.bodyLimit } },
  };
  const required = method === 'PATCH' || (schema.required ?? []).length > 0;
  return { required, content: { 'application/json': json, ...patch, ...other } };
}

async function toOperationObject(
  operation: Operation,
  service: DocumentService,
  schemas: Record<string, JsonSchema>,
) {
  const { operationId, contract, method } = operation;
  const { tag, summary, description } = contract;
  const parameters = listParameters(operation);
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: [],
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody(method) && { requestBody: toRequestBody(operation) }),
    responses: await createResponses(operation, service, schemas),
  };
}

type OperationObject = Awaited<ReturnType<typeof toOperationObject>>;

/** Returns a deep copy in which no object occurs twice. */
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** The fewest characters of JSON for a repeated schema to become a component. */
const leastShared = 75;

/**
 * Lists the parameters of an operation that may become references. A parameter that a read requires beside no `{id}` stays
 * in place: verifiers that follow no references call every other read at its path as it is.
 */
function listShareableParameters({ operationId, parameters = [] }: OperationObject): ContractPart[] {
  const holder = parameters as unknown as ContractPart['holder'];
  const isRead = parameters.every(({ name }) => name !== 'Idempotency-Key');
  const isOpen = isRead && parameters.every((parameter) => !('in' in parameter && parameter.in === 'path'));
  return parameters.flatMap(({ name, required }, key) =>
    required && isOpen ? [] : [{ holder, key: String(key), name, fullName: `${operationId} ${name}` }],
  );
}

/** Moves replies, parameters and schemas that occur more than once to the components. */
function shareParts(operations: readonly OperationObject[], schemas: Record<string, JsonSchema>) {
  const replies = operations.flatMap(({ operationId, responses: holder }) =>
    Object.entries(holder).map(([key, response]) => {
      const name = nameResponse(key, response);
      return { holder, key, name, fullName: `${operationId} ${name}` };
    }),
  );
  const responses = share<Response>(replies, 'responses');
  const parameters = share(operations.flatMap(listShareableParameters), 'parameters');
  const listSchemas = (name: string, content: object = {}) =>
    Object.values<ContractPart['holder']>(content as never).map((holder) => ({
      holder,
      key: 'schema',
      name,
      fullName: name,
    }));
  share(
    [
      ...Object.entries(schemas).flatMap(([name, schema]) => listInnerSchemas(schema, name, name)),
      ...operations.flatMap(({ operationId, requestBody, responses: own }) => [
        ...listSchemas(`${operationId}Body`, requestBody?.content),
        ...Object.values(own).flatMap(({ content }) => listSchemas(`${operationId}Reply`, content)),
      ]),
      ...Object.entries(responses).flatMap(([name, { content }]) => listSchemas(name, content)),
    ],
    'schemas',
    schemas,
    { inner: listInnerSchemas, least: leastShared },
  );
  return { schemas, headers: headerComponents, responses, parameters };
}

/** Returns the contact as an email address or as a URL. */
const toContact = (contact: string) =>
  contact.startsWith('mailto:') ? { email: contact.slice('mailto:'.length) } : { url: contact };

/** Returns the server. Its URL is absolute if the operator set one, because generators and importers need that. */
const createServerObject = ({ publishedUrl }: Settings) => ({
  url: publishedUrl ?? '/',
  description: 'Production: the origin that this is read from.',
  'x-internal': false,
});

export const tagTexts: Record<string, string> = {
  ...Object.fromEntries(kindsByWeight.map(({ collection, about }) => [collection, about])),
  workspaces: 'A workspace as a whole: create many records at once, view, export and delete it.',
  occupations: 'The O*NET-SOC vocabulary, O*NET 29.0 data.',
  commerce: 'What it costs, where the ceiling is, and the offer beyond it.',
  discovery: 'Documents that say what this service is.',
  briefs: 'A test bench for agents: tasks in words, graded by the end state.',
  tools: 'The same operations as MCP tools.',
};

/** Creates the contract (OpenAPI 3.1.0) of every listed operation. */
export async function createOpenApi(service: DocumentService): Promise<object> {
  const { operations, catalogue, settings } = service;
  const { title, version, release, description, promises } = catalogue.service;
  const { hardCeiling, unit } = catalogue.pricing;
  const schemas = Object.fromEntries(
    Object.entries(toComponents(components)).map(([name, schema]) => [name, tidy(schema)]),
  );
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const operation of operations.filter(({ listed }) => listed)) {
    paths[operation.path] ??= {};
    const operationObject = await toOperationObject(operation, service, schemas);
    paths[operation.path]![operation.method.toLowerCase()] = copy(operationObject);
  }
  const shared = shareParts(
    Object.values(paths).flatMap((verbs) => Object.values(verbs)),
    copy(schemas),
  );
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      'x-release': release,
      summary: description,
      description: `${settings.live ? '' : `${previewWithFiles}\n`}No key and no account. Every reply can be read from any origin.\nHard ceiling: ${hardCeiling} ${unit}, not bound by published terms.`,
      'x-promises': promises,
      ...(settings.contact && { contact: toContact(settings.contact) }),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [createServerObject(settings)],
    security: [],
    tags: Object.entries(tagTexts).map(([name, text]) => ({ name, description: text })),
    paths,
    components: shared,
  };
}
