import { noteWorkspace } from '../kernel/call.ts';
import { type Finding, pickRefusable } from '../kernel/envelope.ts';
import { readKeyedRequest } from '../kernel/idempotency.ts';
import type { OperationReply } from '../kernel/operation.ts';
import { withWarnings } from '../kernel/perform.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { GrowthSource } from '../kernel/service.ts';
import type { Calls } from '../pricing/meter.ts';
import { presentOffer } from '../pricing/offer.ts';
import type { Via } from '../workspace/activity.ts';
import type { ChangeDecision as WorkspaceDecision } from '../workspace/build-commit.ts';
import type { Charge } from '../workspace/charge.ts';
import type { DraftView } from '../workspace/draft.ts';
import type { Head } from '../workspace/head.ts';
import type { TokenTarget } from '../workspace/store.ts';
import type { ChangeResult } from '../workspace/workspaces.ts';
import { describeActivity } from './activity.ts';
import { watchGrowth } from './growth.ts';
import { keepOwner } from './owner.ts';
import type { Context, RecordService } from './service.ts';
import { createCharge, replyMeterOffer } from './usage.ts';
import { deriveWorkspaceId, hashWorkspaceId, makeSalt, mintWorkspaceId } from './workspace.ts';
import { computeCeilings, computeLife, readWorkspaceState, withLife } from './workspace-state.ts';

/** What a rule decides on. */
export interface WriteContext {
  /** Milliseconds since the epoch. */
  now: number;
  /** The records that the caller sees. What the rule drafts there is written. */
  view: DraftView;
  service: RecordService;
  /** The workspace before the change; undefined if the change makes it. */
  head: Head | undefined;
}

/** What a rule decides: the reply, and what is written beside the records that it drafted. */
export interface WriteDecision extends Omit<WorkspaceDecision<never>, 'answer' | 'reply' | 'activity'> {
  outcome: OperationReply;
  /** Conflicts with other records. Under strict handling they refuse the change. */
  warnings?: readonly Finding[];
}

/** One change that an operation makes. */
export interface WriteRequest {
  /** The id of what is changed, if that is in the address. It is part of what an Idempotency-Key stands for. */
  id?: string;
  /** What is charged, if that is not one call of the operation. */
  calls?: Calls;
  /** How it makes the store larger, if its operation does not tell. */
  growth?: GrowthSource['kind'];
  /** How it reached the service, if neither the door nor the token of its caller tells. */
  via?: Via;
  /** Decides the change. It runs again if the workspace changed meanwhile. Throws a Refusal. */
  decide(moment: WriteContext): WriteDecision;
  /** Kept with the reply under an Idempotency-Key, for a secret in it that is derived from both and kept nowhere. */
  salt?: string;
  /** Puts such a secret into the reply, from the salt that was kept with it. */
  fill?(outcome: OperationReply, salt: string | undefined): OperationReply | Promise<OperationReply>;
}

type Keyed = Awaited<ReturnType<typeof readKeyedRequest>>;

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
function findGrowthKind({ growth }: WriteRequest, { operation, workspace }: Context): GrowthSource['kind'] {
  if (workspace?.by === 'party') return 'answer';
  return growth ?? (operation.effect === 'delete' ? 'bounded' : 'change');
}

/**
 * Makes one change: in the caller's workspace, or in a fresh one if the operation mints. Nothing is minted for a change
 * that is refused, and the reply is sent only once everything is durable. Under an Idempotency-Key the reply is kept
 * with the change, and a repetition of the request gets the same reply.
 */
export async function writeChange(plan: WriteRequest, context: Context): Promise<OperationReply> {
  const keyed = await readKeyedRequest(context, plan.id);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const target = await findTarget(plan, keyed, context);
    const changed = await change(plan, target, keyed, context);
    if (changed.result !== 'taken') return reply(plan, target, { keyed, context, changed });
  }
  throw new Refusal('store_unavailable');
}

/** Finds the workspace of the caller, or names one to be made. A key makes the workspace that it made before. */
async function findTarget(
  plan: WriteRequest,
  keyed: Keyed,
  { service, workspace }: Context,
): Promise<Target> {
  if (workspace)
    return { id: workspace.id, hash: workspace.hash, salt: keyed && plan.salt, keyToken: undefined };
  if (!keyed) {
    const id = mintWorkspaceId(service);
    return { id, hash: await hashWorkspaceId(service, id), salt: undefined, keyToken: undefined };
  }
  const before = await service.workspaces.followToken(shortHash(keyed.name));
  const isThere = before && (await service.workspaces.openByKey(before.key));
  const salt = before && !isThere ? before.to : (plan.salt ?? makeSalt(service));
  const id = await deriveWorkspaceId(service, salt, keyed.key);
  return { id, hash: await hashWorkspaceId(service, id), salt, keyToken: { before, to: salt } };
}

async function change(
  plan: WriteRequest,
  { hash, salt, keyToken }: Target,
  keyed: Keyed,
  context: Context,
): Promise<ChangeResult<OperationReply>> {
  const { service, workspace, operation } = context;
  const { platform, settings } = service;
  const { operationId } = operation;
  const now = platform.now();
  const state = readWorkspaceState(workspace?.contents.head.state);
  const expiresAt = now + computeLife(state, settings);
  await keepOwner(service, state, expiresAt);
  const { by = 'id' } = workspace ?? {};
  const kind = findGrowthKind(plan, context);
  const growth = watchGrowth(service, { client: context.call.client, owner: state.owner?.id, kind });
  const { calls = { [operationId]: 1 } } = plan;
  let charge: Charge | undefined;
  const changed = await service.workspaces.change<OperationReply>({
    hash,
    mint: !workspace,
    now,
    expiresAt,
    ceiling: computeCeilings(state, settings, kind),
    client: context.call.client,
    ...(keyed && { key: { name: shortHash(keyed.name), fingerprint: shortHash(keyed.fingerprint) } }),
    ...(keyToken && { keyToken }),
    admit: growth.admit,
    decide(view, head) {
      const { outcome, warnings, ...decision } = decide(plan, { now, view, head, service }, context);
      charge = decision.charge ?? createCharge(service, head, now, calls);
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
    growth.finish();
    if (charge) service.watch.onCharge?.(charge.calls);
  }
  return changed;
}

/** Runs a rule. Its warnings stand in the reply or, under strict handling, refuse the change. */
function decide(
  plan: WriteRequest,
  moment: WriteContext,
  { options, warnings: before }: Context,
): WriteDecision {
  const decision = plan.decide(moment);
  const { warnings = [] } = decision;
  const refusable = options.isStrict ? pickRefusable(warnings) : [];
  if (refusable.length > 0) throw new Refusal('conflict', { issues: refusable });
  return { ...decision, outcome: withWarnings(decision.outcome, [...before, ...warnings]) };
}

interface FinishedWrite {
  keyed: Keyed;
  context: Context;
  changed: Exclude<ChangeResult<OperationReply>, { result: 'taken' }>;
}

/** The reply to a change that is settled. */
async function reply(
  plan: WriteRequest,
  { id, hash, salt }: Target,
  { keyed, context, changed }: FinishedWrite,
): Promise<OperationReply> {
  const { service, workspace } = context;
  const { fill = (outcome: OperationReply) => outcome } = plan;
  // The warnings are in the body already, because they are kept with it.
  context.warnings.length = 0;
  if (changed.result === 'done') {
    if (!workspace) noteWorkspace(context.call, hash);
    return withWorkspaceId(await fill(changed.answer, salt), id);
  }
  if (changed.result === 'replay') {
    const { salt: kept, ...outcome } = JSON.parse(changed.reply) as OperationReply & { salt?: string };
    const headers = { ...outcome.headers, 'Idempotency-Replayed': 'true' };
    const minted = workspace || kept === undefined ? id : await deriveWorkspaceId(service, kept, keyed!.key);
    return withWorkspaceId(await fill({ ...outcome, headers }, kept), minted);
  }
  const { owner } = readWorkspaceState(workspace?.contents.head.state);
  if (changed.result === 'full')
    return { status: 402, body: presentOffer(service, 'recordCeiling', owner !== undefined) };
  if (changed.result === 'over') return replyMeterOffer(service, workspace?.contents.head);
  throw new Refusal(changed.result === 'unknown' ? 'unknown_workspace' : 'idempotency_mismatch');
}

/** A reply with the id of the workspace that it is about. */
function withWorkspaceId({ headers, body, ...rest }: OperationReply, id: string): OperationReply {
  if ((body as { workspace?: unknown }).workspace !== '') return { ...rest, headers: { ...headers }, body };
  return {
    ...rest,
    headers: { ...headers, 'X-Workspace': id },
    body: { ...(body as object), workspace: id },
  };
}
