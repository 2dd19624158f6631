import type { Operation } from '../kernel/operation.ts';

/** An address in a text, with the query name that it ends with, if any. */
const address = /(?<![\w/])(\/[a-z-]+)(?:\?([a-z]+)=)?(?![\w/])/g;

/** A text that speaks of tools where it spoke of their addresses. */
function toText(text: string, toTool: (path: string) => string | undefined): string {
  return text.replace(address, (whole, path: string, name: string | undefined) => {
    const tool = toTool(path);
    return tool ? `the tool ${tool}${name ? ` with ${name}` : ''}` : whole;
  });
}

type Told = { message?: string; reason?: string; issues?: object[] };

/** The words of a refusal for a model, which knows tools and no addresses. */
export function toToolWords(body: object, operations: readonly Operation[]): object {
  const toTool = (path: string) =>
    operations.find((row) => row.method === 'GET' && row.path === path && row.tool)?.operationId;
  const inWords = (one: object): object => {
    const { message, reason, issues } = one as Told;
    return {
      ...one,
      ...(reason && { reason: toText(reason, toTool) }),
      ...(message && { message: toText(message, toTool) }),
      ...(issues && { issues: issues.map(inWords) }),
    };
  };
  return inWords(body);
}
