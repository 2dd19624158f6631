import * as v from 'valibot';
import { CalendarDate, Href, textSchema } from '../../src/kernel/text.ts';
import { OnetCode } from '../../src/occupations/occupation.ts';
import { synthetic, toId, toKind, toOccupationHref, toRecordEntries } from '../../src/records/kind.ts';

const prefix = 'int_';
const statuses = ['planned', 'held'] as const;
const InterviewBody = v.object({
  candidateId: textSchema(200, 'Candidate', 'The id of a candidate.'),
  jobOrderId: textSchema(200, 'Job order', 'The id of a job order.'),
  onetCode: OnetCode,
  day: CalendarDate,
  result: v.optional(textSchema(200, 'Result', 'How it went.')),
});

/** A kind of record that the service does not have, in one file as a newcomer would write it. */
export const interview = toKind({
  name: 'interview',
  noun: 'interview',
  plural: 'interviews',
  collection: 'interviews',
  path: '/interviews',
  prefix,
  about: 'Talks between a candidate and a client.',
  body: InterviewBody,
  record: v.object({
    id: toId(prefix),
    ...InterviewBody.entries,
    ...toRecordEntries(statuses, { occupation: Href, candidate: v.nullable(Href) }),
  }),
  seed: v.strictObject({ ...synthetic, ...InterviewBody.entries }),
  statuses,
  references: { candidateId: 'candidate', jobOrderId: 'jobOrder' },
  present: (fact, { today, isKnown }) => ({
    status: fact.day > today ? 'planned' : 'held',
    links: {
      self: `/interviews/${fact.id}`,
      occupation: toOccupationHref(fact.onetCode),
      candidate: isKnown('candidate', fact.candidateId) ? `/candidates/${fact.candidateId}` : null,
    },
  }),
  sample: { candidateId: 'cand_036', jobOrderId: 'job_034', onetCode: '29-1141.00', day: '2026-12-01' },
  texts: {
    list: { operationId: 'listInterviews', description: 'Interviews.', tool: 'See who is met when.' },
    create: { operationId: 'createInterview', description: 'Plans one.', tool: 'Plan an interview.' },
    get: { operationId: 'getInterview', description: 'One interview.', tool: 'Read one interview.' },
    update: { operationId: 'updateInterview', description: 'Changes one.', tool: 'Move an interview.' },
    delete: { operationId: 'deleteInterview', description: 'Erases one.' },
  },
});
