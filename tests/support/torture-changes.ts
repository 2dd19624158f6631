import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Kind, paths } from './doors.ts';
import type { Body } from './http.ts';
import { holdToSense } from './model/check.ts';
import { startServer } from './server.ts';

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
    await server.kill();
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

/** A change that is sent, and which records it is of, by their ref. */
export interface Sent {
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: Body;
  headers: Record<string, string>;
  keyed: boolean;
  makes: string[];
  changes?: string;
  erases?: string;
}

/** What a record was answered as last. */
interface Known {
  kind: Kind;
  row: Body;
}

/** A workspace of one writer: what it knows of it by ref, and what was sent last and never answered. */
interface Life {
  workspace?: string;
  known: Map<string, Known>;
  isErased: boolean;
  pending?: Sent | undefined;
}

export const collections: Record<Kind, string> = {
  candidate: 'candidates',
  jobOrder: 'jobOrders',
  placement: 'placements',
};
export const kinds = Object.keys(collections) as Kind[];

const onetCode = '15-1252.00';
const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(Math.random() * all.length)];

const toPerson = () => ({ ref: randomUUID(), name: randomUUID(), onetCode, skills: ['Go'] });
const toOrder = () => ({ ref: randomUUID(), client: 'Example', title: randomUUID(), onetCode, openings: 2 });
const toPlacement = (candidateId: string, jobOrderId: string) => ({
  ref: randomUUID(),
  candidateId,
  jobOrderId,
  onetCode,
  startDate: dayFromNow(-10),
});

type Made = Pick<Sent, 'method' | 'path' | 'body' | 'makes' | 'changes' | 'erases'>;

function toBatch(): Made {
  const candidates = [toPerson(), toPerson(), toPerson()];
  const jobOrders = [toOrder()];
  const placements = candidates.slice(1).map(({ ref }) => toPlacement(`#${ref}`, `#${jobOrders[0]!.ref}`));
  const makes = [...candidates, ...jobOrders, ...placements].map(({ ref }) => ref);
  return { method: 'POST', path: '/batch', body: { candidates, jobOrders, placements }, makes };
}

const ending = { status: 'ended-early', endDate: dayFromNow(-1), endReason: 'client-ended' };

/** A change of one record: of a member or, where one is legal, a move. */
function toPatch(ref: string, { kind, row }: Known): Made {
  const member = { candidate: 'name', jobOrder: 'title', placement: 'feeModel' }[kind];
  const moves: Record<Kind, Body> = {
    candidate: undefined,
    jobOrder: row.transitions.length === 0 && { status: 'closed' },
    placement: row.transitions.length === 0 && ending,
  };
  const body = (Math.random() < 0.3 && moves[kind]) || { [member]: randomUUID() };
  return { method: 'PATCH', path: `${paths[kind]}/${row.id}`, body, makes: [], changes: ref };
}

function toMade({ known }: Life): Made {
  const all = [...known];
  const of = (kind: Kind) => all.filter(([, one]) => one.kind === kind);
  const some = pick(all);
  const dice = Math.random();
  if (!some || dice < 0.15) {
    const body = toPerson();
    return { method: 'POST', path: '/candidates', body, makes: [body.ref] };
  }
  if (dice < 0.35) return toBatch();
  const [person, order] = [pick(of('candidate')), pick(of('jobOrder'))];
  if (dice < 0.55 && person && order) {
    const body = toPlacement(person[1].row.id, `#${order[0]}`);
    return { method: 'POST', path: '/placements', body, makes: [body.ref] };
  }
  if (dice < 0.85) return toPatch(...some);
  const [ref, { kind, row }] = some;
  return { method: 'DELETE', path: `${paths[kind]}/${row.id}`, makes: [], erases: ref };
}

/** The next change of a life; half of them under a key. */
export function toNext(life: Life, isLast: boolean): Sent {
  const made: Made = isLast ? { method: 'DELETE', path: '/workspace', makes: [] } : toMade(life);
  const keyed = !isLast && Math.random() < 0.5;
  const headers = {
    ...(keyed && { 'Idempotency-Key': randomUUID() }),
    ...(life.workspace && { 'X-Workspace': life.workspace }),
  };
  return { ...made, headers, keyed };
}

/** The records that a reply tells of. */
function toRows(body: Body): Known[] {
  return kinds.flatMap((kind) => {
    const rows: Body[] = [...(body[collections[kind]] ?? []), ...(body[kind] ? [body[kind]] : [])];
    return rows.map((row) => ({ kind, row }));
  });
}

/** Takes down what was answered. */
export function note(life: Life, { path, erases }: Sent, text: string): void {
  const body = JSON.parse(text);
  life.workspace ??= body.workspace;
  for (const one of toRows(body)) life.known.set(one.row.ref, one);
  if (erases !== undefined) life.known.delete(erases);
  if (path === '/workspace') life.isErased = true;
}
