import type { GenericSchema } from 'valibot';
import { hasBody, usualBody } from '../kernel/effect.ts';
import { Blocked, Empty, Issue, Warning } from '../kernel/envelope.ts';
import { type JsonSchema, toComponents, toPlainSchema } from '../kernel/json-schema.ts';
import type { Operation } from '../kernel/operation.ts';
import { preview, type Service } from '../kernel/service.ts';
import { Occupation } from '../occupations/occupation.ts';
import { ServedPricingDocument } from '../pricing/document.ts';
import { Offer } from '../pricing/offer.ts';
import { kinds, kindsByWeight } from '../records/kinds.ts';
import { Retention } from '../records/retention.ts';
import { memberWords } from './member-words.ts';
import { tellMembers, toComponentName, toNamed } from './openapi-members.ts';
import { toParameters } from './openapi-parameters.ts';
import { headerComponents, shareResponses, toResponses } from './openapi-replies.ts';

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

async function toOperationObject(
  operation: Operation,
  service: Service,
  schemas: Record<string, JsonSchema>,
) {
  const parameters = toParameters(operation);
  const { operationId, input, bodyLimit = usualBody } = operation;
  const told = tellMembers(toPlainSchema(input), operationId, bodyLimit);
  const isPatch = operation.method === 'PATCH';
  // Told once, for it comes as two media types.
  const schema = isPatch ? toNamed(`${toComponentName(operationId)}Body`, told, schemas) : told;
  const { id, ...rest } = operation.sample ?? {};
  const example = operation.path.includes('{id}') ? rest : operation.sample;
  const content = { schema, example };
  return {
    operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    security: [],
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody(operation.method) && {
      requestBody: {
        required: true,
        content: { [jsonType]: content, ...(isPatch && { [patchType]: { schema } }) },
      },
    }),
    responses: await toResponses(operation, service, { components, schemas }),
  };
}

/** Whom to ask about the service, where the operator named somebody: an address of mail or of a page. */
const toContact = (contact: string) =>
  contact.startsWith('mailto:') ? { email: contact.slice('mailto:'.length) } : { url: contact };

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
  const { operations, catalogue, settings } = service;
  const { title, version, description, promises } = catalogue.service;
  const { hardCeiling, unit } = catalogue.pricing;
  const schemas = Object.fromEntries(
    Object.entries(toComponents(components)).map(([name, schema]) => [
      name,
      { description: memberWords[name], ...tellMembers(schema, name) },
    ]),
  );
  const paths: Record<string, Record<string, Awaited<ReturnType<typeof toOperationObject>>>> = {};
  for (const operation of operations.filter(({ listed }) => listed)) {
    paths[operation.path] ??= {};
    paths[operation.path]![operation.method.toLowerCase()] = await toOperationObject(
      operation,
      service,
      schemas,
    );
  }
  const described = Object.values(paths).flatMap((verbs) => Object.values(verbs));
  const responses = shareResponses(described.map((one) => one.responses));
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      summary: description,
      description: `${settings.live ? '' : `${preview}\n`}${promises.join('\n')}\nHard ceiling: ${hardCeiling} ${unit}, not bound by published terms.`,
      ...(settings.contact && { contact: toContact(settings.contact) }),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: '/', description: 'Production: the origin that this is read from.', 'x-internal': false },
    ],
    security: [],
    tags: Object.entries(tagTexts).map(([name, text]) => ({ name, description: text })),
    paths,
    components: {
      schemas,
      headers: headerComponents,
      responses,
    },
  };
}
