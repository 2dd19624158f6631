import content from '../../content/prompts.json' with { type: 'json' };
import { cutExcerpt } from '../kernel/envelope.ts';
import { isObject } from '../kernel/json.ts';
import { invalidParams, type RpcMessage } from './json-rpc.ts';
import { parseArguments } from './sent-values.ts';

type Prompt = (typeof content)[number];

/** The prompts of prompts/list (MCP 2026-07-28, Prompts). */
export const listPrompts = () => ({ prompts: content.map(({ text: _, ...prompt }) => prompt) });

/** Returns the prompt of a name. Throws an RpcError if there is none. */
export function findPrompt(name: unknown): Prompt {
  const prompt = content.find((known) => known.name === name);
  if (prompt) return prompt;
  const known = content.map((row) => row.name).join(', ');
  const sent = typeof name === 'string' ? ` ${cutExcerpt(name)}` : '';
  throw invalidParams(`Unknown prompt${sent}. This server knows ${known}.`);
}

/** Returns the arguments of a prompt by name. null and "" count as absent. Throws an RpcError if one is invalid. */
function readPromptArguments({ arguments: known }: Prompt, sent: unknown): Map<string, string> {
  const given = parseArguments(sent);
  if (!isObject(given)) throw invalidParams('arguments must be an object of texts.');
  const values = new Map<string, string>();
  for (const { name, required } of known) {
    const value = Object.hasOwn(given, name) ? (given[name] ?? '') : '';
    if (!['string', 'number', 'boolean'].includes(typeof value))
      throw invalidParams(`arguments.${name} must be a text.`);
    if (value !== '') values.set(name, String(value));
    else if (required) throw invalidParams(`arguments.${name} is missing; send it.`);
  }
  return values;
}

/** prompts/get: the text of a prompt. A line about an argument that is not given is left out. */
export function getPrompt({ params }: RpcMessage): object {
  const prompt = findPrompt(params.name);
  const values = readPromptArguments(prompt, params.arguments);
  const place = /\{(\w+)\}/g;
  const lines = prompt.text.filter((line) =>
    [...line.matchAll(place)].every(([, name]) => values.has(name!)),
  );
  const text = lines.map((line) => line.replace(place, (_, name) => values.get(name)!)).join('\n');
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}
