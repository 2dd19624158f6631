import { effects, hasBody, largestHead } from '../kernel/effect.ts';
import { longestKey, shortestMintKey } from '../kernel/idempotency.ts';
import { type JsonSchema, toPlainSchema } from '../kernel/json-schema.ts';
import type { Capability, Operation } from '../kernel/operation.ts';
import { memberBounds } from './member-bounds.ts';
import { tellMembers } from './openapi-members.ts';

const toWorkspaceHeader = (workspace: true | 'required') => ({
  name: 'X-Workspace',
  in: 'header',
  required: workspace === 'required',
  description: `Id of a sandbox workspace, \`ws_…\`, from the 201 that minted it.${workspace === 'required' ? '' : ' Without it a read sees the public seed, and a create mints a workspace.'}`,
  schema: { type: 'string', ...memberBounds.workspace },
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
  description: `Makes a change safe to repeat while its workspace is kept: the same key and body are answered with the first reply, another body with 422. 1 to ${longestKey} ASCII characters, quoted (RFC 9651) or bare; without X-Workspace at least ${shortestMintKey}, and only from the same address. Over /mcp it counts for tools that write, as does their argument idempotencyKey.`,
  /** Quoted, with every character of the key escaped. */
  schema: { type: 'string', minLength: 1, maxLength: 2 * longestKey + 2 },
};

/** Parameters, each with the value that the row's sample gives it. */
export function toParameters({
  input,
  operationId,
  method,
  effect,
  idText,
  sample = {},
  workspace,
  capability,
  rawBody,
  headers = {},
}: Operation) {
  const { properties = {}, required = [] } = tellMembers(toPlainSchema(input), operationId) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const query = hasBody(method) ? [] : Object.entries(properties);
  const parameters = [
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
  return parameters.map((one) => ({ ...one, schema: tellMembers(one.schema, one.name, largestHead) }));
}
