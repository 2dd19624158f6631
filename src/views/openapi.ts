import type { GenericSchema } from 'valibot';
import { longestKey, shortestKeyless } from '../core/idempotency.ts';
import type { Operation } from '../core/operation.ts';
import type { Service } from '../core/service.ts';
import { workspaceIdPattern } from '../core/workspace.ts';
import { Candidate } from '../model/candidate.ts';
import { Blocked, Empty, Issue, Retention } from '../model/envelope.ts';
import { JobOrder } from '../model/job-order.ts';
import { Occupation } from '../model/occupation.ts';
import { Offer } from '../model/offer.ts';
import { Placement } from '../model/placement.ts';
import { ServedPricingDocument } from '../model/pricing/document.ts';
import { type JsonSchema, toComponents, toPlainSchema } from './json-schema.ts';
import { headerComponents, toResponses } from './openapi-replies.ts';

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

const workspaceHeader = {
  name: 'X-Workspace',
  in: 'header',
  required: false,
  description:
    'Id of a sandbox workspace, `ws_…`, from the 201 that minted it. Without it a read sees the public seed, and a create mints a workspace.',
  schema: { type: 'string', pattern: workspaceIdPattern },
};

const keyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `Makes a create safe to repeat for the retention.seconds of its answer: the same key and body are answered with the first reply, another body with 422. 1 to ${longestKey} ASCII characters, quoted (RFC 9651) or bare; without X-Workspace at least ${shortestKeyless}, and only from the same address. On /mcp it counts for create tools.`,
  /** Quoted, with every character of the key escaped. */
  schema: { type: 'string', minLength: 1, maxLength: 2 * longestKey + 2 },
};

/** Parameters, each with the value that the row's sample gives it. */
function toParameters({ input, method, idText, sample = {}, workspace, headers = {} }: Operation) {
  const { properties = {}, required = [] } = toPlainSchema(input) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const query = method === 'GET' ? Object.entries(properties) : [];
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
    ...(workspace ? [workspaceHeader] : []),
    ...(method === 'POST' ? [keyHeader] : []),
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
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    security: [],
    ...(parameters.length > 0 && { parameters }),
    ...(operation.method === 'POST' && {
      requestBody: { required: true, content: { [jsonType]: { schema, example: operation.sample } } },
    }),
    responses: await toResponses(operation, service, components),
  };
}

const tagTexts: Record<string, string> = {
  placements:
    'One candidate at work on one job order, with a 90-day outcome. The seed has outcomes of every kind; that of a record of yours stays pending, because no operation judges it.',
  candidates: 'People who can be placed.',
  jobOrders: "Clients' orders for people.",
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
    components: { schemas: toComponents(components), headers: headerComponents },
  };
}
