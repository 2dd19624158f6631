import * as v from 'valibot';
import { effects } from '../kernel/effect.ts';
import { type JsonSchema, toPlainSchema } from '../kernel/json-schema.ts';
import type { Operation } from '../kernel/operation.ts';
import { toAsides } from './asides.ts';

/** A tool as tools/list tells it (MCP 2026-07-28, Tools). */
export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
  annotations: object;
}

declare module '../kernel/service.ts' {
  interface Service {
    /** The tools of a table, in its order. */
    toTools(operations: readonly Operation[]): readonly Tool[];
  }
}

const toolsOf = new WeakMap<readonly Operation[], readonly Tool[]>();

function toInputSchema(operation: Operation): JsonSchema {
  const { entries: own } = operation.tool?.input ?? operation.input;
  const entries = { ...own, ...toAsides(operation) };
  const schema = toPlainSchema(v.object(entries)) as { properties: Record<string, JsonSchema> };
  for (const [name, property] of Object.entries(schema.properties)) {
    const isAside = !Object.hasOwn(own, name);
    schema.properties[name] =
      operation.method === 'PATCH' && !isAside ? toPatch(property) : toBrief(property);
  }
  return schema;
}

/** A property as a model needs it to be told: what it is, not how long it may be. A wrong one is refused in words. */
function toBrief({
  title,
  minLength,
  maxLength,
  maxItems,
  minimum,
  maximum,
  pattern,
  items,
  ...property
}: Node): JsonSchema {
  return { ...property, ...(items && { items: toBrief(items) }) };
}

/** A property of a change: its types, and what it means where that is more than where one is created. */
function toPatch(property: Node): JsonSchema {
  const { description, anyOf = [property] } = property;
  if (anyOf.length > 1 && anyOf.every(({ type }) => type === 'string'))
    return { type: 'string', description };
  const [{ type, format, enum: values }] = anyOf as [Node];
  const types = anyOf.length > 1 ? anyOf.map((one) => one.type) : type;
  if (values !== undefined) return { type: types, description: `One of ${values.join(', ')}.` };
  return { type: types, ...(format !== undefined && { description }) };
}

type Node = JsonSchema & {
  type?: string;
  format?: string;
  enum?: string[];
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
};

/** The type of a member, and nothing of what is in it. */
function toOutline({ type, enum: values, const: value, anyOf }: Node): JsonSchema {
  return {
    ...(type !== undefined && { type }),
    ...(values !== undefined && { enum: values }),
    ...(value !== undefined && { const: value }),
    ...(anyOf && { anyOf: anyOf.map(toOutline) }),
  };
}

/** Whether an envelope is that of nothing: its message is for a reader, and needs no schema. */
const isEmpty = ({ properties }: Node) => properties?.type?.const === 'EMPTY';

/** The member of a refusal that a model acts on; any tool can answer with one. */
const refused = { reason: { type: 'string' } };

/**
 * One flat schema over the envelopes that the tool can give: `type` is there always, all else may be, and members
 * are named with their types, once. A client that checks results against it accepts a refusal as well as a record.
 */
function toOutputSchema({ replies, effect }: Operation): JsonSchema {
  const told = Object.entries(replies).filter(
    ([status, { schema }]) => schema && !/^4(?!0[24])/.test(status),
  );
  const isOffer = told.every(([status]) => Number(status) >= 300);
  const properties: Record<string, JsonSchema> = { type: { enum: ['OK', 'EMPTY', 'BLOCKED', 'OFFER'] } };
  for (const [status, { schema }] of told) {
    if (status === '402' && !isOffer) continue;
    const plain = toPlainSchema(schema!) as Node;
    for (const variant of plain.anyOf ?? [plain]) {
      if (isEmpty(variant)) continue;
      for (const [name, member] of Object.entries(variant.properties ?? {})) {
        // A tool refuses the names that it does not have, so that what only reads warns of next to nothing.
        if (effect !== 'read' || name !== 'warnings') properties[name] ??= toOutline(member);
      }
    }
  }
  return { type: 'object', properties: { ...properties, ...refused }, required: ['type'] };
}

/** The tools of the table, in its order: every row that has a tool. Made once for a table. */
export function toTools(operations: readonly Operation[]): readonly Tool[] {
  const made = toolsOf.get(operations) ?? makeTools(operations);
  toolsOf.set(operations, made);
  return made;
}

function makeTools(operations: readonly Operation[]): Tool[] {
  return operations.flatMap((operation) => {
    const { operationId: name, effect, tool } = operation;
    if (!tool) return [];
    return [
      {
        name,
        title: tool.title,
        description: tool.description,
        inputSchema: toInputSchema(operation),
        outputSchema: toOutputSchema(operation),
        annotations: { ...effects[effect].hints, openWorldHint: false },
      },
    ];
  });
}
