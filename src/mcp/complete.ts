import type { Call } from '../kernel/call.ts';
import { isObject } from '../kernel/json.ts';
import { invalidParams, type RpcMessage } from './json-rpc.ts';
import { findPrompt } from './prompts.ts';
import { codeArgument, formatUriTemplate } from './resources.ts';
import type { McpService } from './service.ts';

/** Values that one completion has at most (MCP 2026-07-28, Completion), and the characters that it takes. */
const mostValues = 100;
const longestValue = 200;

/** Codes that begin as `value` does, or else whose title holds it, and then those that a search by title finds. */
async function completeCode(value: string, service: McpService, call: Call): Promise<string[]> {
  const text = value.trim().toLowerCase();
  const { occupations } = service.catalogue;
  const begun = occupations.filter(({ id }) => id.startsWith(text));
  if (begun.length > 0) return begun.map(({ id }) => id);
  const find = await service.search(call.client);
  const titled = occupations.filter(({ title }) => title.toLowerCase().includes(text));
  return [...new Set([...titled, ...find(text).hits].map(({ id }) => id))];
}

/** The ids of briefs that hold `value`, or whose title does. */
function completeBriefId(value: string, { catalogue }: McpService): string[] {
  const text = value.trim().toLowerCase();
  const found = catalogue.briefs.filter(({ id, title }) => `${id} ${title}`.toLowerCase().includes(text));
  return found.map(({ id }) => id);
}

type Completion = (value: string, service: McpService, call: Call) => string[] | Promise<string[]>;

/** What completes the arguments of prompts, by their names. Nothing is suggested for any other. */
const promptCompletions = new Map<unknown, Completion>([['brief', completeBriefId]]);

/** Returns what completes an argument. Throws an RpcError if `ref` or the name of the argument is unknown. */
function findCompletion(ref: unknown, name: unknown, service: McpService): Completion {
  const template = formatUriTemplate(service);
  if (isObject(ref) && ref.type === 'ref/resource' && ref.uri === template) {
    if (name === codeArgument) return completeCode;
    throw invalidParams(`argument must be {"name": "${codeArgument}", "value": "…"}.`);
  }
  if (isObject(ref) && ref.type === 'ref/prompt') {
    const names = findPrompt(ref.name).arguments.map((one) => one.name);
    if (names.includes(name as string)) return promptCompletions.get(name) ?? (() => []);
    throw invalidParams(`argument.name must be one of ${names.join(', ')}.`);
  }
  throw invalidParams(
    `ref must be {"type": "ref/resource", "uri": "${template}"} or {"type": "ref/prompt", "name": "…"}.`,
  );
}

/** completion/complete: the code of an occupation, by its beginning or by title, and the arguments of prompts. */
export async function complete({ params }: RpcMessage, service: McpService, call: Call): Promise<object> {
  const { ref, argument } = params;
  const { name, value } = isObject(argument) ? argument : {};
  const completion = findCompletion(ref, name, service);
  if (typeof value !== 'string') throw invalidParams('argument.value must be a text.');
  if (value.length > longestValue)
    throw invalidParams(`argument.value must be at most ${longestValue} characters.`);
  const found = await completion(value, service, call);
  const values = found.slice(0, mostValues);
  return { completion: { values, total: found.length, hasMore: found.length > values.length } };
}
