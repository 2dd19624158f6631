import * as v from 'valibot';
import { type Operation, type Outcome, toOperation, toReplies } from '../kernel/operation.ts';
import { Refusal, toRefusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import { CalendarDate } from '../kernel/text.ts';

/** Milliseconds for which what a probe of the store found is told again. */
const probeEveryMs = 2000;
/** Characters of a fault's message that are told at most. */
const longestMessage = 300;

/** Why new work should not be sent here: a word for programs, a message for people. */
const Cause = v.object({ word: v.string(), message: v.string() });
type Cause = v.InferOutput<typeof Cause>;

/** Whether a write to the store came through, after how many milliseconds, and why not. */
interface Probed {
  ok: boolean;
  ms: number;
  cause?: Cause;
}

/** The fault behind a refusal; its `word`, where the store knows one, is stable. */
function toCause(error: unknown): Cause {
  const cause = toRefusal(error).cause ?? error;
  const { word = 'other', message } = cause as { word?: string; message?: string };
  return { word, message: (message || String(cause)).slice(0, longestMessage) };
}

async function probeStore({ store, platform }: Service): Promise<Probed> {
  const start = platform.now();
  try {
    await store.check();
    return { ok: true, ms: platform.now() - start };
  } catch (error) {
    return { ok: false, ms: platform.now() - start, cause: toCause(error) };
  }
}

/** By service, what was found last, and when; without a time it is not found yet. */
const probes = new WeakMap<Service, { at?: number; found: Promise<Probed> }>();

/** The same, at most once in `probeEveryMs` however many ask, and never twice at a time. */
function probeNowAndThen(service: Service): Promise<Probed> {
  const last = probes.get(service);
  // A clock that was set back does not keep an old answer.
  if (last && Math.abs(service.platform.now() - (last.at ?? service.platform.now())) < probeEveryMs)
    return last.found;
  const probe: { at?: number; found: Promise<Probed> } = { found: probeStore(service) };
  probes.set(service, probe);
  return probe.found.finally(() => {
    probe.at = service.platform.now();
  });
}

/** What both rows have in common: they are asked by supervisors, and are no part of the contract. */
const common = {
  method: 'GET',
  effect: 'read',
  tag: 'discovery',
  listed: false,
  probe: true,
  input: v.object({}),
  cache: 'never',
  workspace: false,
} as const;

const getHealth = toOperation({
  ...common,
  operationId: 'getHealth',
  path: '/healthz',
  summary: 'Whether this process lives',
  description: 'For a supervisor: 200 while it answers at all, also while it stops or its store is away.',
  replies: toReplies({
    200: {
      description: 'Alive, and what was built.',
      schema: v.object({
        type: v.literal('OK'),
        live: v.literal(true),
        version: v.string(),
        release: CalendarDate,
        commit: v.optional(v.string()),
      }),
    },
  }),
  run(_, { service: { catalogue } }): Outcome {
    const { service, commit } = catalogue;
    const { version, release } = service;
    return { status: 200, body: { type: 'OK', live: true, version, release, commit } };
  },
});

const StoreState = v.object({ ok: v.boolean(), ms: v.number() });

const getReadiness = toOperation({
  ...common,
  operationId: 'getReadiness',
  path: '/readyz',
  summary: 'Whether new work should be sent here',
  description: 'For a balancer: whether this process is not stopping, and whether its store takes a write.',
  replies: toReplies({
    200: {
      description: 'Ready.',
      schema: v.object({
        type: v.literal('OK'),
        ready: v.literal(true),
        durability: v.picklist(['always', 'second', 'none']),
        store: StoreState,
      }),
    },
    503: {
      description: 'Not ready, and why; a process that is stopping does not ask its store.',
      schema: v.looseObject({
        type: v.literal('BLOCKED'),
        ready: v.literal(false),
        store: v.optional(StoreState),
        cause: Cause,
      }),
    },
  }),
  async run(_, { service }): Promise<Outcome> {
    const refuse = (refusal: Refusal, more: { store?: object; cause: Cause }): Outcome => {
      const { status, headers, envelope } = refusal;
      return { status, headers, body: { ...envelope, ready: false, ...more } };
    };
    if (service.watch.isReady?.() === false) {
      const refusal = new Refusal('stopping');
      return refuse(refusal, { cause: { word: 'stopping', message: refusal.message } });
    }
    const { cause, ...store } = await probeNowAndThen(service);
    if (cause) return refuse(new Refusal('store_unavailable'), { store, cause });
    const { durability = 'always' } = service.settings;
    return { status: 200, body: { type: 'OK', ready: true, durability, store } };
  },
});

/** GET /healthz and GET /readyz. */
export const health: readonly Operation[] = [getHealth, getReadiness];
