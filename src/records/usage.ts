import * as v from 'valibot';
import type { Service } from '../kernel/service.ts';
import { type Calls, fromMillionths, type MeteredRate, toCost, toPeriod, toTotal } from '../pricing/meter.ts';
import { toAllowance } from './allowance.ts';
import type { WorkspaceHead } from './store.ts';

const Count = v.pipe(v.number(), v.integer());
const Dollars = v.pipe(v.number(), v.description('In dollars, to the millionth.'));

/** What a workspace has used of a month. */
export const Usage = v.pipe(
  v.object({
    period: v.pipe(v.string(), v.description('The calendar month, UTC, as `2026-11`.')),
    unit: v.pipe(v.string(), v.description('What the amounts are in.')),
    settlement: v.pipe(v.literal('inactive'), v.description('Always inactive: nothing is billed.')),
    operations: v.pipe(
      v.array(
        v.object({
          operation: v.pipe(v.string(), v.description('Its operationId.')),
          calls: v.pipe(Count, v.description('Calls that were answered this month.')),
          included: v.pipe(
            v.union([Count, v.literal('unlimited')]),
            v.description('Calls that cost nothing, or unlimited.'),
          ),
          billable: v.pipe(Count, v.description('Calls past those included.')),
          amount: Dollars,
        }),
      ),
      v.description('Each operation with a price.'),
    ),
    total: Dollars,
    hardCeiling: Dollars,
    authorised: v.pipe(v.number(), v.description('Dollars that no metered call takes `total` above.')),
    remaining: Dollars,
  }),
  v.title('Usage'),
  v.description('The meter: what was answered of each operation with a price. Nothing is billed.'),
);
export type Usage = v.InferOutput<typeof Usage>;

/** What is told of a workspace that is not made yet. */
type Metered = Pick<WorkspaceHead, 'used' | 'state'> | undefined;
type Parts = Pick<Service, 'meter'> & { catalogue: Pick<Service['catalogue'], 'pricing'> };

/** The rates that hold in a workspace in a month, and what it may come to, in millionths. */
export function toTerms({ meter, catalogue }: Parts, head: Metered, period: string) {
  const { authorised, included: more } = toAllowance(head?.state ?? {}, period, catalogue.pricing);
  const own = ({ isCreate, included, price }: MeteredRate) => {
    return { price, included: included + (isCreate ? more : 0) };
  };
  const rates = [...meter.rates].map(([operation, rate]) => [operation, own(rate)] as const);
  return { rates, authorised };
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
