import { noteWorkspace } from '../kernel/call.ts';
import { toRefusable, type Warning } from '../kernel/envelope.ts';
import { toKeyedRequest } from '../kernel/idempotency.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { withWarnings } from '../kernel/perform.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import type { Calls } from '../pricing/meter.ts';
import { toOffer } from '../pricing/offer.ts';
import { toCharge, toMeterOffer } from './charge.ts';
import { keepOwner } from './owner.ts';
import { RecordsInView } from './records-in-view.ts';
import { toRetention } from './retention.ts';
import type { Charge, WorkspaceHead, Writing } from './store.ts';
import { deriveWorkspaceId, makeSalt, mintWorkspaceId, toWorkspaceHash } from './workspace.ts';
import { toCeilings, toLife, toWorkspaceState, withOwnership } from './workspace-state.ts';

/** When and where a change is made. */
export interface Moment {
  /** In milliseconds since the epoch. */
  now: number;
  near: RecordsInView;
  service: Service;
  /** The workspace as it is before; absent where the change makes it. */
  head: WorkspaceHead | undefined;
}

/** What a change comes to. */
interface Result {
  writing: Writing;
  outcome: Outcome;
  /** What it disagrees with among other records. */
  warnings?: readonly Warning[];
  /** What is charged for it, where that is more than its calls. */
  charge?: Charge;
}

/** A change of a workspace. */
export interface Plan {
  /** What the change is of, where its address says. */
  id?: string;
  /** Names that the decision needs to know of. */
  needs: readonly string[];
  /** What is charged for it, where that is not one call of its operation. */
  calls?: Calls;
  /** May be asked again, where the workspace changed in between. What it throws ends the change. */
  decide(moment: Moment): Result;
  /** Kept with a reply under an Idempotency-Key, for a secret in it that is derived from both and kept nowhere. */
  salt?: string;
  /** Puts such a secret into the reply, given the salt that was kept with it. */
  fill?(outcome: Outcome, salt: string | undefined): Outcome | Promise<Outcome>;
}

/** What is kept of a reply under an Idempotency-Key: all but the workspace id and other secrets, which no store may hold. */
interface Kept {
  /** There where the id, or another secret, is derived from it and the key. */
  salt?: string | undefined;
  status?: number;
  headers?: Record<string, string>;
  body: Record<string, unknown>;
}

/** Thrown by a decision that comes to an answer and writes nothing. */
export class AnswerWithoutWriting {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    this.outcome = outcome;
  }
}

const replayed = { 'Idempotency-Replayed': 'true' };

/** A reply with the id of the workspace that it tells of. */
function inWorkspace({ status, headers, body }: Outcome, id: string): Outcome {
  if ((body as { workspace?: unknown }).workspace !== '') return { status, headers: { ...headers }, body };
  return { status, headers: { ...headers, 'X-Workspace': id }, body: { ...(body as object), workspace: id } };
}

/** The same status and body, byte for byte, marked as a repetition. */
function fromKept(text: string): { salt: string | undefined; outcome: Outcome } {
  const { salt, status = 201, headers, body } = JSON.parse(text) as Kept;
  return { salt, outcome: { status, headers: { ...headers, ...replayed }, body } };
}

/** Warnings are told or, where the caller asks for strict handling, refuse the change. */
function withWarningsOf({ outcome, warnings = [] }: Result, { options, warnings: before }: Context): Outcome {
  const refusable = options.isStrict ? toRefusable(warnings) : [];
  if (refusable.length > 0) throw new Refusal('conflict', { issues: refusable });
  return withWarnings(outcome, [...before, ...warnings]);
}

/**
 * Makes one change: in the caller's workspace, or in a fresh one where the operation mints. Nothing is minted for a
 * change that is refused, and the reply goes out only once the store has it for good. Under an Idempotency-Key the
 * reply is kept with the change, and whoever sends the same again is answered from it.
 */
export async function write(plan: Plan, context: Context): Promise<Outcome> {
  try {
    return await change(plan, context);
  } catch (thrown) {
    if (thrown instanceof Unread) return write({ ...plan, needs: [...plan.needs, ...thrown.names] }, context);
    if (thrown instanceof AnswerWithoutWriting) return thrown.outcome;
    throw thrown;
  }
}

/** Thrown by a decision that needs to know of more names. */
class Unread {
  readonly names: ReadonlySet<string>;

  constructor(names: ReadonlySet<string>) {
    this.names = names;
  }
}

async function change(plan: Plan, context: Context): Promise<Outcome> {
  const { service, workspace, operation } = context;
  const { calls = { [operation.operationId]: 1 } } = plan;
  const { platform, settings, store } = service;
  const keyed = await toKeyedRequest(context, plan.id);
  const salt = keyed && (workspace ? plan.salt : makeSalt(service));
  const toId = async (from: string | undefined) =>
    keyed && from && !workspace
      ? deriveWorkspaceId(service, from, keyed.key)
      : (workspace?.id ?? mintWorkspaceId(service));
  const fill = async (outcome: Outcome, from: string | undefined) =>
    plan.fill ? plan.fill(outcome, from) : outcome;
  const id = await toId(salt);
  const now = platform.now();
  const state = toWorkspaceState(workspace?.state);
  const expiresAt = now + toLife(state, settings);
  await keepOwner(service, state, expiresAt);
  const hash = workspace?.hash ?? (await toWorkspaceHash(service, id));
  const payer = state.owner || workspace?.by === 'party' ? undefined : context.call.client;
  let settle: (() => void) | undefined;
  const changed = await store.change<Outcome>({
    workspace: hash,
    mint: !workspace,
    now,
    expiresAt,
    ceiling: toCeilings(state, settings),
    needs: plan.needs,
    admit(growth) {
      settle = service.watch.admitGrowth?.(growth, payer);
    },
    ...(keyed && { key: { name: keyed.name, fingerprint: keyed.fingerprint } }),
    decide(found, head) {
      const near = new RecordsInView(service.seed, plan.needs, found);
      const result = plan.decide({ now, near, head, service });
      if (near.unread.size > 0) throw new Unread(near.unread);
      const answer = withWarningsOf(result, context);
      const kept: Kept = { salt, ...answer, body: answer.body as Kept['body'] } as Kept;
      const writing = toWriting(result.writing, context, now, head);
      return {
        writing: { ...writing, ...(keyed && { reply: JSON.stringify(kept) }) },
        answer,
        charge: result.charge ?? toCharge(service, head, now, calls),
      };
    },
  });
  // The warnings are in the body already, because they are kept with it.
  context.warnings.length = 0;
  if (changed.result === 'done') {
    settle?.();
    if (!workspace) noteWorkspace(context.call, hash);
    return inWorkspace(await fill(changed.answer, salt), id);
  }
  if (changed.result === 'replay') {
    const { salt: kept, outcome } = fromKept(changed.reply);
    return inWorkspace(await fill(outcome, kept), await toId(kept));
  }
  if (changed.result === 'full')
    return { status: 402, body: toOffer(service, 'recordCeiling', state.owner !== undefined) };
  if (changed.result === 'over') return toMeterOffer(service, workspace?.hash);
  throw new Refusal(changed.result === 'unknown' ? 'unknown_workspace' : 'idempotency_mismatch');
}

/** What a change writes, and for how long its workspace lives from now on. */
function toWriting(
  writing: Writing,
  { service, operation, workspace }: Context,
  now: number,
  head?: WorkspaceHead,
) {
  const before = head?.state ?? {};
  const expiresAt = now + toLife(toWorkspaceState(writing.state ?? before), service.settings);
  const said = { now, expiresAt, operationId: operation.operationId, by: workspace?.by ?? 'id' };
  return { ...withOwnership(writing, before, said), expiresAt };
}

/** The members of a 201 beside what was created: its workspace, filled in when it is sent, and until when. */
export function toCreatedMembers({ now, head, service }: Omit<Moment, 'near'>) {
  const state = toWorkspaceState(head?.state);
  const life = toLife(state, service.settings);
  // Told as the store keeps it: a clock that was set back shortens nobody's time.
  const expiresAt = Math.max(now + life, head?.expiresAt ?? 0);
  return {
    workspace: '',
    retention: toRetention(expiresAt, life / 1000, state.owner !== undefined, service.settings.durability),
  };
}
