import { noteWorkspace } from '../kernel/call.ts';
import { type Finding, pickRefusable } from '../kernel/envelope.ts';
import { readKeyedRequest } from '../kernel/idempotency.ts';
import type { OperationReply } from '../kernel/operation.ts';
import { withWarnings } from '../kernel/perform.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { GrowthSource } from '../kernel/service.ts';
import { andThen, isSteps, type Steps } from '../kernel/steps.ts';
import type { Calls } from '../pricing/meter.ts';
import { presentOffer } from '../pricing/offer.ts';
import type { ChangeDecision as WorkspaceDecision } from '../workspace/build-commit.ts';
import type { Head } from '../workspace/head.ts';
import type { TokenTarget } from '../workspace/store.ts';
import type { DraftView } from '../workspace/view.ts';
import type { ChangeResult } from '../workspace/workspace-changes.ts';
import { type ActivitySource, describeActivity } from './activity.ts';
import { shortenReply } from './minimal.ts';
import { keepOwner } from './owner.ts';
import type { Context, RecordService } from './service.ts';
import { createCharge, replyMeterOffer } from './usage.ts';
import { deriveWorkspaceId, hashWorkspaceId, makeSalt, mintWorkspaceId } from './workspace.ts';
import { computeCeilings, computeLife, readWorkspaceState, withLife } from './workspace-state.ts';

/** What a rule reads to decide. */
export interface WriteContext {
  /** Milliseconds since the epoch. */
  now: number;
  /** The records that the caller sees. A rule writes a record by drafting it there. */
  view: DraftView;
  service: RecordService;
  /** The workspace before the change. Undefined if the change creates it. */
  head: Head | undefined;
}

/** The decision of a rule: the reply, and what is written beside the drafted records. */
export interface WriteDecision extends Omit<WorkspaceDecision<never>, 'answer' | 'reply' | 'activity'> {
  outcome: OperationReply;
  /** Conflicts with other records. Under strict handling they refuse the change. */
  warnings?: readonly Finding[];
}

/** One change that an operation makes. */
export interface WriteRequest extends ActivitySource {
  /** The id in the path, if there is one. An Idempotency-Key counts only for the same id. */
  id?: string;
  /** The calls to charge. If absent, one call of the operation. */
  calls?: Calls;
  /** Why the store grows. If absent, the operation decides. A party's change is always an answer. */
  growth?: GrowthSource['kind'];
  /** Decides the change. It runs again if the workspace changed meanwhile. Throws a Refusal. */
  decide(context: WriteContext): WriteDecision | Steps<WriteDecision>;
  /**
   * Stored with the reply under an Idempotency-Key. A secret in the reply is derived from the salt and the key, and
   * not stored.
   */
  salt?: string;
  /** Puts that secret into the reply, from the stored salt. */
  fill?(outcome: OperationReply, salt: string | undefined): OperationReply | Promise<OperationReply>;
}

type Keyed = Awaited<ReturnType<typeof readKeyedRequest>>;

/** The workspace that a change writes to or creates. */
interface Target {
  id: string;
  hash: string;
  salt: string | undefined;
  keyToken: { before: TokenTarget | undefined; to: string } | undefined;
}

/** How often a create is tried if another request with the same key creates the workspace first. */
const mostAttempts = 10;

/** Shortens a SHA-256 in hex to 128 bits, which name a stored reply. */
export const shortHash = (hex: string) => hex.slice(0, 32);

function findGrowthKind({ growth }: WriteRequest, { operation, workspace }: Context): GrowthSource['kind'] {
  if (workspace?.by === 'party') return 'answer';
  return growth ?? (operation.effect === 'delete' ? 'bounded' : 'change');
}

/**
 * Makes one change: in the caller's workspace, or in a new one if the operation mints.
 *
 * A refused change mints nothing. The reply is sent only once everything is durable. Under an Idempotency-Key the
 * reply is stored with the change, and a repeated request gets the same reply.
 */
export async function writeChange(request: WriteRequest, context: Context): Promise<OperationReply> {
  const keyed = await readKeyedRequest(context, { id: request.id });
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const target = await findTarget(request, keyed, context);
    const changed = await change(request, target, keyed, context);
    if (changed.result !== 'taken') return reply(request, target, { keyed, context, changed });
  }
  throw new Refusal('store_unavailable');
}

/** Returns the caller's workspace, or a new one to create. The same key leads to the same new workspace. */
async function findTarget(
  request: WriteRequest,
  keyed: Keyed,
  { service, workspace }: Context,
): Promise<Target> {
  if (workspace)
    return { id: workspace.id, hash: workspace.hash, salt: keyed && request.salt, keyToken: undefined };
  if (!keyed) {
    const id = mintWorkspaceId(service);
    return { id, hash: await hashWorkspaceId(service, id), salt: undefined, keyToken: undefined };
  }
  const before = await service.workspaces.followToken(shortHash(keyed.name));
  const existing = before && (await service.workspaces.openByKey(before.key));
  const salt = before && !existing ? before.to : (request.salt ?? makeSalt(service));
  const id = await deriveWorkspaceId(service, salt, keyed.key);
  return { id, hash: await hashWorkspaceId(service, id), salt, keyToken: { before, to: salt } };
}

async function change(
  request: WriteRequest,
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
  if (state.owner) await keepOwner(service, state.owner, expiresAt);
  const { by = 'id' } = workspace ?? {};
  const kind = findGrowthKind(request, context);
  const { client } = context.call;
  const { calls = { [operationId]: 1 } } = request;
  return service.workspaces.change<OperationReply>({
    hash,
    mint: !workspace,
    opened: workspace?.contents,
    now,
    expiresAt,
    ceiling: computeCeilings(state, settings, kind),
    client,
    operation: operationId,
    ...(keyed && { key: { name: shortHash(keyed.name), fingerprint: shortHash(keyed.fingerprint) } }),
    ...(keyToken && { keyToken }),
    admit: (growth) => service.watch.admitGrowth?.(growth, { client, owner: state.owner?.id, kind }),
    onCharge: ({ calls: charged }) => service.watch.onCharge?.(charged),
    decide(view, head) {
      const writeContext = { now, view, head, service };
      const finish = (decided: WriteDecision) => {
        const whole = finishDecision(decided, request, writeContext, context);
        const { outcome, warnings, activity, ...decision } = whole;
        return {
          ...withLife(decision, head?.state, { now, operationId, by }, settings),
          answer: outcome,
          charge: decision.charge ?? createCharge(service, head, now, calls),
          ...(keyed && { reply: JSON.stringify({ salt, ...outcome }) }),
          activity,
        };
      };
      const decided = request.decide(writeContext);
      return isSteps(decided) ? andThen(decided, finish) : finish(decided);
    },
  });
}

/**
 * Lets the people of a graded brief react to a decision, and adds its warnings to the reply. Under strict handling the
 * warnings refuse the change. The reply is short if the caller prefers that.
 */
function finishDecision(
  decision: WriteDecision,
  request: WriteRequest,
  writeContext: WriteContext,
  context: Context,
): WriteDecision & Pick<WorkspaceDecision<never>, 'activity'> {
  const { options, operation, service, warnings: before } = context;
  const { warnings = [] } = decision;
  const refusable = options.isStrict ? pickRefusable(warnings) : [];
  if (refusable.length > 0) throw new Refusal('conflict', { issues: refusable });
  // Before the reactions, because these draft records too.
  const activity = describeActivity(writeContext.view, context, request);
  const state = decision.state ?? writeContext.head?.state;
  const { brief } = readWorkspaceState(state);
  const hasPeople = brief?.rules !== undefined && !brief.grade && !decision.isUnchanged;
  const reaction = hasPeople
    ? service.react({ ...writeContext, state, brief }, decision.outcome, context)
    : undefined;
  const { outcome: whole } = reaction ?? decision;
  const isShort = options.isMinimal && operation.hasMinimal && whole.status < 300;
  const outcome = isShort ? shortenReply(whole, service.kinds) : whole;
  return {
    ...decision,
    ...(reaction && { state: reaction.state }),
    outcome: withWarnings(outcome, [...before, ...warnings]),
    activity: [activity, ...(reaction?.activity ?? [])],
  };
}

interface FinishedWrite {
  keyed: Keyed;
  context: Context;
  changed: Exclude<ChangeResult<OperationReply>, { result: 'taken' }>;
}

/** Returns the reply to a finished change, or throws its Refusal. */
async function reply(
  request: WriteRequest,
  { id, hash, salt }: Target,
  { keyed, context, changed }: FinishedWrite,
): Promise<OperationReply> {
  const { service, workspace } = context;
  const { fill = (outcome: OperationReply) => outcome } = request;
  // The body already holds the warnings, because they are stored with it.
  context.warnings.length = 0;
  if (changed.result === 'done') {
    if (!workspace) noteWorkspace(context.call, hash);
    return withWorkspaceId(await fill(changed.answer, salt), id);
  }
  if (changed.result === 'replay') {
    const { salt: storedSalt, ...outcome } = JSON.parse(changed.reply) as OperationReply & { salt?: string };
    const headers = { ...outcome.headers, 'Idempotency-Replayed': 'true' };
    const workspaceId =
      workspace || storedSalt === undefined ? id : await deriveWorkspaceId(service, storedSalt, keyed!.key);
    return withWorkspaceId(await fill({ ...outcome, headers }, storedSalt), workspaceId);
  }
  const { owner } = readWorkspaceState(workspace?.contents.head.state);
  if (changed.result === 'full')
    return { status: 402, body: presentOffer(service, 'recordCeiling', owner !== undefined) };
  if (changed.result === 'over') return replyMeterOffer(service, workspace?.contents.head);
  if (changed.result === 'mismatch') throw new Refusal('idempotency_mismatch');
  // The same request may have deleted the workspace while this one waited.
  const replay = await context.operation.findReplay?.(context);
  if (replay) return replay;
  throw new Refusal('unknown_workspace');
}

/** Adds the id of the workspace to a reply, if its body has an empty `workspace`. */
function withWorkspaceId({ headers, body, ...rest }: OperationReply, id: string): OperationReply {
  if ((body as { workspace?: unknown }).workspace !== '') return { ...rest, headers: { ...headers }, body };
  return {
    ...rest,
    headers: { ...headers, 'X-Workspace': id },
    body: { ...(body as object), workspace: id },
  };
}
