import * as v from 'valibot';
import { type Calls, calculateCost, fromMillionths, sumCosts, toMillionths } from '../../kernel/cost.ts';
import { Json } from '../../kernel/json.ts';
import type { Operation, OperationReply } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { NonNegativeInteger, named, say } from '../../kernel/text.ts';
import { type MeteredRate, toPeriod } from '../../pricing/meter.ts';
import { presentOffer } from '../../pricing/offer.ts';
import { addCharge, type Charge } from '../../workspace/charge.ts';
import type { Head as WorkspaceHead } from '../../workspace/head.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { RecordService, RecordWorkspace } from '../service.ts';
import { perCredit, readWorkspaceState } from './workspace-state.ts';

const Dollars = say(v.pipe(v.number(), v.minValue(0)), 'In dollars, to the millionth.');

export const Usage = named(
  v.object({
    period: say(v.pipe(v.string(), v.regex(/^\d{4}-\d{2}$/)), 'The calendar month, UTC, as `2026-11`.'),
    unit: say(v.string(), 'What the amounts are in.'),
    settlement: say(v.literal('inactive'), 'Always inactive: nothing is billed.'),
    operations: say(
      v.array(
        v.object({
          operation: say(v.string(), 'Its operationId.'),
          calls: say(NonNegativeInteger, 'Calls that were answered this month.'),
          included: say(
            v.union([NonNegativeInteger, v.literal('unlimited')]),
            'Calls that cost nothing, or unlimited.',
          ),
          billable: say(NonNegativeInteger, 'Calls past those included.'),
          amount: Dollars,
        }),
      ),
      'Each operation with a price.',
    ),
    total: Dollars,
    hardCeiling: Dollars,
    authorised: say(v.pipe(v.number(), v.minValue(0)), 'The dollars that `total` never exceeds.'),
    remaining: Dollars,
  }),
  'Usage',
  'The meter: what was answered of each operation with a price. Nothing is billed.',
);
export type Usage = v.InferOutput<typeof Usage>;

/** Undefined for a workspace that does not exist yet. */
type Head = WorkspaceHead | undefined;
type Parts = Pick<RecordService, 'meter' | 'settings' | 'catalogue'>;

/**
 * Returns the rates of a workspace in a month, and what the month may cost, in millionths of a dollar. Credits
 * earned in the month add included calls. If the owner authorised no amount for the month, the hard ceiling counts.
 */
function readTerms({ meter, catalogue }: Parts, head: Head, period: string) {
  const { authorised, work } = readWorkspaceState(head?.state);
  const earned = work?.period === period ? work.earned * perCredit.included : 0;
  const ceiling = authorised?.period === period ? authorised.ceiling : catalogue.pricing.hardCeiling;
  const toOwnRate = ({ isCreate, included, price }: MeteredRate) => ({
    price,
    included: included + (isCreate ? earned : 0),
  });
  return {
    rates: [...meter.rates].map(([operation, rate]) => [operation, toOwnRate(rate)] as const),
    authorised: toMillionths(ceiling),
  };
}

/**
 * Presents what a workspace has used in the month of `now`. If it was already charged in a later month, it presents
 * that month.
 */
export function presentUsage(parts: Parts, head: Head, now: number): Usage {
  const { hardCeiling, unit } = parts.meter;
  const { used = { period: '', calls: {} } } = head ?? {};
  const current = toPeriod(now);
  const period = used.period > current ? used.period : current;
  const calls: Calls = used.period === period ? used.calls : {};
  const { rates, authorised } = readTerms(parts, head, period);
  const total = sumCosts(rates, calls);
  return {
    period,
    unit,
    settlement: 'inactive',
    operations: rates.map(([operation, rate]) => {
      const { [operation]: count = 0 } = calls;
      const { included } = rate;
      return {
        operation,
        calls: count,
        included: Number.isFinite(included) ? included : 'unlimited',
        billable: Math.max(0, count - included),
        amount: fromMillionths(calculateCost(rate, count)),
      };
    }),
    total: fromMillionths(total),
    hardCeiling: fromMillionths(hardCeiling),
    authorised: fromMillionths(authorised),
    remaining: fromMillionths(Math.max(0, authorised - total)),
  };
}

/**
 * Returns a charge of no calls. It refuses a change of a workspace over its authorised amount, unless the meter
 * only counts.
 */
export function createLimitCheck(service: Parts, head: Head, now: number): Charge {
  const period = toPeriod(now);
  if (service.settings.meter === 'count') return { period, calls: {} };
  const { rates, authorised } = readTerms(service, head, period);
  // Operations with an unlimited allowance cost nothing, so stores need not know them.
  const limited = rates.filter(([, { included }]) => Number.isFinite(included));
  // The owner can lower the authorised amount, so the limit counts only at this revision.
  const hasOwner = head !== undefined && readWorkspaceState(head.state).owner !== undefined;
  const revision = hasOwner ? { revision: head.revision } : {};
  return { period, calls: {}, limit: { rates: Object.fromEntries(limited), authorised, ...revision } };
}

/** Returns the charge for calls, without those that have no price. Returns undefined if none has a price. */
export function createCharge(service: Parts, head: Head, now: number, calls: Calls): Charge | undefined {
  const priced = Object.entries(calls).filter(([operation]) => service.meter.rates.has(operation));
  if (priced.length === 0) return undefined;
  return { ...createLimitCheck(service, head, now), calls: Object.fromEntries(priced) };
}

/** Replies 402 with the offer at the meter's ceiling, and with what the workspace has used. */
export function replyMeterOffer(service: RecordService, head: Head): OperationReply {
  const { period, total, authorised, unit } = presentUsage(service, head, service.platform.now());
  const isClaimed = readWorkspaceState(head?.state).owner !== undefined;
  const body = {
    ...presentOffer(service, 'meterCeiling', isClaimed),
    used: { period, total, authorised, unit },
  };
  return { status: 402, body };
}

/** Returns the offer if a read could not be charged. It is called before a read waits for a change. */
export function findReadOffer(
  service: RecordService,
  { operationId }: Operation,
  { contents: { head } }: RecordWorkspace,
): OperationReply | undefined {
  const charge = createCharge(service, head, service.platform.now(), { [operationId]: 1 });
  return charge && !addCharge(head, charge) ? replyMeterOffer(service, head) : undefined;
}

const isEmpty = ({ body }: OperationReply) =>
  !(body instanceof Json) && (body as { type?: string }).type === 'EMPTY';

/** How often a charge of a read is tried again if the workspace changed meanwhile. */
const mostRetries = 50;

/**
 * Charges a workspace for a read, just before the reply is sent. Returns the offer instead if the meter is at its
 * ceiling.
 *
 * A charge is made again if the workspace changed. Throws the Refusal `unknown_workspace` if the workspace is gone,
 * and `store_unavailable` after too many attempts.
 */
export async function chargeRead(
  service: RecordService,
  { operationId }: Operation,
  { hash, contents }: RecordWorkspace,
  reply: OperationReply,
): Promise<OperationReply> {
  if (!service.meter.rates.has(operationId) || isEmpty(reply)) return reply;
  const { platform, workspaces } = service;
  let workspace: Workspace | undefined = contents;
  for (let attempt = 0; attempt <= mostRetries; attempt += 1) {
    const { head } = workspace;
    const charge = createCharge(service, head, platform.now(), { [operationId]: 1 })!;
    if (await workspaces.charge(workspace, charge)) {
      service.watch.onCharge?.(charge.calls);
      return reply;
    }
    workspace = await workspaces.open(hash);
    if (!workspace) throw new Refusal('unknown_workspace');
    if (workspace.head.revision === head.revision) return replyMeterOffer(service, workspace.head);
  }
  throw new Refusal('store_unavailable');
}
