import { type ConsoleRequest, toCurl } from '../_scripts/request.ts';

/** How a language writes a value of JSON. Texts and numbers are alike in all of them. */
interface Notation {
  true: string;
  false: string;
  null: string;
  formatKey(name: string): string;
}

const typeScript: Notation = {
  true: 'true',
  false: 'false',
  null: 'null',
  formatKey: (name) => (/^[A-Za-z]\w*$/.test(name) ? name : JSON.stringify(name)),
};
const python: Notation = {
  true: 'True',
  false: 'False',
  null: 'None',
  formatKey: (name) => JSON.stringify(name),
};
const json: Notation = { ...typeScript, formatKey: (name) => JSON.stringify(name) };

/** A longer value is written on several lines. */
const longestLine = 64;
const step = '  ';

/** Formats a value of JSON as a literal of a language. Lines after the first begin with `indent`. */
function formatLiteral(value: unknown, notation: Notation, indent = ''): string {
  if (value === null || typeof value === 'boolean') return notation[`${value}`];
  if (typeof value !== 'object') return JSON.stringify(value);
  const isList = Array.isArray(value);
  const inner = indent + step;
  const items = isList
    ? value.map((item) => formatLiteral(item, notation, inner))
    : Object.entries(value!).map(
        ([name, item]) => `${notation.formatKey(name)}: ${formatLiteral(item, notation, inner)}`,
      );
  const [open, close, pad] = isList ? ['[', ']', ''] : ['{', '}', ' '];
  if (items.length === 0) return open + close;
  const line = `${open}${pad}${items.join(', ')}${pad}${close}`;
  if (line.length <= longestLine && !line.includes('\n')) return line;
  return `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`;
}

/** Returns a request as a command line. Its body is written to be read. */
export function toCommand(request: ConsoleRequest, origin: string): string {
  const { body } = request;
  return toCurl({ ...request, body: body && formatLiteral(JSON.parse(body), json, step) }, origin);
}

/** Returns a request as TypeScript with fetch. It prints the reply. */
export function toTypeScript({ method, target, headers, body }: ConsoleRequest, origin: string): string {
  const url = JSON.stringify(origin + target);
  const options = [
    ...(method === 'GET' ? [] : [`method: ${JSON.stringify(method)}`]),
    ...(Object.keys(headers).length > 0 ? [`headers: ${formatLiteral(headers, typeScript, step)}`] : []),
    ...(body === undefined
      ? []
      : [`body: JSON.stringify(${formatLiteral(JSON.parse(body), typeScript, step)})`]),
  ];
  const init = options.length > 0 ? `, {\n${options.map((option) => `${step}${option},\n`).join('')}}` : '';
  return `const response = await fetch(${url}${init});\nconsole.log(response.status, await response.text());`;
}

/** Returns a request as Python with its standard library. It prints the reply. */
export function toPython({ method, target, headers, body }: ConsoleRequest, origin: string): string {
  const parts = [
    JSON.stringify(origin + target),
    ...(method === 'GET' ? [] : [`method=${JSON.stringify(method)}`]),
    ...(Object.keys(headers).length > 0 ? [`headers=${formatLiteral(headers, python, step)}`] : []),
    ...(body === undefined
      ? []
      : [`data=json.dumps(${formatLiteral(JSON.parse(body), python, step)}).encode()`]),
  ];
  const isShort = parts.length === 1;
  const request = isShort ? parts[0] : `\n${parts.map((part) => `${step}${part},\n`).join('')}`;
  const imports = [
    ...(body === undefined ? [] : ['import json']),
    'from urllib.request import Request, urlopen',
  ];
  return `${imports.join('\n')}\n\nrequest = Request(${request})\nwith urlopen(request) as response:\n${step}print(response.status, response.read().decode())`;
}

/** Returns the parameters of a tools/call, as an MCP client sends them. */
export function toToolParameters({ body }: ConsoleRequest): string {
  return formatLiteral(JSON.parse(body!).params, json);
}
