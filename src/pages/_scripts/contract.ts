import { splitWords, toSentenceCase } from './format.ts';

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
interface Field {
  name: string;
  place: 'path' | 'query' | 'header' | 'body';
  required: boolean;
  schema: Schema;
  description: string;
}

/** Returns a schema without null, which only removes a member. Of several other forms it returns the first. */
function withoutNull(whole: Schema): Schema {
  const { type, enum: choices, ...schema } = whole.anyOf?.find((form) => form.type !== 'null') ?? whole;
  const own = Array.isArray(type) ? type.find((name) => name !== 'null') : type;
  const values = choices?.filter((choice) => choice !== null);
  return { ...schema, ...(own !== undefined && { type: own }), ...(values && { enum: values }) };
}

type FieldType = 'text' | 'number' | 'date' | 'list' | 'choice' | 'flag' | 'json';

function toFieldType({ type, enum: choices, items, format }: Schema): FieldType {
  if (choices) return 'choice';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'array' && items?.type === 'string') return 'list';
  if (type === 'boolean') return 'flag';
  if (type === 'array' || type === 'object') return 'json';
  return format === 'date' ? 'date' : 'text';
}

/** Returns what a form needs to draw a field. */
export function toFormField({ name, required, schema: whole, description }: Field) {
  const schema = withoutNull(whole);
  const { maxLength, minimum, maximum, exclusiveMinimum, type, title } = schema;
  const choices = type === 'boolean' ? ['true', 'false'] : schema.enum;
  const min = minimum ?? exclusiveMinimum;
  return {
    name,
    title: title ?? toSentenceCase(splitWords(name)),
    hint: description.replaceAll('`', ''),
    type: toFieldType(schema),
    required,
    ...(choices && { choices: choices as readonly string[] }),
    ...(maxLength !== undefined && { maxLength }),
    ...(min !== undefined && { min }),
    ...(maximum !== undefined && { max: maximum }),
    ...(type === 'integer' && { whole: true }),
  };
}

export type FormField = ReturnType<typeof toFormField>;

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
export interface Contract {
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

/** Whether a field is an optional header. Forms show those last. */
export const isOptionalHeader = ({ place, required }: Field) => place === 'header' && !required;

/** Resolves a reference of the contract. Returns anything else unchanged. */
function follow<T extends object>(part: T | Reference, { components }: Contract): T {
  if (!('$ref' in part) || part.$ref === undefined) return part as T;
  const [kind, name] = part.$ref.split('/').slice(2) as [keyof Contract['components'], string];
  return components[kind][name] as T;
}

/** Replaces the references of a schema by their targets. Schemas of requests must not be recursive. */
function resolveReferences(schema: Schema, contract: Contract): Schema {
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

const resolveParameters = ({ parameters = [] }: OperationObject, contract: Contract) =>
  parameters.map((parameter) => follow(parameter, contract));

function listFields(row: OperationObject, contract: Contract): Field[] {
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

function listReplies({ responses }: OperationObject, contract: Contract) {
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
export function listOperations(contract: Contract) {
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
