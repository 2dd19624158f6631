import type { Call } from '../kernel/call.ts';
import { isObject } from '../kernel/json.ts';
import { searchInTurn } from '../occupations/code.ts';
import { invalidParams, type RpcMessage } from './json-rpc.ts';
import { findPrompt } from './prompts.ts';
import { codeArgument, formatUriTemplate } from './resources.ts';
import type { McpService } from './service.ts';

/** The most values of one completion (MCP 2026-07-28, Completion). */
const mostValues = 100;
/** The most characters of a value to complete. */
const longestValue = 200;

/**
 * Returns the codes that start with `value`. If there are none, returns those whose title contains it, and then those that a
 * search by title finds.
 */
async function completeCode(value: string, service: McpService, call: Call): Promise<string[]> {
  const text = value.trim().toLowerCase();
  const { occupations } = service.catalogue;
  const withCode = occupations.filter(({ id }) => id.startsWith(text));
  if (withCode.length > 0) return withCode.map(({ id }) => id);
  const { hits } = await searchInTurn(text, service, call);
  const withTitle = occupations.filter(({ title }) => title.toLowerCase().includes(text));
  return [...new Set([...withTitle, ...hits].map(({ id }) => id))];
}

/** Returns the ids of briefs whose id or title contains `value`. */
function completeBriefId(value: string, { catalogue }: McpService): string[] {
  const text = value.trim().toLowerCase();
  const briefs = catalogue.briefs.filter(({ id, title }) => `${id} ${title}`.toLowerCase().includes(text));
  return briefs.map(({ id }) => id);
}

type Completion = (value: string, service: McpService, call: Call) => string[] | Promise<string[]>;

/** Completions of the arguments of prompts, by name. Other arguments get no suggestions. */
const promptCompletions = new Map<unknown, Completion>([['brief', completeBriefId]]);

/** Returns the completion of an argument. Throws an RpcError if `ref` or the name of the argument is unknown. */
function findCompletion(ref: unknown, name: unknown, service: McpService): Completion {
  const template = formatUriTemplate(service);
  if (isObject(ref) && ref.type === 'ref/resource' && ref.uri === template) {
    if (name === codeArgument) return completeCode;
    throw invalidParams(`argument must be {"name": "${codeArgument}", "value": "…"}.`);
  }
  if (isObject(ref) && ref.type === 'ref/prompt') {
    const names = findPrompt(ref.name).arguments.map((known) => known.name);
    if (names.includes(name as string)) return promptCompletions.get(name) ?? (() => []);
    throw invalidParams(`argument.name must be one of ${names.join(', ')}.`);
  }
  throw invalidParams(
    `ref must be {"type": "ref/resource", "uri": "${template}"} or {"type": "ref/prompt", "name": "…"}.`,
  );
}

/** completion/complete: completes codes of occupations, by their start or title, and arguments of prompts. */
export async function complete({ params }: RpcMessage, service: McpService, call: Call): Promise<object> {
  const { ref, argument } = params;
  const { name, value } = isObject(argument) ? argument : {};
  const completion = findCompletion(ref, name, service);
  if (typeof value !== 'string') throw invalidParams('argument.value must be a text.');
  if (value.length > longestValue)
    throw invalidParams(`argument.value must be at most ${longestValue} characters.`);
  const suggestions = await completion(value, service, call);
  const values = suggestions.slice(0, mostValues);
  return { completion: { values, total: suggestions.length, hasMore: suggestions.length > values.length } };
}
