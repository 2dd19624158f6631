import {
  defineOperation,
  type OperationContext,
  type OperationReply,
  type OperationRow,
} from '../kernel/operation.ts';
import { Refusal, type RefusalCode, toRefusal } from '../kernel/refusal.ts';
import type { DocumentService } from './service.ts';

/** How long the result of a probe of the store is reused, in milliseconds. */
const probeEveryMs = 2000;
const longestMessage = 300;

/** Returns the cause of an error: a message for people, and a stable word for programs or `other`. */
function findCause(error: unknown) {
  const { word = 'other', message } = error as { word?: string; message?: string };
  return { word, message: (message || String(error)).slice(0, longestMessage) };
}

/**
 * Returns whether a write to the store succeeded, how many milliseconds it took, and the cause if it failed. Reports a
 * cause that came up after the probe before: no other call meets a server that has become less durable.
 */
async function probeStore({ store, platform, watch }: DocumentService, previous: Probe | undefined) {
  const start = platform.now();
  const error: unknown = await store.check().then(
    () => undefined,
    (fault) => toRefusal(fault).cause ?? fault,
  );
  const ms = platform.now() - start;
  if (error === undefined) return { ok: true, ms, cause: undefined };
  const cause = findCause(error);
  if (previous && cause.word !== (await previous.found).cause?.word) watch.report?.(error);
  return { ok: false, ms, cause };
}

/** A probe of the store, and the time when it ended. Without a time it is still running. */
interface Probe {
  at?: number;
  found: Promise<{ ok: boolean; ms: number; cause: ReturnType<typeof findCause> | undefined }>;
}

const probes = new WeakMap<DocumentService, Probe>();

/** Probes the store, or returns the previous probe if it is still running or recent. */
function probeOrReuse(service: DocumentService): Probe['found'] {
  const previous = probes.get(service);
  // The absolute difference makes an old result expire even if the clock was set back.
  if (previous && Math.abs(service.platform.now() - (previous.at ?? service.platform.now())) < probeEveryMs)
    return previous.found;
  const probe: Probe = { found: probeStore(service, previous) };
  probes.set(service, probe);
  return probe.found.finally(() => {
    probe.at = service.platform.now();
  });
}

/** Members of both operations. Supervisors call them, and the contract does not list them. */
const common = {
  method: 'GET',
  listed: false,
  access: { probe: true },
} as const;

/** For a supervisor: 200 while the process replies, even if it is stopping or its store fails. */
const getHealth = defineOperation({
  ...common,
  operationId: 'getHealth',
  path: '/healthz',
  run(_, { service: { catalogue } }: OperationContext<DocumentService>): OperationReply {
    const { service, commit } = catalogue;
    const { version, release } = service;
    return { status: 200, body: { type: 'OK', live: true, version, release, commit } };
  },
});

/** Creates the reply 503 with its cause. */
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
  async run(_, { service }: OperationContext<DocumentService>): Promise<OperationReply> {
    if ((await service.watch.isReady?.()) === false) {
      const { message } = new Refusal('stopping');
      return createNotReadyReply('stopping', { cause: { word: 'stopping', message } });
    }
    const { cause, ...store } = await probeOrReuse(service);
    if (cause) return createNotReadyReply('store_unavailable', { store, cause });
    const { durability = 'always' } = service.settings;
    return { status: 200, body: { type: 'OK', ready: true, durability, store } };
  },
});

export const health: readonly OperationRow[] = [getHealth, getReadiness];
