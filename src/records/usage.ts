import * as v from 'valibot';
import type { Service } from '../kernel/service.ts';
import { Count, say } from '../kernel/text.ts';
import {
  type Calls,
  fromMillionths,
  type MeteredRate,
  toCost,
  toMillionths,
  toPeriod,
  toTotal,
} from '../pricing/meter.ts';
import type { WorkspaceHead } from './store.ts';
import { perCredit, toWorkspaceState } from './workspace-state.ts';

const Dollars = say(v.pipe(v.number(), v.minValue(0)), 'In dollars, to the millionth.');

export const Usage = say(
  v.pipe(
    v.object({
      period: say(v.pipe(v.string(), v.regex(/^\d{4}-\d{2}$/)), 'The calendar month, UTC, as `2026-11`.'),
      unit: say(v.string(), 'What the amounts are in.'),
      settlement: say(v.literal('inactive'), 'Always inactive: nothing is billed.'),
      operations: say(
        v.array(
          v.object({
            operation: say(v.string(), 'Its operationId.'),
            calls: say(Count, 'Calls that were answered this month.'),
            included: say(v.union([Count, v.literal('unlimited')]), 'Calls that cost nothing, or unlimited.'),
            billable: say(Count, 'Calls past those included.'),
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
    v.title('Usage'),
  ),
  'The meter: what was answered of each operation with a price. Nothing is billed.',
);
export type Usage = v.InferOutput<typeof Usage>;

/** Nothing is known of a workspace that is not made yet. */
type Metered = Pick<WorkspaceHead, 'used' | 'state'> | undefined;
type Parts = Pick<Service, 'meter'> & { catalogue: Pick<Service['catalogue'], 'pricing'> };

/**
 * The rates of a workspace in a month, with the calls that credits earned in that month include, and what the month
 * may cost, in millionths: as much as its owner authorised for that month, else the hard ceiling.
 */
export function toTerms({ meter, catalogue }: Parts, head: Metered, period: string) {
  const { authorised, work } = toWorkspaceState(head?.state);
  const earned = work?.period === period ? work.earned * perCredit.included : 0;
  const ceiling = authorised?.period === period ? authorised.ceiling : catalogue.pricing.hardCeiling;
  const own = ({ isCreate, included, price }: MeteredRate) => ({
    price,
    included: included + (isCreate ? earned : 0),
  });
  return {
    rates: [...meter.rates].map(([operation, rate]) => [operation, own(rate)] as const),
    authorised: toMillionths(ceiling),
  };
}

/** What a workspace has used of the month of `now` or, where a clock is behind, of the later one that it was charged in. */
export function toUsage(parts: Parts, head: Metered, now: number): Usage {
  const { hardCeiling, unit } = parts.meter;
  const { used = { period: '', calls: {} } } = head ?? {};
  const current = toPeriod(now);
  const period = used.period > current ? used.period : current;
  const calls: Calls = used.period === period ? used.calls : {};
  const { rates, authorised } = toTerms(parts, head, period);
  const total = toTotal(rates, calls);
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
        amount: fromMillionths(toCost(rate, count)),
      };
    }),
    total: fromMillionths(total),
    hardCeiling: fromMillionths(hardCeiling),
    authorised: fromMillionths(authorised),
    remaining: fromMillionths(Math.max(0, authorised - total)),
  };
}
