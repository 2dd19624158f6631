import { operations } from '../../operations/table.ts';

const paths = new Set(operations.flatMap(({ probe, path }) => (probe ? [path] : [])));

/** Whether a request asks after our health, as its row says, at its plain address. */
export function isProbe(method: string | undefined, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && paths.has(path);
}
