import * as v from 'valibot';
import { OnetCode } from './occupation.ts';
import { Href, toText } from './text.ts';

/** What a caller sends to create a job order. */
export const JobOrderBody = v.object({
  client: toText(200, 'Client', 'Who orders the work.'),
  title: toText(200, 'Title', "The job's title in the client's words."),
  onetCode: OnetCode,
  billRateUsdHour: v.optional(
    v.pipe(
      v.number('must be a number'),
      v.gtValue(0, 'must be above 0'),
      v.maxValue(10_000, 'must be at most 10000'),
      v.title('Bill rate'),
      v.description('US dollars an hour that the client is billed, above 0, at most 10,000.'),
    ),
  ),
});

/** Derived, never stored: `filled` with any placement in view that has not ended early. */
export const JobOrderStatus = v.picklist(['open', 'filled']);

/** A job order as it is read. */
export const JobOrder = v.pipe(
  v.object({
    id: v.pipe(v.string(), v.description('Identifier, `job_…`.')),
    ...JobOrderBody.entries,
    status: JobOrderStatus,
    example: v.pipe(v.boolean(), v.description('true on the synthetic seed, false on what a caller made.')),
    links: v.object({
      self: Href,
      occupation: Href,
      candidates: v.pipe(Href, v.description('Available candidates of the same code.')),
    }),
  }),
  v.title('JobOrder'),
  v.description("A client's order for one person, typed by an O*NET-SOC code."),
);

export type JobOrder = v.InferOutput<typeof JobOrder>;
