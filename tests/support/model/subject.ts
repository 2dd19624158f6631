import { isDeepStrictEqual } from 'node:util';
import * as assert from 'uvu/assert';
import type { Store } from '../../../src/records/store.ts';
import { type ContractCheck, toContractCheck } from '../contract.ts';
import { makeCore, type Told } from '../core.ts';
import type { Body } from '../http.ts';
import { toCounts } from '../metered.ts';
import { kindNames, kindOf } from './members.ts';

/** Records that a workspace may hold, and seconds that it lives. */
export const recordCeiling = 12;
export const retentionSeconds = 100 * 86_400;

/** The service in this process, over one store, by a clock that is set. */
export interface Subject {
  clock: { now: number };
  ledger: Ledger;
  ask(method: string, target: string, headers?: Record<string, string>, body?: unknown): Promise<Told>;
}

const warningsFirst = /^\{"type":"[A-Z]+","warnings":\[/;

/** Holds a value to what it has to be; where it is not, both are told. */
export function hold(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(actual, expected)) return;
  assert.unreachable(`${what}\nis:  ${JSON.stringify(actual)}\nnot: ${JSON.stringify(expected)}`);
}

/** The service over a store; every reply is held to the published contract. */
export async function toSubject(store: Store): Promise<Subject> {
  const { ask, clock } = makeCore({ store, settings: { recordCeiling, retentionSeconds } });
  let held: ContractCheck | undefined;
  const ledger = createLedger();
  const subject: Subject = {
    clock,
    ledger,
    async ask(method, target, headers = {}, sent) {
      const [path = '/'] = target.split('?');
      const reply = await ask(method, target, sent, headers);
      const { status, headers: told, text, body } = reply;
      const what = `${method} ${target} answered ${status}: ${text.slice(0, 600)}`;
      assert.ok(status < 500, what);
      if (status !== 304) held?.check(method, path, status, told['Content-Type'] ?? '', text);
      ledger.note({ method, path, named: headers['X-Workspace'], status, headers: told, body }, clock.now);
      if (body?.warnings) assert.match(text, warningsFirst, what);
      return reply;
    },
  };
  held = toContractCheck((await subject.ask('GET', '/openapi.json')).body);
  return subject;
}

/** What was asked and answered, as far as it is charged for. */
interface Answered {
  method: string;
  path: string;
  /** The workspace that was named, if any. */
  named: string | undefined;
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Body;
}

/** What a workspace has to be charged, by its id: every metered call that was answered with content, and nothing else. */
interface Ledger {
  note(answered: Answered, now: number): void;
  /** How often each operation was called in the month that the meter tells, those never called left out. */
  read(workspace: string, now: number): { period: string; calls: Record<string, number> };
}

const nameOf = (kind: string) => kind[0]!.toUpperCase() + kind.slice(1);

/** The calls that an answer is charged for, by operation. */
function toCalls({
  method,
  path,
  named,
  status,
  headers,
  body,
}: Answered): [operation: string, calls: number][] {
  if (status === 200 && method === 'GET' && named !== undefined)
    return kindNames.flatMap((kind) => {
      const [, rest, ...more] = path.split(kindOf[kind].path);
      const isOne = more.length === 0 && /^\/[^/]+$/.test(rest ?? '');
      return isOne ? [[`get${nameOf(kind)}`, 1]] : [];
    });
  if (status !== 201 || method !== 'POST' || headers['Idempotency-Replayed']) return [];
  return kindNames.flatMap((kind) => {
    const made =
      path === kindOf[kind].path ? 1 : path === '/batch' ? (body[kindOf[kind].collection] ?? []).length : 0;
    return made > 0 ? [[`create${nameOf(kind)}`, made]] : [];
  });
}

const toPeriod = (now: number) => new Date(now).toISOString().slice(0, 7);

function createLedger(): Ledger {
  const pages = new Map<string, { period: string; calls: Record<string, number> }>();
  const toPage = (workspace: string, now: number) => {
    const page = pages.get(workspace);
    const period = toPeriod(now);
    return page && page.period >= period ? page : { period, calls: {} };
  };
  return {
    note(answered, now) {
      const workspace = answered.headers['X-Workspace'] ?? answered.named;
      const calls = toCalls(answered);
      if (workspace === undefined || calls.length === 0) return;
      const page = toPage(workspace, now);
      for (const [operation, count] of calls) page.calls[operation] = (page.calls[operation] ?? 0) + count;
      pages.set(workspace, page);
    },
    read: toPage,
  };
}

/** What a reading of the meter says, as a ledger does. */
export const fromUsage = (usage: Body) => ({ period: usage.period, calls: toCounts(usage) });
