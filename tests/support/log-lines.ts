import { randomUUID } from 'node:crypto';
import { until } from './redis.ts';
import type { RunningServer } from './server.ts';
import { send } from './wire.ts';

type Printing = Pick<RunningServer, 'origin' | 'output'>;

interface Line {
  time: string;
  id: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  bytes: number;
  client: string;
  workspace?: string;
  code?: string;
  trace?: string;
  agent?: string;
  issue: string;
  limit?: string;
  /** The members of the line of a start or a stop. */
  event?: 'start' | 'stop';
  version: string;
  address: string;
  listen: string;
  store: string;
  roomBytes: number;
  settings: Record<string, string>;
  reason: string;
  tookSeconds: number;
  ranSeconds: number;
}

/** Returns the JSON lines in the output of a server. */
export const toLines = (printed: string): Line[] =>
  printed.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));

/** Returns what a host logs for the requests of `call`. */
export async function printedBy({ origin, output }: Printing, call: () => Promise<unknown>): Promise<string> {
  const mark = async () => {
    const id = randomUUID();
    await send(origin, '/offer', { headers: { 'X-Request-Id': id } });
    return id;
  };
  const begin = await mark();
  await call();
  const end = await mark();
  await until(() => output().includes(end), 'the last line is written');
  const [, lines = ''] = new RegExp(`${begin}.*\n([^]*?).*${end}`).exec(output())!;
  return lines;
}
export const linesOf = async (server: Printing, call: () => Promise<unknown>) =>
  toLines(await printedBy(server, call));
