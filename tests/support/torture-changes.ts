import { isDeepStrictEqual } from 'node:util';
import { paths } from './doors.ts';
import type { Body } from './http.ts';
import { holdToSense } from './model/check.ts';
import { type RunningServer, startServer } from './server.ts';
import { collections, kinds, type Life, note, type Sent, toNext } from './torture-life.ts';

/** What came of it: every number but the first three must be 0. */
interface ChangeToll {
  acknowledged: number;
  /** Sent under a key, cut off before an answer, and sent again after the restart. */
  repeated: number;
  /** Cut off without a key, and there after the restart. */
  unheard: number;
  /** Acknowledged, and not as it was after a restart; once for each comparison that missed it. */
  lost: number;
  /** Made, though nobody was told so and nothing of it was under way. */
  extra: number;
  /** Changes of several records of which some were made. */
  half: number;
  /** Sent again under a key, and answered otherwise than the first time. */
  unfaithful: number;
  /** Workspaces whose counts or statuses do not follow from their records. */
  senseless: number;
  /** Answered with neither what was asked nor a broken connection. */
  refused: number;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Ends a host at once, and waits until it is gone. */
async function kill(server: RunningServer): Promise<void> {
  const gone = new Promise((resolve) => server.process.once('exit', resolve));
  server.process.kill('SIGKILL');
  await gone;
}

const writers = 12;
const changesEach = 14;

async function send(origin: string, { method, path, body, headers }: Sent) {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const answer = await fetch(origin + path, { method, headers, body: sent });
  return { status: answer.status, text: await answer.text() };
}

/** Changes one workspace after the other without a pause until the server is gone. */
async function write(origin: string, lives: Life[], toll: ChangeToll): Promise<void> {
  for (;;) {
    const life: Life = { known: new Map(), isErased: false };
    lives.push(life);
    const isErased = Math.random() < 0.3;
    for (let count = 1; count <= changesEach; count += 1) {
      const sent = toNext(life, isErased && count === changesEach);
      life.pending = sent;
      try {
        const { status, text } = await send(origin, sent);
        life.pending = undefined;
        if (status > 201) toll.refused += 1;
        else {
          note(life, sent, text);
          toll.acknowledged += 1;
        }
      } catch {
        return;
      }
    }
  }
}

type Rows = Map<string, Body>;

/** All records of a workspace by their ref, or undefined where it is gone. */
async function read(origin: string, workspace: string, toll: ChangeToll): Promise<Rows | undefined> {
  const headers = { 'X-Workspace': workspace };
  const ask = async (path: string) => (await fetch(origin + path, { headers })).json() as Promise<Body>;
  const { workspace: told, code } = await ask('/workspace');
  if (code === 'unknown_workspace') return undefined;
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const body = await ask(`${paths[kind]}?scope=workspace&limit=200`);
      return [kind, (body[collections[kind]] ?? []) as Body[]] as const;
    }),
  );
  const rows = Object.fromEntries(lists);
  const counts = lists.map(([kind, all]) => [collections[kind], all.length]);
  try {
    holdToSense(rows as Parameters<typeof holdToSense>[0]);
    if (!isDeepStrictEqual(told.records, Object.fromEntries(counts))) throw new Error('counts differ');
  } catch {
    toll.senseless += 1;
  }
  return new Map(lists.flatMap(([, all]) => all).map((row) => [row.ref, row]));
}

/** Finds out what became of a change that was never answered: the whole of it, or nothing. */
async function settle(origin: string, life: Life, toll: ChangeToll): Promise<void> {
  const { pending: sent } = life;
  life.pending = undefined;
  if (!sent) return;
  if (sent.keyed) {
    const [first, second] = [await send(origin, sent), await send(origin, sent)];
    if (first.status > 201 || first.text !== second.text) toll.unfaithful += 1;
    else note(life, sent, first.text);
    toll.repeated += 1;
    return;
  }
  if (!life.workspace) return;
  const rows = await read(origin, life.workspace, toll);
  if (!rows) {
    if (sent.path !== '/workspace') return;
    life.isErased = true;
    toll.unheard += 1;
    return;
  }
  const made = sent.makes.filter((ref) => rows.has(ref));
  if (made.length > 0 && made.length < sent.makes.length) toll.half += 1;
  for (const ref of made) {
    const row = rows.get(ref)!;
    const kind = kinds.find((one) => row.links.self.startsWith(`${paths[one]}/`))!;
    life.known.set(ref, { kind, row });
  }
  const { changes: changed = '', erases = '' } = sent;
  const known = life.known.get(changed);
  const row = rows.get(changed);
  const isChanged = known && row && row.revision === known.row.revision + 1;
  const isWhole = Object.entries(sent.body ?? {}).every(([name, value]) => row?.[name] === value);
  if (isChanged && isWhole) known.row = row;
  const isErased = life.known.has(erases) && !rows.has(erases);
  if (isErased) life.known.delete(erases);
  if (made.length > 0 || isChanged || isErased) toll.unheard += 1;
}

/** A record without what follows from others. */
const toOwn = ({ status, openingsLeft, proposals, links, ...own }: Body) => own;

/** Compares what was acknowledged with what is there. */
async function compare(origin: string, { workspace, known, isErased }: Life, toll: ChangeToll) {
  if (!workspace) return;
  const rows = await read(origin, workspace, toll);
  if (isErased !== (rows === undefined)) toll.lost += 1;
  if (isErased || !rows) return;
  for (const [ref, { row }] of known) {
    const there = rows.get(ref);
    if (!there || !isDeepStrictEqual(toOwn(there), toOwn(row))) toll.lost += 1;
  }
  for (const ref of rows.keys()) if (!known.has(ref)) toll.extra += 1;
}

/**
 * Kills our process with SIGKILL under a mix of creates, batches, changes and deletes, starts it again on the same
 * data and compares, `rounds` times; at the end compares all over again. `env` chooses the store.
 */
export async function tortureChanges(
  env: Record<string, string>,
  rounds: number,
  onRound: (round: number, toll: ChangeToll) => void = () => {},
): Promise<ChangeToll> {
  const good = { acknowledged: 0, repeated: 0, unheard: 0 };
  const toll: ChangeToll = { ...good, lost: 0, extra: 0, half: 0, unfaithful: 0, senseless: 0, refused: 0 };
  const settings = { LOG: 'off', RATE_LIMIT: 'off', METER: 'count', ...env };
  const all: Life[] = [];
  let server = await startServer(settings);
  for (let round = 1; round <= rounds; round += 1) {
    const lives: Life[] = [];
    const { origin } = server;
    const writing = Array.from({ length: writers }, () => write(origin, lives, toll));
    await pause(100 + Math.random() * 500);
    await kill(server);
    await Promise.all(writing);
    server = await startServer({ ...settings, DATA_DIR: server.dataDir });
    for (const life of lives) await settle(server.origin, life, toll);
    for (const life of lives) await compare(server.origin, life, toll);
    all.push(...lives);
    onRound(round, toll);
  }
  for (const life of all) await compare(server.origin, life, toll);
  await server.stop();
  return toll;
}
