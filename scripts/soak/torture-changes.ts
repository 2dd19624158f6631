import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { collections, inside, type Kind, kinds, paths } from '../../tests/support/doors.ts';
import type { Body } from '../../tests/support/http.ts';
import { dayFromNow, onetCode } from '../../tests/support/sandbox.ts';
import { holdToSense } from '../../tests/support/sense.ts';
import { startServer } from '../../tests/support/server.ts';

/** The result. Every number but the first two must be 0. */
interface ChangeToll {
  acknowledged: number;
  /** Changes without an answer, which were sent again under the same key after the restart. */
  repeated: number;
  /** Acknowledged, but different after a restart. Counted once for each comparison that finds it. */
  lost: number;
  /** Records that exist although no change for them was acknowledged or pending. */
  extra: number;
  /**
   * Repeated changes that got another answer than the first time, or were refused because half of them
   * existed.
   */
  unfaithful: number;
  /** Workspaces whose counts or statuses do not follow from their records. */
  senseless: number;
  /** Answers that are neither a success nor a broken connection. */
  refused: number;
}

/** A change that is sent under a key, and the ref of the record that it deletes. */
interface Sent {
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: Body;
  headers: Record<string, string>;
  erases?: string;
}

/** A workspace of one writer: the last known rows by ref, and the last change without an answer. */
interface Life {
  workspace?: string;
  known: Map<string, { kind: Kind; row: Body }>;
  isErased: boolean;
  pending?: Sent | undefined;
}

const writers = 12;
const changesEach = 14;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function send(origin: string, { method, path, body, headers }: Sent) {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const answer = await fetch(origin + path, { method, headers, body: sent });
  return { status: answer.status, text: await answer.text() };
}

/** Records an answer. */
function note(life: Life, { path, erases }: Sent, text: string): void {
  const body = JSON.parse(text);
  life.workspace ??= body.workspace;
  for (const kind of kinds)
    for (const row of [...(body[collections[kind]] ?? []), body[kind] ?? []].flat())
      life.known.set(row.ref, { kind, row });
  if (erases !== undefined) life.known.delete(erases);
  if (path === '/workspace') life.isErased = true;
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

/** Returns all records of a workspace by their ref, or undefined if it is gone. */
async function read(
  origin: string,
  workspace: string,
  toll: ChangeToll,
): Promise<Map<string, Body> | undefined> {
  const ask = async (path: string) =>
    (await fetch(origin + path, { headers: inside(workspace) })).json() as Promise<Body>;
  const { workspace: told, code } = await ask('/workspace');
  if (code === 'unknown_workspace') return undefined;
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const body = await ask(`${paths[kind]}?scope=workspace&limit=200`);
      return [kind, (body[collections[kind]] ?? []) as Body[]] as const;
    }),
  );
  const counts = lists.map(([kind, all]) => [collections[kind], all.length]);
  try {
    holdToSense(Object.fromEntries(lists) as Record<Kind, Body[]>, dayFromNow(0));
    if (!isDeepStrictEqual(told.records, Object.fromEntries(counts))) throw new Error('counts differ');
  } catch {
    toll.senseless += 1;
  }
  return new Map(lists.flatMap(([, all]) => all).map((row) => [row.ref, row]));
}

/** Sends a change without an answer again, twice. It must be made once, completely, and answered the same. */
async function settle(origin: string, life: Life, toll: ChangeToll): Promise<void> {
  const { pending: sent } = life;
  life.pending = undefined;
  if (!sent) return;
  toll.repeated += 1;
  const [first, second] = [await send(origin, sent), await send(origin, sent)];
  // An erasure deletes its own key.
  if (sent.path === '/workspace') life.isErased = true;
  else if (first.status > 201 || first.text !== second.text) toll.unfaithful += 1;
  else note(life, sent, first.text);
}

/** Returns a record without what follows from others. */
function toOwn({ status, freeFrom, openingsLeft, proposals, links, ...own }: Body): Body {
  if (!('candidateId' in own)) return own;
  const { candidateName, client, title, ...placement } = own;
  return placement;
}

/** Compares what was acknowledged with what is stored. */
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
 * Kills the service with SIGKILL during creates, batches, changes and deletes, starts it again on the same
 * data and compares, `rounds` times. Compares everything again at the end. `env` chooses the store.
 */
export async function tortureChanges(
  env: Record<string, string>,
  rounds: number,
  onRound: (round: number, toll: ChangeToll) => void = () => {},
): Promise<ChangeToll> {
  const good = { acknowledged: 0, repeated: 0 };
  const toll: ChangeToll = { ...good, lost: 0, extra: 0, unfaithful: 0, senseless: 0, refused: 0 };
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

const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(Math.random() * all.length)];

const toPerson = () => ({ ref: randomUUID(), name: randomUUID(), onetCode, skills: ['Go'] });
const toOrder = () => ({ ref: randomUUID(), client: 'Example', title: randomUUID(), onetCode, openings: 2 });
const toPlacement = (candidateId: string, jobOrderId: string) => ({
  ref: randomUUID(),
  ...{ candidateId, jobOrderId, onetCode, startDate: dayFromNow(-10) },
});

/** Records that refer to each other, made at once. */
function toBatch(): Body {
  const candidates = [toPerson(), toPerson(), toPerson()];
  const jobOrders = [toOrder()];
  const placements = candidates.slice(1).map(({ ref }) => toPlacement(`#${ref}`, `#${jobOrders[0]!.ref}`));
  return { candidates, jobOrders, placements };
}

const ending = { status: 'ended-early', endDate: dayFromNow(-1), endReason: 'client-ended' };

/** Returns a change of a member or, if one is allowed, a move. */
function toPatch(kind: Kind, { transitions }: Body): Body {
  const member = { candidate: 'name', jobOrder: 'title', placement: 'feeModel' }[kind];
  const moves = { candidate: undefined, jobOrder: { status: 'closed' }, placement: ending };
  const move = transitions.length === 0 && Math.random() < 0.3 && moves[kind];
  return move || { [member]: randomUUID() };
}

function toChange({ known }: Life): Omit<Sent, 'headers'> {
  const some = pick([...known]);
  const dice = Math.random();
  if (!some || dice < 0.15) return { method: 'POST', path: '/candidates', body: toPerson() };
  if (dice < 0.35) return { method: 'POST', path: '/batch', body: toBatch() };
  const of = (kind: Kind) => pick([...known.values()].filter((one) => one.kind === kind))?.row;
  const [person, order] = [of('candidate'), of('jobOrder')];
  if (dice < 0.55 && person && order)
    return { method: 'POST', path: '/placements', body: toPlacement(person.id, `#${order.ref}`) };
  const [ref, { kind, row }] = some;
  const path = `${paths[kind]}/${row.id}`;
  return dice < 0.85
    ? { method: 'PATCH', path, body: toPatch(kind, row) }
    : { method: 'DELETE', path, erases: ref };
}

/** Returns the next change of a workspace, with a new key. */
function toNext(life: Life, isLast: boolean): Sent {
  const headers = { 'Idempotency-Key': randomUUID(), ...inside(life.workspace) };
  return { ...(isLast ? { method: 'DELETE', path: '/workspace' } : toChange(life)), headers };
}
