/** Keeps calls of one client open, in a thread of its own, so that the thread that measures others has time. */
import { Agent } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { type Sent, send, type WireReply } from '../../../tests/support/wire.ts';
import { serial } from './largest.ts';

/** A call in which each `serial` is replaced by a number of its own. */
export interface Call {
  method: string;
  target: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

export interface Attack {
  calls: readonly Call[];
  seconds: number;
  width: number;
}

/** How many calls were answered, by status. `silent` ones had no answer. A wrong status is a 5xx that says no time to retry. */
export type Statuses = Record<string, number>;

/** How long the last calls have to be answered. */
const graceSeconds = 20;

const { origin } = workerData as { origin: string };
let sentCount = 0;

/** The status of a reply. One of a tool says whether it is a refusal only in its body. */
function classify({ status, headers, bytes }: WireReply): string {
  const isWrong = status >= 500 && !(status === 503 && headers['retry-after'] !== undefined);
  if (isWrong) return `wrong ${status}`;
  return status === 200 && bytes.includes('"isError":true') ? '200 refused' : String(status);
}

async function sendOne({ method, target, headers, body }: Call, agent: Agent): Promise<string> {
  sentCount += 1;
  const own = String(sentCount).padStart(serial.length, '0');
  const sent: Sent = { method, headers, agent };
  if (body !== undefined) sent.body = body.replaceAll(serial, own);
  try {
    return classify(await send(origin, target.replaceAll(serial, own), sent));
  } catch {
    return 'silent';
  }
}

async function run({ calls, seconds, width }: Attack): Promise<Statuses> {
  const statuses: Statuses = {};
  const agent = new Agent({ keepAlive: true, maxSockets: width });
  const end = performance.now() + seconds * 1000;
  let next = 0;
  const repeat = async () => {
    do {
      const status = await sendOne(calls[next++ % calls.length]!, agent);
      statuses[status] = (statuses[status] ?? 0) + 1;
    } while (performance.now() < end);
  };
  const cut = setTimeout(() => agent.destroy(), (seconds + graceSeconds) * 1000);
  await Promise.all(Array.from({ length: width }, repeat));
  clearTimeout(cut);
  agent.destroy();
  return statuses;
}

parentPort!.on('message', async (attack: Attack) => parentPort!.postMessage(await run(attack)));
