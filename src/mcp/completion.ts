import type { Service } from '../kernel/service.ts';
import { isObject, RpcError, type RpcMessage, rpcCodes } from './json-rpc.ts';
import { codeArgument, toTemplate } from './resources.ts';

/** Values that one completion has at most (MCP 2026-07-28, Completion), and the characters that it takes. */
const mostValues = 100;
const longestValue = 200;

function refuse(message: string): never {
  throw new RpcError(200, rpcCodes.invalidParams, message);
}

/** Codes that begin as `value` does, or else whose title holds it, and then those that a search by title finds. */
async function toCodes(value: string, service: Service): Promise<string[]> {
  const text = value.trim().toLowerCase();
  const { occupations } = service.catalogue;
  const begun = occupations.filter(({ id }) => id.startsWith(text));
  if (begun.length > 0) return begun.map(({ id }) => id);
  const find = await service.search();
  const titled = occupations.filter(({ title }) => title.toLowerCase().includes(text));
  return [...new Set([...titled, ...find(text).hits].map(({ id }) => id))];
}

/** completion/complete: the code of an occupation, by its beginning or by title. */
export async function complete({ params }: RpcMessage, service: Service): Promise<object> {
  const { ref, argument } = params;
  const template = toTemplate(service);
  if (!isObject(ref) || ref.type !== 'ref/resource' || ref.uri !== template)
    refuse(`ref must be {"type": "ref/resource", "uri": "${template}"}: nothing else is completed.`);
  if (!isObject(argument) || argument.name !== codeArgument || typeof argument.value !== 'string')
    refuse(`argument must be {"name": "${codeArgument}", "value": "…"}.`);
  const { value } = argument as { value: string };
  if (value.length > longestValue) refuse(`argument.value must be at most ${longestValue} characters.`);
  const codes = await toCodes(value, service);
  const values = codes.slice(0, mostValues);
  return { completion: { values, total: codes.length, hasMore: codes.length > values.length } };
}
