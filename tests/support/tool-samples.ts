import { kinds } from '../../src/kinds.ts';
import { operations } from '../../src/table.ts';
import type { Body } from './http.ts';
import type { World } from './world.ts';

/** Returns the tools of tools/list: all, or the short list of this name. */
export async function listTools({ ask }: World, list = ''): Promise<Body[]> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  return (await ask('POST', `/mcp${list && `?tools=${list}`}`, message)).body.result.tools;
}

/** Returns the row of a tool. */
export const findRow = (name: string) => operations.find(({ operationId }) => operationId === name)!;

/** Makes a workspace with one record of each kind. The ref of each is the name of its kind. */
export async function makeSampleWorkspace({ tool }: World): Promise<string> {
  const { structuredContent } = await tool('createBatch', findRow('createBatch').contract.sample!);
  return structuredContent.workspace;
}

/** Returns arguments of a tool that succeed in such a workspace, unless it needs a token. */
export function createArguments({ name, inputSchema }: Body, workspace: string): Record<string, unknown> {
  const { path, contract } = findRow(name);
  const kind = kinds.find((one) => path.startsWith(`${one.path}/`));
  return {
    ...contract.sample,
    ...(inputSchema.properties.workspace && { workspace }),
    ...(kind && { id: `#${kind.name}` }),
  };
}

type Args = Record<string, unknown>;
/** The names that lead to a part of the arguments. */
type Path = readonly string[];

/** Lists the paths of all texts in a schema. An item of a list has the name `0`. */
export function listTexts(schema: Body, path: Path = []): Path[] {
  if (schema.type === 'string') return [path];
  if (schema.items) return listTexts(schema.items, [...path, '0']);
  return Object.entries<Body>(schema.properties ?? {}).flatMap(([name, one]) =>
    listTexts(one, [...path, name]),
  );
}

/** Returns a copy of `value` in which the part at `path` is `part`. */
function replace(value: unknown, [name, ...rest]: Path, part: unknown): unknown {
  if (name === undefined) return part;
  if (name === '0') return [replace((value as unknown[] | undefined)?.[0], rest, part)];
  return { ...(value as Args), [name]: replace((value as Args | undefined)?.[name], rest, part) };
}

/** What differs between two answers to the same call: ids, tokens, times and codes for people. */
const own = /\b(cand|job|plc|ws|cnf|sl|clm|grd)_[\w-]+|\d{4}-\d\d-\d\dT[\d:.]+Z|"(tag|userCode)":"[^"]+"/g;

/** Calls a tool in a new workspace with `part` at `path`. Returns the answer without what differs by call. */
export async function answerWith(world: World, of: Body, path: Path, part: unknown): Promise<string> {
  const args = replace(createArguments(of, await makeSampleWorkspace(world)), path, part);
  const { structuredContent, isError } = await world.tool(of.name, args as Args);
  return JSON.stringify({ isError, ...structuredContent }).replaceAll(own, '');
}
