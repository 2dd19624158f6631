/** A JSON Schema of the contract. */
export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  $ref?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  title?: string;
  description?: string;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  maxItems?: number;
}

/** A value that a caller can send. */
export interface Field {
  name: string;
  place: 'path' | 'query' | 'header' | 'body';
  required: boolean;
  schema: Schema;
  description: string;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
}

interface Reference {
  $ref: string;
}

interface Response {
  description: string;
  content?: Record<string, { schema: Schema; example?: unknown }>;
}

interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: (Parameter | Reference)[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Response | Reference>;
}

/** The members of an OpenAPI 3.1 document that the pages read. */
export interface PageContract {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    parameters: Record<string, Parameter>;
  };
}

/** A header that is not a field, because it is sent with every request that reads it. */
export const workspaceHeader = 'X-Workspace';

/** Whether a field is an optional header. These are listed last. */
export const isOptionalHeader = ({ place, required }: Field) => place === 'header' && !required;

/** Resolves a reference of the contract. Returns anything else unchanged. */
function follow<T extends object>(part: T | Reference, { components }: PageContract): T {
  if (!('$ref' in part) || part.$ref === undefined) return part as T;
  const [kind, name] = part.$ref.split('/').slice(2) as [keyof PageContract['components'], string];
  return components[kind][name] as T;
}

/** Replaces the references of a schema by their targets. Schemas of requests must not be recursive. */
function resolveReferences(schema: Schema, contract: PageContract): Schema {
  const { properties, items, anyOf, ...rest } = follow<Schema>(schema, contract);
  return {
    ...rest,
    ...(anyOf && { anyOf: anyOf.map((form) => resolveReferences(form, contract)) }),
    ...(items && { items: resolveReferences(items, contract) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, resolveReferences(member, contract)]),
      ),
    }),
  };
}

const resolveParameters = ({ parameters = [] }: OperationObject, contract: PageContract) =>
  parameters.map((parameter) => follow(parameter, contract));

function listFields(row: OperationObject, contract: PageContract): Field[] {
  const given = resolveParameters(row, contract)
    .filter(({ name }) => name !== workspaceHeader)
    .map(({ name, in: place, required, description = '', schema }) => ({
      name,
      place,
      required,
      schema: resolveReferences(schema, contract),
      description,
    }));
  const { properties = {}, required = [] } = resolveReferences(
    row.requestBody?.content['application/json']?.schema ?? {},
    contract,
  );
  const members = Object.entries(properties).map(([name, schema]) => ({
    name,
    place: 'body' as const,
    required: required.includes(name),
    schema,
    description: schema.description ?? '',
  }));
  const fields = [...given, ...members];
  return [...fields.filter((field) => !isOptionalHeader(field)), ...fields.filter(isOptionalHeader)];
}

function listReplies({ responses }: OperationObject, contract: PageContract) {
  return Object.entries(responses).map(([status, part]) => {
    const { description, content = {} } = follow(part, contract);
    const [type, media] = Object.entries(content)[0] ?? [];
    return {
      status,
      description,
      ...(type && { type, schema: media && follow<Schema>(media.schema, contract), example: media?.example }),
    };
  });
}

/** Lists every operation of the contract in its order. */
export function listOperations(contract: PageContract) {
  return Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, row]) => ({
      operationId: row.operationId,
      method: method.toUpperCase(),
      path,
      tag: row.tags[0] ?? '',
      summary: row.summary,
      description: row.description,
      /** Whether the operation reads X-Workspace. */
      workspace: resolveParameters(row, contract).some(({ name }) => name === workspaceHeader),
      fields: listFields(row, contract),
      replies: listReplies(row, contract),
    })),
  );
}

export type ContractOperation = ReturnType<typeof listOperations>[number];
