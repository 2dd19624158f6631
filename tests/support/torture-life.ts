import { randomUUID } from 'node:crypto';
import { type Kind, paths } from './doors.ts';
import type { Body } from './http.ts';

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
export interface Life {
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
