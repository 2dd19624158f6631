import type { GenericSchema } from 'valibot';
import type { Operation, ReplySpec } from '../core/operation.ts';
import type { Service } from '../core/service.ts';
import { Candidate } from '../model/candidate.ts';
import { Blocked, Empty, Issue, Retention } from '../model/envelope.ts';
import { JobOrder } from '../model/job-order.ts';
import { Occupation } from '../model/occupation.ts';
import { Offer } from '../model/offer.ts';
import { Placement } from '../model/placement.ts';
import { ServedPricingDocument } from '../model/pricing/document.ts';
import { type JsonSchema, toComponents, toPlainSchema } from './json-schema.ts';

const components: Record<string, GenericSchema> = {
  Candidate,
  JobOrder,
  Placement,
  Occupation,
  PricingDocument: ServedPricingDocument,
  Retention,
  Issue,
  Empty,
  Blocked,
  Offer,
};

const jsonType = 'application/json';

const headerTexts: Record<string, string> = {
  Location: 'Address of the created record.',
  'X-Workspace': 'Id of the workspace that holds it: a capability, keep it to yourself.',
};

function toReply({ description, schema, type = jsonType, headers = [] }: ReplySpec) {
  return {
    description,
    ...(headers.length > 0 && {
      headers: Object.fromEntries(
        headers.map((name) => [name, { description: headerTexts[name], schema: { type: 'string' } }]),
      ),
    }),
    ...(schema && { content: { [type]: { schema: toPlainSchema(schema, components) } } }),
  };
}

const workspaceHeader = {
  name: 'X-Workspace',
  in: 'header',
  required: false,
  description: 'Id of a sandbox workspace, `ws_…`, from the 201 that minted it. Without it: the public seed.',
  schema: { type: 'string', pattern: '^ws_[0-9a-hjkmnp-tv-z]{32}$' },
};

function toParameters(operation: Operation) {
  const { properties = {}, required = [] } = toPlainSchema(operation.input) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const query = operation.method === 'GET' ? Object.entries(properties) : [];
  return [
    ...(operation.path.includes('{id}')
      ? [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: operation.idText,
            schema: { type: 'string' },
          },
        ]
      : []),
    ...query.map(([name, { title: _, description, ...schema }]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema,
    })),
    ...(operation.workspace ? [workspaceHeader] : []),
  ];
}

function toOperationObject(operation: Operation) {
  const parameters = toParameters(operation);
  const replies = Object.entries(operation.replies).map(([status, spec]) => [status, toReply(spec)]);
  const fallback = { description: 'Any other boundary, with a worded reason.', schema: Blocked };
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    security: [],
    ...(parameters.length > 0 && { parameters }),
    ...(operation.method === 'POST' && {
      requestBody: {
        required: true,
        content: { [jsonType]: { schema: toPlainSchema(operation.input) } },
      },
    }),
    responses: { ...Object.fromEntries(replies), default: toReply(fallback) },
  };
}

const tagTexts: Record<string, string> = {
  placements: 'One candidate at work on one job order, with a 90-day outcome.',
  candidates: 'People who can be placed.',
  jobOrders: "Clients' orders for people.",
  occupations: 'The O*NET-SOC 29.0 vocabulary.',
  commerce: 'What it costs, where the ceiling is, and the offer beyond it.',
  discovery: 'Documents that say what this service is.',
  tools: 'The same operations as MCP tools.',
};

/** The contract (OpenAPI 3.1.0) of every listed operation in the table. */
export function toOpenApi({ operations, catalogue: { service, pricing } }: Service): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations.filter(({ listed }) => listed)) {
    paths[operation.path] ??= {};
    paths[operation.path]![operation.method.toLowerCase()] = toOperationObject(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: service.title,
      version: service.version,
      summary: service.description,
      description: `${service.promises.join('\n')}\nHard ceiling: ${pricing.hardCeiling} ${pricing.unit}, not bound by published terms.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [],
    tags: Object.entries(tagTexts).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: toComponents(components) },
  };
}
