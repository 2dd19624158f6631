import * as v from 'valibot';
import { CalendarDate, Href, textSchema } from '../../../src/kernel/text.ts';
import { toOccupationHref } from '../../../src/occupations/code.ts';
import { onetCode } from '../../../src/records/kind/fields/occupation.ts';
import { createEqualFilter } from '../../../src/records/kind/filters.ts';
import { defineKind } from '../../../src/records/kind/kind.ts';

/** A kind of record that the service does not have, in one file as a newcomer would write it. */
export const interview = defineKind({
  name: 'interview',
  noun: 'interview',
  plural: 'interviews',
  collection: 'interviews',
  path: '/interviews',
  prefix: 'int_',
  description: 'A talk between a candidate and a client.',
  about: 'Talks between a candidate and a client.',
  members: {
    candidateId: textSchema(200, 'Candidate', 'The id of a candidate.'),
    jobOrderId: textSchema(200, 'Job order', 'The id of a job order.'),
    onetCode,
    day: { schema: CalendarDate, filters: { day: createEqualFilter('day', 'Day', 'Those on this day.') } },
    result: v.optional(textSchema(200, 'Result', 'How it went.')),
  },
  links: { occupation: Href, candidate: v.nullable(Href) },
  lifecycle: { statuses: ['planned', 'held'] },
  references: { candidateId: 'candidate', jobOrderId: 'jobOrder' },
  present: (record, view, today) => ({
    status: record.day > today ? 'planned' : 'held',
    links: {
      occupation: toOccupationHref(record.onetCode),
      candidate: view.find('candidate', record.candidateId) ? `/candidates/${record.candidateId}` : null,
    },
  }),
  sample: { candidateId: 'cand_036', jobOrderId: 'job_034', onetCode: '29-1141.00', day: '2026-12-01' },
  texts: {
    list: { description: 'Interviews.', tool: 'See who is met when.' },
    create: { description: 'Plans one.', tool: 'Plan an interview.' },
    get: { description: 'One interview.', tool: 'Read one interview.' },
    update: { description: 'Changes one.', tool: 'Move an interview.' },
    delete: { description: 'Erases one.' },
  },
  changeSample: { day: '2027-01-12' },
});
