import type { GenericSchema } from 'valibot';
import { effects, hasBody } from '../kernel/effect.ts';
import { Blocked, Empty, Issue, Warning } from '../kernel/envelope.ts';
import { longestKey, shortestKeyless } from '../kernel/idempotency.ts';
import { type JsonSchema, toComponents, toPlainSchema } from '../kernel/json-schema.ts';
import type { Capability, Operation } from '../kernel/operation.ts';
import type { Service } from '../kernel/service.ts';
import { Occupation } from '../occupations/occupation.ts';
import { ServedPricingDocument } from '../pricing/document.ts';
import { Offer } from '../pricing/offer.ts';
import { kinds, kindsByWeight } from '../records/kinds.ts';
import { Retention } from '../records/retention.ts';
import { workspaceIdPattern } from '../records/workspace.ts';
import { headerComponents, toResponses, toSharedResponses } from './openapi-replies.ts';

const toComponentName = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

const components: Record<string, GenericSchema> = {
  ...Object.fromEntries(kinds.map(({ name, record }) => [toComponentName(name), record])),
  Occupation,
  PricingDocument: ServedPricingDocument,
  Retention,
  Issue,
  Warning,
  Empty,
  Blocked,
  Offer,
};

const jsonType = 'application/json';
const patchType = 'application/merge-patch+json';

const toWorkspaceHeader = (workspace: true | 'required') => ({
  name: 'X-Workspace',
  in: 'header',
  required: workspace === 'required',
  description: `Id of a sandbox workspace, \`ws_…\`, from the 201 that minted it.${workspace === 'required' ? '' : ' Without it a read sees the public seed, and a create mints a workspace.'}`,
  schema: { type: 'string', pattern: workspaceIdPattern },
});

const toCapabilityHeader = ({ header, description, shape }: Capability) => ({
  name: header,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', pattern: shape.source },
});

const preferHeader = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description: '`handling=strict` refuses what would otherwise be warned of (RFC 7240 section 4.4).',
  schema: { type: 'string' },
};

const matchHeader = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag that you read; if the record reads otherwise by now, the answer is 412.',
  schema: { type: 'string' },
};

const keyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `Makes a change safe to repeat while its workspace is kept: the same key and body are answered with the first reply, another body with 422. 1 to ${longestKey} ASCII characters, quoted (RFC 9651) or bare; without X-Workspace at least ${shortestKeyless}, and only from the same address. Over /mcp it counts for tools that write, as does their argument idempotencyKey.`,
  /** Quoted, with every character of the key escaped. */
  schema: { type: 'string', minLength: 1, maxLength: 2 * longestKey + 2 },
};

/** Parameters, each with the value that the row's sample gives it. */
function toParameters({
  input,
  method,
  effect,
  idText,
  sample = {},
  workspace,
  capability,
  rawBody,
  headers = {},
}: Operation) {
  const { properties = {}, required = [] } = toPlainSchema(input) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const query = hasBody(method) ? [] : Object.entries(properties);
  return [
    ...(idText
      ? [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: idText,
            schema: { type: 'string' },
            example: sample.id,
          },
        ]
      : []),
    ...query.map(([name, { title: _, description, ...schema }]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema,
      ...(sample[name] !== undefined && { example: sample[name] }),
    })),
    ...(workspace ? [toWorkspaceHeader(workspace)] : []),
    ...(capability ? [toCapabilityHeader(capability)] : []),
    ...(effects[effect].isKeyed ? [keyHeader] : []),
    ...(effect === 'update' || effect === 'delete' ? [matchHeader] : []),
    ...(rawBody || (query.length === 0 && effect === 'read') ? [] : [preferHeader]),
    ...Object.entries(headers).map(([name, description]) => ({
      name,
      in: 'header',
      required: false,
      description,
      schema: { type: 'string' },
    })),
  ];
}

async function toOperationObject(operation: Operation, service: Service) {
  const parameters = toParameters(operation);
  const schema = toPlainSchema(operation.input);
  const { id: _, ...example } = operation.sample ?? {};
  const content = { schema, example };
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    security: [],
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody(operation.method) && {
      requestBody: {
        required: true,
        content: { [jsonType]: content, ...(operation.method === 'PATCH' && { [patchType]: { schema } }) },
      },
    }),
    responses: await toResponses(operation, service, components),
  };
}

const tagTexts: Record<string, string> = {
  ...Object.fromEntries(kindsByWeight.map(({ collection, about }) => [collection, about])),
  workspaces: 'What a caller made, whole: many records at once, a look, an export, the end of it.',
  occupations: 'The O*NET-SOC vocabulary, O*NET 29.0 data.',
  commerce: 'What it costs, where the ceiling is, and the offer beyond it.',
  discovery: 'Documents that say what this service is.',
  tools: 'The same operations as MCP tools.',
};

/** The contract (OpenAPI 3.1.0) of every listed operation in the table. */
export async function toOpenApi(service: Service): Promise<object> {
  const { operations, catalogue } = service;
  const { title, version, description, promises } = catalogue.service;
  const { hardCeiling, unit } = catalogue.pricing;
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations.filter(({ listed }) => listed)) {
    paths[operation.path] ??= {};
    paths[operation.path]![operation.method.toLowerCase()] = await toOperationObject(operation, service);
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      summary: description,
      description: `${promises.join('\n')}\nHard ceiling: ${hardCeiling} ${unit}, not bound by published terms.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [],
    tags: Object.entries(tagTexts).map(([name, text]) => ({ name, description: text })),
    paths,
    components: {
      schemas: toComponents(components),
      headers: headerComponents,
      responses: await toSharedResponses(service, components),
    },
  };
}
