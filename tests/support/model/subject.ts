import { isDeepStrictEqual } from 'node:util';
import * as assert from 'uvu/assert';
import { buildService } from '../../../src/hosts/build/build-service.ts';
import { createAnswer } from '../../../src/kernel/answer.ts';
import type { Store } from '../../../src/records/store.ts';
import { createService } from '../../../src/service.ts';
import { type ContractCheck, toContractCheck } from '../contract.ts';
import type { Body } from '../http.ts';
import { createLedger, type Ledger } from './ledger.ts';

/** Records that a workspace may hold, and seconds that it lives. */
export const recordCeiling = 12;
export const retentionSeconds = 100 * 86_400;

/** A reply of the core in this process. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  text: string;
  body: Body;
}

/** The service in this process, over one store, by a clock that is set. */
export interface Subject {
  clock: { now: number };
  ledger: Ledger;
  ask(method: string, target: string, headers?: Record<string, string>, body?: unknown): Promise<Reply>;
}

const encoder = new TextEncoder();
const warningsFirst = /^\{"type":"[A-Z]+","warnings":\[/;

/** Holds a value to what it has to be; where it is not, both are told. */
export function hold(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(actual, expected)) return;
  assert.unreachable(`${what}\nis:  ${JSON.stringify(actual)}\nnot: ${JSON.stringify(expected)}`);
}

/** The service over a store; every reply is held to the published contract. */
export async function toSubject(store: Store): Promise<Subject> {
  const clock = { now: Date.now() };
  const built = buildService();
  const answer = createAnswer(
    createService({
      ...built,
      store,
      settings: { ...built.settings, recordCeiling, retentionSeconds },
      platform: { ...built.platform, now: () => clock.now },
    }),
  );
  let held: ContractCheck | undefined;
  const ledger = createLedger();
  const subject: Subject = {
    clock,
    ledger,
    async ask(method, target, headers = {}, sent) {
      const [path = '/', query = ''] = target.split(/\?(.*)/s);
      const lower = Object.entries({ host: 'localhost', ...headers }).map(([n, v]) => [n.toLowerCase(), v]);
      const body = encoder.encode(sent === undefined ? '' : JSON.stringify(sent));
      const call = { method, path, query, headers: Object.fromEntries(lower), client: '127.0.0.1', body };
      const reply = await answer(call);
      const what = `${method} ${target} answered ${reply.status}: ${reply.body.slice(0, 600)}`;
      assert.ok(reply.status < 500, what);
      if (reply.status !== 304)
        held?.check(method, path, reply.status, reply.headers['Content-Type'] ?? '', reply.body);
      const parsed = reply.body === '' ? undefined : JSON.parse(reply.body);
      const named = headers['X-Workspace'];
      const { status, headers: told } = reply;
      ledger.note({ method, path, named, status, headers: told, body: parsed }, clock.now);
      if (parsed?.warnings) assert.match(reply.body, warningsFirst, what);
      return { status: reply.status, headers: reply.headers, text: reply.body, body: parsed };
    },
  };
  held = toContractCheck((await subject.ask('GET', '/openapi.json')).body);
  return subject;
}
