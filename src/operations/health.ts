import * as v from 'valibot';
import { type Outcome, toOperation } from '../core/operation.ts';
import { Refusal } from '../core/refusal.ts';
import type { Service } from '../core/service.ts';

/** Whether the store answers, and after how many milliseconds. */
async function probeStore({ store, platform }: Service): Promise<{ ok: boolean; ms: number }> {
  const start = platform.now();
  try {
    await store.check();
    return { ok: true, ms: platform.now() - start };
  } catch {
    return { ok: false, ms: platform.now() - start };
  }
}

const entries = {
  live: v.literal(true),
  ready: v.boolean(),
  store: v.object({ ok: v.boolean(), ms: v.number() }),
};

/** GET /healthz, for a supervisor or a balancer: 200 where new work can be sent here, else 503. */
export const getHealth = toOperation({
  operationId: 'getHealth',
  method: 'GET',
  path: '/healthz',
  tag: 'discovery',
  summary: 'Health of this process',
  description: 'Whether it lives, whether new work should be sent here, and whether its store answers.',
  listed: false,
  input: v.object({}),
  replies: {
    200: { description: 'Ready.', schema: v.object({ type: v.literal('OK'), ...entries }) },
    503: { description: 'Not ready.', schema: v.looseObject({ type: v.literal('BLOCKED'), ...entries }) },
  },
  cache: 'never',
  workspace: false,
  async run(_, { service }): Promise<Outcome> {
    const store = await probeStore(service);
    const isOpen = service.watch.isReady?.() ?? true;
    const state = { live: true, ready: store.ok && isOpen, store };
    if (state.ready) return { status: 200, body: { type: 'OK', ...state } };
    const reason = isOpen ? undefined : 'This process is stopping; send new requests to another.';
    const { status, headers, envelope } = new Refusal('store_unavailable', { reason });
    return { status, headers, body: { ...envelope, ...state } };
  },
});
