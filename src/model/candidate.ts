import * as v from 'valibot';
import { OnetCode } from './occupation.ts';
import { Href, toList, toText } from './text.ts';

/** What a caller sends to create a candidate. */
export const CandidateBody = v.object({
  name: toText(200, 'Name', 'What to call the candidate. Send no personal data: this is a sandbox.'),
  onetCode: OnetCode,
  skills: v.optional(
    v.pipe(
      toList(toText(80, 'Skill', 'One skill, 1 to 80 characters.'), 50, 'skills'),
      v.description('Up to 50 skills.'),
    ),
  ),
  metro: v.optional(toText(200, 'Metro', 'Metropolitan area, such as "Columbus, OH".')),
});

/** Derived, never stored: `placed` with any placement in view that has not ended early. */
export const CandidateStatus = v.picklist(['available', 'placed']);

/** A candidate as it is read. */
export const Candidate = v.pipe(
  v.object({
    id: v.pipe(v.string(), v.description('Identifier, `cand_…`.')),
    ...CandidateBody.entries,
    status: CandidateStatus,
    example: v.pipe(v.boolean(), v.description('true on the synthetic seed, false on what a caller made.')),
    links: v.object({
      self: Href,
      occupation: Href,
      jobOrders: v.pipe(Href, v.description('Open job orders of the same code.')),
    }),
  }),
  v.title('Candidate'),
  v.description('A person who can be placed, typed by an O*NET-SOC code.'),
);

export type Candidate = v.InferOutput<typeof Candidate>;
