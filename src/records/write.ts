import { noteWorkspace } from '../kernel/call.ts';
import { type Finding, toRefusable } from '../kernel/envelope.ts';
import { toKeyedRequest } from '../kernel/idempotency.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { withWarnings } from '../kernel/perform.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { GrowthSource, Service } from '../kernel/service.ts';
import type { Calls } from '../pricing/meter.ts';
import { toOffer } from '../pricing/offer.ts';
import type { Via } from '../workspace/activity.ts';
import type { Decision as WorkspaceDecision } from '../workspace/build-commit.ts';
import type { Charge } from '../workspace/charge.ts';
import type { Draft } from '../workspace/draft.ts';
import type { Head } from '../workspace/head.ts';
import type { TokenTarget } from '../workspace/store.ts';
import type { Changed } from '../workspace/workspaces.ts';
import { describeActivity } from './activity.ts';
import { watchGrowth } from './growth.ts';
import { keepOwner } from './owner.ts';
import { toCharge, toMeterOffer } from './usage.ts';
import { deriveWorkspaceId, makeSalt, mintWorkspaceId, toWorkspaceHash } from './workspace.ts';
import { toCeilings, toLife, toWorkspaceState, withLife } from './workspace-state.ts';

/** What a rule decides on. */
export interface Moment {
  /** Milliseconds since the epoch. */
  now: number;
  /** The records that the caller sees. What the rule drafts there is written. */
  view: Draft;
  service: Service;
  /** The workspace before the change; undefined if the change makes it. */
  head: Head | undefined;
}

/** What a rule decides: the reply, and what is written beside the records that it drafted. */
export interface Decision extends Omit<WorkspaceDecision<never>, 'answer' | 'reply' | 'activity'> {
  outcome: Outcome;
  /** Conflicts with other records. Under strict handling they refuse the change. */
  warnings?: readonly Finding[];
}

/** One change that an operation makes. */
export interface Plan {
  /** The id of what is changed, if that is in the address. It is part of what an Idempotency-Key stands for. */
  id?: string;
  /** What is charged, if that is not one call of the operation. */
  calls?: Calls;
  /** How it makes the store larger, if its operation does not tell. */
  growth?: GrowthSource['kind'];
  /** How it reached the service, if neither the door nor the token of its caller tells. */
  via?: Via;
  /** Decides the change. It runs again if the workspace changed meanwhile. Throws a Refusal. */
  decide(moment: Moment): Decision;
  /** Kept with the reply under an Idempotency-Key, for a secret in it that is derived from both and kept nowhere. */
  salt?: string;
  /** Puts such a secret into the reply, from the salt that was kept with it. */
  fill?(outcome: Outcome, salt: string | undefined): Outcome | Promise<Outcome>;
}

type Keyed = Awaited<ReturnType<typeof toKeyedRequest>>;

/** The workspace that a change is of, or that it makes. */
interface Target {
  id: string;
  hash: string;
  salt: string | undefined;
  keyToken: { before: TokenTarget | undefined; to: string } | undefined;
}

/** How often a workspace is named again if another request with the same key makes it first. */
const mostTries = 10;

/** Characters of a SHA-256 in hex that name a kept reply: 128 bits. */
const shortHash = (hex: string) => hex.slice(0, 32);

/** How a change makes the store larger: by an answer of a party, by a delete, or in any other way. */
function toGrowthKind({ growth }: Plan, { operation, workspace }: Context): GrowthSource['kind'] {
  if (workspace?.by === 'party') return 'answer';
  return growth ?? (operation.effect === 'delete' ? 'bounded' : 'change');
}

/**
 * Makes one change: in the caller's workspace, or in a fresh one if the operation mints. Nothing is minted for a change
 * that is refused, and the reply is sent only once everything is durable. Under an Idempotency-Key the reply is kept
 * with the change, and a repetition of the request gets the same reply.
 */
export async function write(plan: Plan, context: Context): Promise<Outcome> {
  const keyed = await toKeyedRequest(context, plan.id);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const target = await findTarget(plan, keyed, context);
    const changed = await change(plan, target, keyed, context);
    if (changed.result !== 'taken') return reply(plan, target, { keyed, context, changed });
  }
  throw new Refusal('store_unavailable');
}

/** Finds the workspace of the caller, or names one to be made. A key makes the workspace that it made before. */
async function findTarget(plan: Plan, keyed: Keyed, { service, workspace }: Context): Promise<Target> {
  if (workspace)
    return { id: workspace.id, hash: workspace.hash, salt: keyed && plan.salt, keyToken: undefined };
  if (!keyed) {
    const id = mintWorkspaceId(service);
    return { id, hash: await toWorkspaceHash(service, id), salt: undefined, keyToken: undefined };
  }
  const before = await service.workspaces.followToken(shortHash(keyed.name));
  const isThere = before && (await service.workspaces.openByKey(before.key));
  const salt = before && !isThere ? before.to : (plan.salt ?? makeSalt(service));
  const id = await deriveWorkspaceId(service, salt, keyed.key);
  return { id, hash: await toWorkspaceHash(service, id), salt, keyToken: { before, to: salt } };
}

async function change(
  plan: Plan,
  { hash, salt, keyToken }: Target,
  keyed: Keyed,
  context: Context,
): Promise<Changed<Outcome>> {
  const { service, workspace, operation } = context;
  const { platform, settings } = service;
  const { operationId } = operation;
  const now = platform.now();
  const state = toWorkspaceState(workspace?.contents.head.state);
  const expiresAt = now + toLife(state, settings);
  await keepOwner(service, state, expiresAt);
  const { by = 'id' } = workspace ?? {};
  const kind = toGrowthKind(plan, context);
  const growth = watchGrowth(service, { client: context.call.client, owner: state.owner?.id, kind });
  const { calls = { [operationId]: 1 } } = plan;
  let charge: Charge | undefined;
  const changed = await service.workspaces.change<Outcome>({
    hash,
    mint: !workspace,
    now,
    expiresAt,
    ceiling: toCeilings(state, settings, kind),
    client: context.call.client,
    ...(keyed && { key: { name: shortHash(keyed.name), fingerprint: shortHash(keyed.fingerprint) } }),
    ...(keyToken && { keyToken }),
    admit: growth.admit,
    decide(view, head) {
      const { outcome, warnings, ...decision } = decide(plan, { now, view, head, service }, context);
      charge = decision.charge ?? toCharge(service, head, now, calls);
      return {
        ...withLife(decision, head?.state, { now, operationId, by }, settings),
        answer: outcome,
        charge,
        ...(keyed && { reply: JSON.stringify({ salt, ...outcome }) }),
        activity: describeActivity(view, context, plan.via),
      };
    },
  });
  if (changed.result === 'done') {
    growth.settle();
    if (charge) service.watch.onCharge?.(charge.calls);
  }
  return changed;
}

/** Runs a rule. Its warnings stand in the reply or, under strict handling, refuse the change. */
function decide(plan: Plan, moment: Moment, { options, warnings: before }: Context): Decision {
  const decision = plan.decide(moment);
  const { warnings = [] } = decision;
  const refusable = options.isStrict ? toRefusable(warnings) : [];
  if (refusable.length > 0) throw new Refusal('conflict', { issues: refusable });
  return { ...decision, outcome: withWarnings(decision.outcome, [...before, ...warnings]) };
}

interface Settled {
  keyed: Keyed;
  context: Context;
  changed: Exclude<Changed<Outcome>, { result: 'taken' }>;
}

/** The reply to a change that is settled. */
async function reply(
  plan: Plan,
  { id, hash, salt }: Target,
  { keyed, context, changed }: Settled,
): Promise<Outcome> {
  const { service, workspace } = context;
  const { fill = (outcome: Outcome) => outcome } = plan;
  // The warnings are in the body already, because they are kept with it.
  context.warnings.length = 0;
  if (changed.result === 'done') {
    if (!workspace) noteWorkspace(context.call, hash);
    return inWorkspace(await fill(changed.answer, salt), id);
  }
  if (changed.result === 'replay') {
    const { salt: kept, ...outcome } = JSON.parse(changed.reply) as Outcome & { salt?: string };
    const headers = { ...outcome.headers, 'Idempotency-Replayed': 'true' };
    const minted = workspace || kept === undefined ? id : await deriveWorkspaceId(service, kept, keyed!.key);
    return inWorkspace(await fill({ ...outcome, headers }, kept), minted);
  }
  const { owner } = toWorkspaceState(workspace?.contents.head.state);
  if (changed.result === 'full')
    return { status: 402, body: toOffer(service, 'recordCeiling', owner !== undefined) };
  if (changed.result === 'over') return toMeterOffer(service, workspace?.contents.head);
  throw new Refusal(changed.result === 'unknown' ? 'unknown_workspace' : 'idempotency_mismatch');
}

/** A reply with the id of the workspace that it is about. */
function inWorkspace({ status, headers, body }: Outcome, id: string): Outcome {
  if ((body as { workspace?: unknown }).workspace !== '') return { status, headers: { ...headers }, body };
  return { status, headers: { ...headers, 'X-Workspace': id }, body: { ...(body as object), workspace: id } };
}
