import { Json } from '../kernel/json.ts';
import type { OpenedWorkspace, Operation, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import { type Calls, toPeriod, toTotal } from '../pricing/meter.ts';
import { toOffer } from '../pricing/offer.ts';
import type { Charge, WorkspaceHead } from './store.ts';
import { toTerms, toUsage } from './usage.ts';
import { toWorkspaceState } from './workspace-state.ts';

type Parts = Pick<Service, 'meter' | 'settings' | 'catalogue'>;

/** What holds a workspace to the total of a month that it may come to, where it is held at all. */
function toLimit(service: Parts, head: WorkspaceHead | undefined, period: string): Pick<Charge, 'limit'> {
  if (service.settings.meter === 'count') return {};
  const { rates, authorised } = toTerms(service, head, period);
  // What is included without end costs nothing, and no store is told of it.
  const limited = rates.filter(([, { included }]) => Number.isFinite(included));
  // An owner may authorise less than before.
  const isHeld = head !== undefined && toWorkspaceState(head.state).owner !== undefined;
  return {
    limit: { rates: Object.fromEntries(limited), authorised, ...(isHeld && { revision: head.revision }) },
  };
}

/** What charges a workspace nothing, and refuses a change after which it would be over what is authorised. */
export const toCheck = (service: Parts, head: WorkspaceHead, now: number): Charge => ({
  period: toPeriod(now),
  calls: {},
  ...toLimit(service, head, toPeriod(now)),
});

/** What calls are charged in a workspace, those that cost nothing left out; undefined where all do. */
export function toCharge(
  service: Parts,
  head: WorkspaceHead | undefined,
  now: number,
  asked: Calls,
): Charge | undefined {
  const priced = Object.entries(asked).filter(([operation]) => service.meter.rates.has(operation));
  if (priced.length === 0) return undefined;
  const period = toPeriod(now);
  return { period, calls: Object.fromEntries(priced), ...toLimit(service, head, period) };
}

/** The offer at the ceiling of the meter, with what was used of the workspace that a hash opens, if any. */
export async function toMeterOffer(service: Service, hash: string | undefined): Promise<Outcome> {
  const { store, platform } = service;
  const now = platform.now();
  const head = hash === undefined ? undefined : await store.open(hash, now);
  const { period, total, authorised, unit } = toUsage(service, head, now);
  const isClaimed = toWorkspaceState(head?.state).owner !== undefined;
  const body = { ...toOffer(service, 'meterCeiling', isClaimed), used: { period, total, authorised, unit } };
  return { status: 402, body };
}

/** The offer to a read that could not be charged, before it waits for what would be. */
export function refuseRead(
  service: Service,
  { operationId }: Operation,
  workspace: OpenedWorkspace,
): Promise<Outcome> | undefined {
  const charge = toCharge(service, workspace, service.platform.now(), { [operationId]: 1 });
  if (!charge?.limit) return undefined;
  const { used, hash } = workspace;
  const before = used.period < charge.period ? {} : used.calls;
  const rates = Object.entries(charge.limit.rates);
  const total = toTotal(rates, { ...before, [operationId]: (before[operationId] ?? 0) + 1 });
  const isOver = total > charge.limit.authorised && total > toTotal(rates, before);
  return isOver ? toMeterOffer(service, hash) : undefined;
}

const isEmpty = ({ body }: Outcome) =>
  !(body instanceof Json) && (body as { type?: string }).type === 'EMPTY';

/** How often a read is charged anew where the workspace changed in between. */
const mostTries = 50;

/**
 * Charges a workspace for a read, last of all before it is answered; at the ceiling, that is offered in its place. It
 * is charged as the workspace stood when it was opened; what its owner authorises may be less by now.
 */
export async function chargeRead(
  service: Service,
  { operationId }: Operation,
  workspace: OpenedWorkspace,
  outcome: Outcome,
): Promise<Outcome> {
  if (!service.meter.rates.has(operationId) || isEmpty(outcome)) return outcome;
  const { store, platform } = service;
  let head: WorkspaceHead = workspace;
  for (let tries = 0; tries <= mostTries; tries += 1) {
    const charge = toCharge(service, head, platform.now(), { [operationId]: 1 })!;
    if (await store.charge(head.key, charge)) return outcome;
    const now = await store.open(workspace.hash, platform.now());
    if (!now) throw new Refusal('unknown_workspace');
    if (now.revision === head.revision) return toMeterOffer(service, workspace.hash);
    head = now;
  }
  throw new Refusal('store_unavailable');
}
