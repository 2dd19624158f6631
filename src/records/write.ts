import { noteWorkspace } from '../kernel/call.ts';
import { type Finding, toRefusable } from '../kernel/envelope.ts';
import { toKeyedRequest } from '../kernel/idempotency.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { withWarnings } from '../kernel/perform.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { GrowthSource, Service } from '../kernel/service.ts';
import type { Calls } from '../pricing/meter.ts';
import { toOffer } from '../pricing/offer.ts';
import { watchGrowth } from './growth.ts';
import { keepOwner } from './owner.ts';
import { RecordsInView } from './records-in-view.ts';
import type { Charge, WorkspaceHead, Writing } from './store.ts';
import { toCharge, toMeterOffer } from './usage.ts';
import { deriveWorkspaceId, makeSalt, mintWorkspaceId, toWorkspaceHash } from './workspace.ts';
import { toCeilings, toLife, toWorkspaceState, withLife } from './workspace-state.ts';

export interface Moment {
  /** In milliseconds since the epoch. */
  now: number;
  near: RecordsInView;
  service: Service;
  /** The workspace as it is before; absent where the change makes it. */
  head: WorkspaceHead | undefined;
}

interface Result {
  /** What is written beside the records that were laid over the view. */
  writing?: Writing;
  outcome: Outcome;
  /** What it disagrees with among other records. */
  warnings?: readonly Finding[];
  /** What is charged for it, where that is more than its calls. */
  charge?: Charge;
}

export interface Plan {
  /** What the change is of, where its address says. */
  id?: string;
  /** Names that the decision is known to ask for: what it asks for beside them takes another look at the store. */
  needs?: readonly string[];
  /** What is charged for it, where that is not one call of its operation. */
  calls?: Calls;
  /** How it makes the store larger, if its operation does not tell. */
  growth?: GrowthSource['kind'];
  /** May be asked again, where the workspace changed in between. What it throws ends the change. */
  decide(moment: Moment): Result;
  /** Kept with a reply under an Idempotency-Key, for a secret in it that is derived from both and kept nowhere. */
  salt?: string;
  /** Puts such a secret into the reply, given the salt that was kept with it. */
  fill?(outcome: Outcome, salt: string | undefined): Outcome | Promise<Outcome>;
}

/** Thrown by a decision that comes to an answer and writes nothing. */
export class AnswerWithoutWriting {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    this.outcome = outcome;
  }
}

/** Thrown by a decision that needs to know of more names. */
class Unread {
  readonly names: ReadonlySet<string>;

  constructor(names: ReadonlySet<string>) {
    this.names = names;
  }
}

/** How a change makes the store larger: by an answer of a party, by a delete, or in any other way. */
function toGrowthKind({ growth }: Plan, { operation, workspace }: Context): GrowthSource['kind'] {
  if (workspace?.by === 'party') return 'answer';
  return growth ?? (operation.effect === 'delete' ? 'bounded' : 'change');
}

/** A reply with the id of the workspace that it tells of. */
function inWorkspace({ status, headers, body }: Outcome, id: string): Outcome {
  if ((body as { workspace?: unknown }).workspace !== '') return { status, headers: { ...headers }, body };
  return { status, headers: { ...headers, 'X-Workspace': id }, body: { ...(body as object), workspace: id } };
}

/** What a plan comes to, its warnings in the answer. Whatever it comes to without a name that it asked for does not count. */
function decide(plan: Plan, moment: Moment, { options, warnings: before }: Context): Result {
  const { unread } = moment.near;
  try {
    const result = plan.decide(moment);
    const { warnings = [] } = result;
    const refusable = options.isStrict ? toRefusable(warnings) : [];
    if (refusable.length > 0) throw new Refusal('conflict', { issues: refusable });
    if (unread.size === 0)
      return { ...result, outcome: withWarnings(result.outcome, [...before, ...warnings]) };
  } catch (thrown) {
    if (unread.size === 0) throw thrown;
  }
  throw new Unread(unread);
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
    if (thrown instanceof Unread)
      return write({ ...plan, needs: [...(plan.needs ?? []), ...thrown.names] }, context);
    if (thrown instanceof AnswerWithoutWriting) return thrown.outcome;
    throw thrown;
  }
}

async function change(plan: Plan, context: Context): Promise<Outcome> {
  const { service, workspace, operation } = context;
  const { operationId } = operation;
  const { needs = [], calls = { [operationId]: 1 }, fill = (outcome: Outcome) => outcome } = plan;
  const { platform, settings, store } = service;
  const keyed = await toKeyedRequest(context, plan.id);
  const salt = keyed && (plan.salt ?? (workspace ? undefined : makeSalt(service)));
  const toId = async (from: string | undefined) =>
    keyed && from && !workspace
      ? deriveWorkspaceId(service, from, keyed.key)
      : (workspace?.id ?? mintWorkspaceId(service));
  const id = await toId(salt);
  const now = platform.now();
  const state = toWorkspaceState(workspace?.state);
  const expiresAt = now + toLife(state, settings);
  await keepOwner(service, state, expiresAt);
  const hash = workspace?.hash ?? (await toWorkspaceHash(service, id));
  const { by = 'id' } = workspace ?? {};
  const kind = toGrowthKind(plan, context);
  const growth = watchGrowth(service, { client: context.call.client, owner: state.owner?.id, kind });
  const changed = await store.change<Outcome>({
    workspace: hash,
    mint: !workspace,
    now,
    expiresAt,
    ceiling: toCeilings(state, settings, kind),
    needs,
    admit: growth.admit,
    ...(keyed && { key: { name: keyed.name, fingerprint: keyed.fingerprint } }),
    decide(found, head) {
      const near = new RecordsInView(service.seed, needs, found);
      const { outcome, writing, charge } = decide(plan, { now, near, head, service }, context);
      const { puts, occupies } = near;
      const reply = keyed && { reply: JSON.stringify({ salt, ...outcome }) };
      const all = { puts, occupies, ...writing, ...reply };
      return {
        writing: withLife(all, head?.state, { now, operationId, by }, settings),
        answer: outcome,
        charge: charge ?? toCharge(service, head, now, calls),
      };
    },
  });
  // The warnings are in the body already, because they are kept with it.
  context.warnings.length = 0;
  if (changed.result === 'done') {
    growth.settle();
    if (!workspace) noteWorkspace(context.call, hash);
    return inWorkspace(await fill(changed.answer, salt), id);
  }
  if (changed.result === 'replay') {
    // The same status and body, byte for byte, marked as a repetition; its secrets are derived from the salt again.
    const { salt: kept, ...outcome } = JSON.parse(changed.reply) as Outcome & { salt?: string };
    const headers = { ...outcome.headers, 'Idempotency-Replayed': 'true' };
    return inWorkspace(await fill({ ...outcome, headers }, kept), await toId(kept));
  }
  if (changed.result === 'full')
    return { status: 402, body: toOffer(service, 'recordCeiling', state.owner !== undefined) };
  if (changed.result === 'over') return toMeterOffer(service, workspace?.hash);
  throw new Refusal(changed.result === 'unknown' ? 'unknown_workspace' : 'idempotency_mismatch');
}
