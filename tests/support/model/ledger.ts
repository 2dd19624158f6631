import type { Body } from '../http.ts';
import { toCounts } from '../metered.ts';
import { kindNames, kindOf } from './members.ts';

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
export interface Ledger {
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

export function createLedger(): Ledger {
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
