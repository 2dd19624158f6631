import { type ContractOperation, workspaceHeader } from './contract.ts';

/** The values of an operation's form, by place. An empty member is absent. */
export interface ConsoleValues {
  path: Record<string, string>;
  query: Record<string, string>;
  header: Record<string, string>;
  body: Record<string, unknown>;
}

/** A request to send. */
export interface ConsoleRequest {
  method: string;
  /** The path and query. */
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
}

type Row = Pick<ContractOperation, 'method' | 'path' | 'workspace'>;

const json = { 'Content-Type': 'application/json' };

/** Returns the HTTP request for an operation. It has the workspace if there is one and the operation reads it. */
export function toRequest(row: Row, values: ConsoleValues, workspace?: string): ConsoleRequest {
  const path = row.path.replace('{id}', encodeURIComponent(values.path.id ?? ''));
  const query = new URLSearchParams(values.query).toString().replaceAll('+', '%20');
  const hasBody = row.method === 'POST' || row.method === 'PATCH';
  return {
    method: row.method,
    target: query ? `${path}?${query}` : path,
    headers: {
      ...(hasBody && json),
      ...(workspace && row.workspace && { [workspaceHeader]: workspace }),
      ...values.header,
    },
    body: hasBody ? JSON.stringify(values.body) : undefined,
  };
}

/** Parses a query value as a tool argument: as a number if it is one. */
function parseArgument(text: string): unknown {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** The tool argument that replaces a header. A tool that does not take it refuses it. */
const toolArguments: Record<string, (text: string) => [name: string, value: unknown]> = {
  'X-Confirmation': (text) => ['confirmation', text],
  'X-Grader': (text) => ['grader', text],
  'X-Actor': (text) => ['actor', text],
  'Idempotency-Key': (text) => ['idempotencyKey', text],
  'If-Match': (text) => ['revision', parseArgument(text)],
  'If-None-Match': (text) => ['tag', text],
  Prefer: (text) =>
    text.startsWith('wait=')
      ? ['waitSeconds', parseArgument(text.slice('wait='.length))]
      : ['strict', text.includes('handling=strict')],
};

/** Returns the members of a body as arguments. `clear` names the members that are null. */
function toBodyArguments(body: ConsoleValues['body']): ConsoleValues['body'] {
  const cleared = Object.keys(body).filter((name) => body[name] === null);
  if (cleared.length === 0) return body;
  const set = Object.entries(body).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(set), clear: cleared };
}

/** Returns the call as an MCP tools/call. `numbers` names the members whose type is a number. */
export function toToolCall(
  name: string,
  values: ConsoleValues,
  { numbers, workspace }: { numbers: readonly string[]; workspace?: string | undefined },
): ConsoleRequest {
  const query = Object.entries(values.query).map(([member, text]) => [
    member,
    numbers.includes(member) ? parseArgument(text) : text,
  ]);
  const headers = Object.entries(values.header).map(([header, text]) => toolArguments[header]!(text));
  const args = {
    ...values.path,
    ...Object.fromEntries(query),
    ...toBodyArguments(values.body),
    ...Object.fromEntries(headers),
    ...(workspace && { workspace }),
  };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  return {
    method: 'POST',
    target: '/mcp',
    headers: { ...json, Accept: 'application/json, text/event-stream' },
    body: JSON.stringify(message),
  };
}

/** Quotes a text as one word of a POSIX shell. */
function quoteShellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns the curl command line of a request. */
export function toCurl({ method, target, headers, body }: ConsoleRequest, origin: string): string {
  const lines = [`curl ${method === 'GET' ? '-i' : `-i -X ${method}`} ${quoteShellWord(origin + target)}`];
  for (const [name, value] of Object.entries(headers))
    lines.push(`-H ${quoteShellWord(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push(`-d ${quoteShellWord(body)}`);
  return lines.join(' \\\n  ');
}
