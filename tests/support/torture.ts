import { randomUUID } from 'node:crypto';
import { type RunningServer, startServer } from './server.ts';

/** A create that was sent: under a key it may be sent again, and must then count once. */
interface Sent {
  name: string;
  headers: Record<string, string>;
  keyed: boolean;
}

/** A create that was answered 201. */
interface Acknowledged extends Sent {
  text: string;
  workspace: string;
  record: object;
}

/** What came of it: every number but the first two must be 0. */
interface Toll {
  acknowledged: number;
  /** Sent under a key, cut off before an answer, and sent again after the restart. */
  repeated: number;
  /** Acknowledged, and not as it was after a restart; once for each comparison that missed it. */
  lost: number;
  /** Sent under one key, and there twice. */
  doubled: number;
  /** Sent again under a key, and answered otherwise than the first time. */
  unfaithful: number;
  /** Answered with neither 201 nor a broken connection. */
  refused: number;
}

const writers = 16;
const recordsEach = 12;

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const post = async (origin: string, { name, headers }: Sent) => {
  const body = JSON.stringify({ name, onetCode: '15-1252.00', skills: [name] });
  const answer = await fetch(`${origin}/candidates`, { method: 'POST', body, headers });
  return { status: answer.status, text: await answer.text() };
};

function toAcknowledged(sent: Sent, text: string): Acknowledged {
  const { workspace, candidate } = JSON.parse(text);
  return { ...sent, text, workspace, record: candidate };
}

/** Creates without a pause until the server is gone; half of it under keys, most of it in a workspace. */
async function write(origin: string, acknowledged: Acknowledged[], cut: Sent[], toll: Toll): Promise<void> {
  for (;;) {
    let workspace: string | undefined;
    for (let count = 0; count < recordsEach; count += 1) {
      const keyed = Math.random() < 0.5;
      const key: Record<string, string> = keyed ? { 'Idempotency-Key': randomUUID() } : {};
      const place: Record<string, string> = workspace ? { 'X-Workspace': workspace } : {};
      const sent = { name: randomUUID(), headers: { ...key, ...place }, keyed };
      try {
        const { status, text } = await post(origin, sent);
        if (status !== 201) toll.refused += 1;
        else {
          const one = toAcknowledged(sent, text);
          acknowledged.push(one);
          workspace = one.workspace;
        }
      } catch {
        if (keyed) cut.push(sent);
        return;
      }
    }
  }
}

async function readWorkspace(origin: string, workspace: string): Promise<{ name: string }[]> {
  const answer = await fetch(`${origin}/candidates?limit=200`, { headers: { 'X-Workspace': workspace } });
  const body = (await answer.json()) as { candidates?: { name: string }[] };
  return body.candidates ?? [];
}

/** Compares what was acknowledged with what is there. */
async function compare(origin: string, acknowledged: Acknowledged[], toll: Toll): Promise<void> {
  const byWorkspace = Map.groupBy(acknowledged, ({ workspace }) => workspace);
  for (const [workspace, expected] of byWorkspace) {
    const byName = Map.groupBy(await readWorkspace(origin, workspace), ({ name }) => name);
    for (const { name, record, keyed } of expected) {
      const there = byName.get(name) ?? [];
      if (JSON.stringify(there[0]) !== JSON.stringify(record)) toll.lost += 1;
      if (keyed && there.length > 1) toll.doubled += 1;
    }
  }
}

/** Sends again what was cut off under a key, twice: it must be there once, and answered alike. */
async function repeat(origin: string, cut: Sent[], acknowledged: Acknowledged[], toll: Toll): Promise<void> {
  for (const sent of cut) {
    const [first, second] = [await post(origin, sent), await post(origin, sent)];
    if (first.status !== 201 || first.text !== second.text) toll.unfaithful += 1;
    else acknowledged.push(toAcknowledged(sent, first.text));
    toll.repeated += 1;
  }
  for (const one of acknowledged.filter(({ keyed }) => keyed).slice(-20)) {
    if ((await post(origin, one)).text !== one.text) toll.unfaithful += 1;
  }
}

/** Ends a host at once, and waits until it is gone. */
export async function kill(server: RunningServer): Promise<void> {
  const gone = new Promise((resolve) => server.process.once('exit', resolve));
  server.process.kill('SIGKILL');
  await gone;
}

/**
 * Kills our process with SIGKILL under a stream of creates, starts it again on the same data and compares,
 * `rounds` times; at the end compares all over again. `env` chooses the store.
 */
export async function torture(
  env: Record<string, string>,
  rounds: number,
  onRound: (round: number, toll: Toll) => void = () => {},
): Promise<Toll> {
  const toll: Toll = { acknowledged: 0, repeated: 0, lost: 0, doubled: 0, unfaithful: 0, refused: 0 };
  const settings = { LOG: 'off', RATE_LIMIT: 'off', METER: 'count', ...env };
  const all: Acknowledged[] = [];
  let server = await startServer(settings);
  for (let round = 1; round <= rounds; round += 1) {
    const acknowledged: Acknowledged[] = [];
    const cut: Sent[] = [];
    const { origin } = server;
    const writing = Array.from({ length: writers }, () => write(origin, acknowledged, cut, toll));
    await pause(30 + Math.random() * 400);
    await kill(server);
    await Promise.all(writing);
    server = await startServer({ ...settings, DATA_DIR: server.dataDir });
    await repeat(server.origin, cut, acknowledged, toll);
    await compare(server.origin, acknowledged, toll);
    all.push(...acknowledged);
    toll.acknowledged = all.length;
    onRound(round, toll);
  }
  await compare(server.origin, all, toll);
  await server.stop();
  return toll;
}
