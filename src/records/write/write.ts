import { noteWorkspace } from '../../kernel/call.ts';
import type { Calls } from '../../kernel/cost.ts';
import { pickRefusable } from '../../kernel/envelope.ts';
import { readKeyedRequest } from '../../kernel/idempotency.ts';
import type { OperationReply } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { GrowthSource } from '../../kernel/service.ts';
import { andThen, isSteps, type Steps } from '../../kernel/steps.ts';
import { withWarnings } from '../../kernel/warnings.ts';
import { presentOffer } from '../../pricing/offer.ts';
import type { ChangeRequest } from '../../workspace/build-commit.ts';
import type { TokenTarget } from '../../workspace/store.ts';
import type { ChangeResult } from '../../workspace/workspace-changes.ts';
import { keepOwner } from '../account/owner.ts';
import { createCharge, replyMeterOffer } from '../account/usage.ts';
import { deriveWorkspaceId, hashWorkspaceId, makeSalt, mintWorkspaceId } from '../account/workspace.ts';
import { computeCeilings, computeLife, extendLife, readWorkspaceState } from '../account/workspace-state.ts';
import { type ActivitySource, describeActivity } from '../activity/activity.ts';
import type { ChangeContext, Context } from '../service.ts';
import { shortenReply } from './minimal.ts';

/**
 * Decides a change of a workspace, and returns the reply. It drafts records and other effects in `change`, and runs again
 * if the workspace has changed meanwhile. Throws a Refusal.
 */
export type ChangeRule<C extends Context = Context> = (
  context: C & ChangeContext,
) => OperationReply | Steps<OperationReply>;

/** Secret members of a reply. A store keeps their salt, and a replay derives them from it again. */
export interface Secrets {
  salt: string;
  /** Adds the secrets of a salt to a reply that has none. */
  add(reply: OperationReply, salt: string | undefined): OperationReply | Promise<OperationReply>;
}

/** What a change is beside its rule. */
export interface ChangeOptions extends ActivitySource {
  /** The id in the path, if there is one. An Idempotency-Key counts only for the same id. */
  id?: string;
  /** The calls to charge, or what counts them in the whole reply. If absent, one call of the operation. */
  calls?: Calls | ((reply: OperationReply) => Calls);
  /** Why the store grows. If absent, the operation decides, and the change of a party is an answer. */
  growth?: GrowthSource['kind'];
  /** Whether the reply shows the id of the workspace, if it is a 201. */
  showsWorkspace?: boolean;
  secrets?: Secrets;
}

type KeyedRequest = Awaited<ReturnType<typeof readKeyedRequest>>;

/** The workspace that a change writes to or creates. */
interface Target {
  id: string;
  hash: string;
  salt: string | undefined;
  keyToken: { before: TokenTarget | undefined; to: string } | undefined;
}

/** One try of a change: what was asked for, and the workspace that it is for. */
interface WriteAttempt {
  context: Context;
  options: ChangeOptions;
  keyed: KeyedRequest;
  target: Target;
}

/** How often a create is tried if another request with the same key creates the workspace first. */
const mostAttempts = 10;

/** Shortens a SHA-256 in hex to 128 bits, which name a stored reply. */
export const shortHash = (hex: string) => hex.slice(0, 32);

function findGrowthKind({ growth }: ChangeOptions, { operation, workspace }: Context): GrowthSource['kind'] {
  if (growth) return growth;
  if (workspace?.by === 'party') return 'answer';
  return operation.effect === 'delete' ? 'bounded' : 'change';
}

/**
 * Makes one change: in the caller's workspace, or in a new one if the operation mints.
 *
 * A refused change mints nothing. The reply is sent only once everything is durable. Under an Idempotency-Key the
 * reply is stored with the change, and a repeated request gets the same reply.
 */
export async function changeWorkspace<C extends Context>(
  context: C,
  rule: ChangeRule<C>,
  options: ChangeOptions = {},
): Promise<OperationReply> {
  const keyed = await readKeyedRequest(context, { id: options.id });
  for (let tries = 0; tries < mostAttempts; tries += 1) {
    const target = await findTarget(options, keyed, context);
    const attempt = { context, options, keyed, target };
    const request = await describeRequest(attempt);
    const changed = await context.service.workspaces.change(request, (change) => {
      const changing = { ...context, change };
      const decided = rule(changing);
      const finish = (reply: OperationReply) => finishChange(reply, changing, attempt);
      return isSteps(decided) ? andThen(decided, finish) : finish(decided);
    });
    if (changed.result !== 'taken') return presentResult(changed, attempt);
  }
  throw new Refusal('store_unavailable');
}

/** Returns the caller's workspace, or a new one to create. The same key leads to the same new workspace. */
async function findTarget(
  { secrets }: ChangeOptions,
  keyed: KeyedRequest,
  { service, workspace }: Context,
): Promise<Target> {
  if (workspace)
    return { id: workspace.id, hash: workspace.hash, salt: keyed && secrets?.salt, keyToken: undefined };
  if (!keyed) {
    const id = mintWorkspaceId(service);
    return { id, hash: await hashWorkspaceId(service, id), salt: undefined, keyToken: undefined };
  }
  const before = await service.workspaces.followToken(shortHash(keyed.name));
  const existing = before && (await service.workspaces.openByKey(before.key));
  const salt = before && !existing ? before.to : (secrets?.salt ?? makeSalt(service));
  const id = await deriveWorkspaceId(service, salt, keyed.key);
  return { id, hash: await hashWorkspaceId(service, id), salt, keyToken: { before, to: salt } };
}

/** Says which workspace changes, what it may hold, and who asks for it. */
async function describeRequest({ context, options, keyed, target }: WriteAttempt): Promise<ChangeRequest> {
  const { service, workspace, operation, call } = context;
  const { settings, watch } = service;
  const { hash, keyToken } = target;
  const { client } = call;
  const now = service.platform.now();
  const state = readWorkspaceState(workspace?.contents.head.state);
  const expiresAt = now + computeLife(state, settings);
  if (state.owner) await keepOwner(service, state.owner, expiresAt);
  const kind = findGrowthKind(options, context);
  return {
    hash,
    mint: !workspace,
    opened: workspace?.contents,
    now,
    expiresAt,
    ceiling: computeCeilings(state, settings, kind),
    client,
    operation: operation.operationId,
    ...(keyed && { key: { name: shortHash(keyed.name), fingerprint: shortHash(keyed.fingerprint) } }),
    ...(keyToken && { keyToken }),
    admit: (growth) => watch.admitGrowth?.(growth, { client, owner: state.owner?.id, kind }),
    onCharge: ({ calls }) => watch.onCharge?.(calls),
  };
}

/**
 * Finishes a change after its rule: it is refused for its warnings under strict handling, gets its activity, lets the people
 * of a graded brief react, and is charged. Returns the whole reply, which is short if the caller prefers that.
 */
function finishChange(
  decided: OperationReply,
  context: Context & ChangeContext,
  { options, keyed, target }: WriteAttempt,
): OperationReply {
  const { change, service, operation, workspace } = context;
  const refusable = context.options.isStrict ? pickRefusable(change.warnings) : [];
  if (refusable.length > 0) throw new Refusal('conflict', { issues: refusable });
  // Before the reactions, because these draft records too.
  change.activity.push(describeActivity(context, options));
  const { brief } = readWorkspaceState(change.state);
  const hasPeople = brief?.rules !== undefined && !brief.grade && !change.isDiscarded;
  const reacted = hasPeople ? service.react(brief, decided, context) : decided;
  const isShort = context.options.isMinimal && operation.hasMinimal && reacted.status < 300;
  const short = isShort ? shortenReply(reacted, service.kinds) : reacted;
  const reply = withWarnings(short, [...context.warnings, ...change.warnings]);
  const { operationId } = operation;
  extendLife(change, { operationId, by: workspace?.by ?? 'id' }, service.settings);
  const { calls = { [operationId]: 1 } } = options;
  const counted = typeof calls === 'function' ? calls(decided) : calls;
  change.charge ??= createCharge(service, change.head, change.now, counted);
  if (keyed) change.keptReply = JSON.stringify({ salt: target.salt, ...reply });
  return reply;
}

/** Returns the reply to a finished change, or throws its Refusal. */
async function presentResult(
  changed: Exclude<ChangeResult<OperationReply>, { result: 'taken' }>,
  attempt: WriteAttempt,
): Promise<OperationReply> {
  const { context, keyed, target } = attempt;
  const { service, workspace } = context;
  if (changed.result === 'done') {
    if (!workspace) noteWorkspace(context.call, target.hash);
    return addUnstored(changed.answer, attempt, target);
  }
  if (changed.result === 'replay') {
    const { salt, ...reply } = JSON.parse(changed.reply) as OperationReply & { salt?: string };
    const headers = { ...reply.headers, 'Idempotency-Replayed': 'true' };
    const isMinted = !workspace && salt !== undefined;
    const id = isMinted ? await deriveWorkspaceId(service, salt, keyed!.key) : target.id;
    return addUnstored({ ...reply, headers }, attempt, { id, salt });
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

/** Adds to a reply what no store keeps: the id of the workspace, and other secrets. */
async function addUnstored(
  reply: OperationReply,
  { options: { secrets, showsWorkspace } }: WriteAttempt,
  { id, salt }: Pick<Target, 'id' | 'salt'>,
): Promise<OperationReply> {
  // The body has the warnings already, because they are stored with it.
  const whole = { ...(secrets ? await secrets.add(reply, salt) : reply), hasWarnings: true as const };
  if (!showsWorkspace || whole.status !== 201) return whole;
  const body = { ...(whole.body as object), workspace: id };
  return { ...whole, headers: { ...whole.headers, 'X-Workspace': id }, body };
}
