import * as v from 'valibot';
import type { Contracts } from '../kernel/contract.ts';
import { Blocked } from '../kernel/envelope.ts';
import { may, say } from '../kernel/text.ts';
import { Id, jsonrpc } from './call-mcp.ts';
import { RpcError, rpcCodes } from './json-rpc.ts';
import { supportedVersions } from './protocol.ts';

/** Creates the schema of a JSON-RPC response. An error holds our envelope without `issues`. */
function createResponseSchema() {
  const { issues: _, ...boundary } = Blocked.entries;
  const refusal = v.object({
    ...boundary,
    supported: may(v.array(v.string()), 'Revisions that are supported.'),
    requested: may(v.string(), 'The revision that was asked for.'),
  });
  const error = v.object({
    code: say(v.number(), 'An error code of JSON-RPC or of MCP.'),
    message: say(v.string(), 'What is wrong, and what to send instead.'),
    data: may(refusal, 'The envelope of the refusal.'),
  });
  return v.object({
    jsonrpc,
    id: say(v.nullable(Id), 'That of the message; null where it could not be read.'),
    result: may(v.looseObject({}), 'What the method answers.'),
    error: may(error, 'Why there is no result.'),
  });
}

const describeError = (description: string) => ({ description, schema: createResponseSchema() });

const notMessage = 'Not a message of this protocol.';

export const mcpContracts: Contracts = {
  callMcp: {
    tag: 'tools',
    summary: 'Call the MCP door',
    description: `Model Context Protocol over Streamable HTTP, stateless: the tools, prompts, the documents as resources, and completion of occupation codes. At /mcp?tools=core, tools/list has only the dozen tools that place a person. Revisions ${supportedVersions.join(', ')}.`,
    sample: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: {
      'MCP-Protocol-Version': 'The revision; from 2026-07-28 on also in params._meta, and equal to it.',
      'Mcp-Method': 'The method of the body; needed from 2026-07-28 on.',
      'Mcp-Name':
        'The name in tools/call or prompts/get, or the URI of resources/read; needed from 2026-07-28 on.',
    },
    replies: {
      200: {
        description: 'A JSON-RPC 2.0 response.',
        schema: createResponseSchema(),
        example: () => ({ jsonrpc: '2.0', id: 1, result: {} }),
      },
      202: { description: 'A notification was taken; there is no body.' },
      400: {
        ...describeError(notMessage),
        example: () => new RpcError(0, rpcCodes.invalidRequest, notMessage).toBody(1),
      },
      403: describeError('This Origin or Host may not call.'),
      404: describeError('Unknown method (2026-07-28).'),
      408: describeError('The request took too long to arrive.'),
      413: describeError('Larger than 64 KiB, or as a tool that takes more.'),
      415: describeError('Not JSON.'),
      429: describeError('Too many requests from this address; see Retry-After.'),
      500: describeError('Something went wrong here, not with the request.'),
      503: describeError('Too busy, or ending; see Retry-After.'),
    },
  },
};
