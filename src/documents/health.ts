import { defineOperation, type OperationReply, type OperationRow } from '../kernel/operation.ts';
import { Refusal, type RefusalCode, toRefusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';

/** Milliseconds for which what a probe of the store found is told again. */
const probeEveryMs = 2000;
const longestMessage = 300;

/** The fault behind a refusal: a message for people, and a word for programs, stable where the store knows one. */
function findCause(error: unknown) {
  const cause = toRefusal(error).cause ?? error;
  const { word = 'other', message } = cause as { word?: string; message?: string };
  return { word, message: (message || String(cause)).slice(0, longestMessage) };
}

/** Whether a write to the store came through, after how many milliseconds, and why not. */
async function probeStore({ store, platform }: Service) {
  const start = platform.now();
  const cause = await store.check().then(() => undefined, findCause);
  return { ok: !cause, ms: platform.now() - start, cause };
}

/** What was found last, and when; without a time it is not found yet. */
interface Probe {
  at?: number;
  found: ReturnType<typeof probeStore>;
}

const probes = new WeakMap<Service, Probe>();

/** The same, at most once in `probeEveryMs` however many ask, and never twice at a time. */
function probeNowAndThen(service: Service): Probe['found'] {
  const last = probes.get(service);
  // A clock that was set back does not keep an old answer.
  if (last && Math.abs(service.platform.now() - (last.at ?? service.platform.now())) < probeEveryMs)
    return last.found;
  const probe: Probe = { found: probeStore(service) };
  probes.set(service, probe);
  return probe.found.finally(() => {
    probe.at = service.platform.now();
  });
}

/** What both rows have in common: they are asked by supervisors, and are no part of the contract. */
const common = {
  method: 'GET',
  listed: false,
  access: { probe: true },
} as const;

/** For a supervisor: 200 while it answers at all, also while it stops or its store is away. */
const getHealth = defineOperation({
  ...common,
  operationId: 'getHealth',
  path: '/healthz',
  run(_, { service: { catalogue } }): OperationReply {
    const { service, commit } = catalogue;
    const { version, release } = service;
    return { status: 200, body: { type: 'OK', live: true, version, release, commit } };
  },
});

/** 503 and why; a process that is stopping does not ask its store. */
function createNotReadyReply(
  code: RefusalCode,
  more: { store?: object; cause: ReturnType<typeof findCause> },
): OperationReply {
  const { status, headers, envelope } = new Refusal(code);
  return { status, headers, body: { ...envelope, ready: false, ...more } };
}

/** For a balancer: whether this process is not stopping, and whether its store takes a write. */
const getReadiness = defineOperation({
  ...common,
  operationId: 'getReadiness',
  path: '/readyz',
  async run(_, { service }): Promise<OperationReply> {
    if ((await service.watch.isReady?.()) === false) {
      const { message } = new Refusal('stopping');
      return createNotReadyReply('stopping', { cause: { word: 'stopping', message } });
    }
    const { cause, ...store } = await probeNowAndThen(service);
    if (cause) return createNotReadyReply('store_unavailable', { store, cause });
    const { durability = 'always' } = service.settings;
    return { status: 200, body: { type: 'OK', ready: true, durability, store } };
  },
});

export const health: readonly OperationRow[] = [getHealth, getReadiness];
