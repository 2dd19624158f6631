import { isDeepStrictEqual } from 'node:util';
import * as assert from 'uvu/assert';
import type { Store } from '../../../src/records/store.ts';
import { type ContractCheck, toContractCheck } from '../contract.ts';
import { makeCore, type Told } from '../core.ts';
import { createLedger, type Ledger } from './ledger.ts';

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
