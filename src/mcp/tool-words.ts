import type { Operation } from '../kernel/operation.ts';

/** An address in a text, with the query name that it ends with, if any. */
const address = /(?<![\w/])(\/[a-z-]+)(?:\?([a-z]+)=)?(?![\w/?])/g;

/** What a header says, and the argument of a tool that says the same. */
const ofHeaders = [
  ['handling=strict', 'the argument strict'],
  ['Idempotency-Key', 'idempotencyKey'],
] as const;

/** A header in a text that says itself which argument that is. */
const told = /(?:the )?(?:header )?X-\w+ \((?:over MCP|or) (the argument \w+)\)/g;

/** A text that speaks of arguments where it spoke of headers. */
const toArguments = (text: string) =>
  ofHeaders.reduce((so, [header, argument]) => so.replaceAll(header, argument), text.replace(told, '$1'));

/** A text that speaks of tools and arguments where it spoke of addresses and headers. */
function toText(text: string, toTool: (path: string) => string | undefined): string {
  return toArguments(text).replace(address, (whole, path: string, name: string | undefined) => {
    const tool = toTool(path);
    return tool ? `the tool ${tool}${name ? ` with ${name}` : ''}` : whole;
  });
}

type Told = { path?: string; message?: string; reason?: string; issues?: object[] };

/** The words of a refusal for a model, which knows tools and arguments, and neither addresses nor headers. */
export function toToolWords(body: object, operations: readonly Operation[]): object {
  const toTool = (path: string) =>
    operations.find((row) => row.method === 'GET' && row.path === path && row.tool)?.operationId;
  const inWords = (one: object): object => {
    const { path, message, reason, issues } = one as Told;
    return {
      ...one,
      ...(path && { path: toArguments(path) }),
      ...(reason && { reason: toText(reason, toTool) }),
      ...(message && { message: toText(message, toTool) }),
      ...(issues && { issues: issues.map(inWords) }),
    };
  };
  return inWords(body);
}
