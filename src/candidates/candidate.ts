import * as v from 'valibot';
import { CalendarDate, Href, say, textSchema } from '../kernel/text.ts';
import { toOccupationHref } from '../occupations/code.ts';
import { isAtWork, isPlaced, keepAvailable, readFreeFrom } from '../placements/holding.ts';
import { warnOfRemoval } from '../placements/removal.ts';
import { note, rateSchema, salarySchema } from '../records/kind/fields/common.ts';
import { metro } from '../records/kind/fields/metro.ts';
import {
  credentials,
  expiring,
  sortByExpiry,
  warnNotHeld,
  warnUnreadDays,
} from '../records/kind/fields/must-haves.ts';
import { onetCode } from '../records/kind/fields/occupation.ts';
import { availableFrom, shifts } from '../records/kind/fields/schedule.ts';
import { skills } from '../records/kind/fields/skills.ts';
import { warnOfUnusualPay } from '../records/kind/fields/unusual-pay.ts';
import { defineHours, workplaces } from '../records/kind/fields/work.ts';
import { defineKind } from '../records/kind/kind.ts';
import { sortByDerived } from '../records/kind/sort.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';
import { warnOfDuplicate } from './duplicates.ts';

/** The members for what a candidate asks for. */
const askedPay = { hour: ['payRateUsdHour'], year: ['salaryUsdYear'] };

const readCandidateStatus = (record: StoredRecord, view: View, today: string): string =>
  record.asked ?? (isPlaced(record, view, today) ? 'placed' : 'available');

export const candidate = defineKind({
  name: 'candidate',
  noun: 'candidate',
  plural: 'candidates',
  collection: 'candidates',
  path: '/candidates',
  prefix: 'cand_',
  description: 'A person who can be placed, typed by an O*NET-SOC code.',
  about: 'People who can be placed.',
  members: {
    name: {
      schema: textSchema(
        200,
        'Name',
        'What to call the candidate. Send no personal data: this is a sandbox.',
      ),
      search: 'words',
      isSortable: true,
      isInSummary: true,
      client: 'shown',
      file: { form: 'text', takesFillers: true, parts: ['firstName', 'lastName'], separator: ' ' },
      column: { title: 'Name', isName: true },
    },
    title: {
      schema: v.optional(textSchema(200, 'Title', 'What the candidate calls the work that they do.')),
      search: 'words',
      isSortable: true,
      isInSummary: true,
      client: 'shown',
      file: { form: 'text', takesFillers: true },
      column: { title: 'Title' },
    },
    onetCode,
    skills,
    credentials,
    metro,
    workplaces,
    shifts,
    hoursPerWeek: defineHours('That the candidate works'),
    availableFrom,
    payRateUsdHour: {
      schema: rateSchema('Pay rate', 'that the candidate asks for'),
      client: 'withheld',
      file: { form: 'pay', members: askedPay, usual: 'hour', takesLeast: true },
    },
    salaryUsdYear: {
      schema: salarySchema('Salary', 'that the candidate asks for'),
      client: 'withheld',
      file: { form: 'pay', members: askedPay, usual: 'year', takesLeast: true },
    },
    source: {
      schema: v.optional(textSchema(80, 'Source', 'Where the candidate came from.')),
      isCore: false,
    },
    note,
  },
  derived: {
    expiring,
    freeFrom: say(
      v.nullable(CalendarDate),
      'First day from which no placement holds the person, availableFrom at the earliest; null if no end is known.',
    ),
  },
  links: {
    occupation: Href,
    matches: say(Href, 'Open job orders, those that fit best first.'),
    jobOrders: say(Href, 'Open job orders of the same code.'),
  },
  /** `placed` while a placement is not over. After a conversion, until a move to available. */
  lifecycle: {
    statuses: ['available', 'placed', 'withdrawn'],
    stored: ['withdrawn'],
    moves: [
      { from: ['available'], to: 'withdrawn' },
      {
        from: ['withdrawn', 'placed'],
        to: 'available',
        isLegal: (record, from, view, today) => from !== 'placed' || !isAtWork(record, view, today),
      },
    ],
    hints: { placed: 'End its placement first.' },
  },
  rules: {
    revise: ({ to, now }) => (to === 'available' ? keepAvailable(now) : {}),
    warn: (record, view, service) => [
      ...warnNotHeld(record),
      ...warnUnreadDays(record),
      ...warnOfUnusualPay(record, service),
      ...warnOfDuplicate(record, view),
    ],
    warnOfRemoval,
  },
  transfer: {
    restore: (record, status, now) =>
      status === 'available' ? { ...record, ...keepAvailable(now) } : record,
    toPortable: (record) => record,
    derivedColumns: ['freeFrom'],
  },
  references: {},
  sorts: { ...sortByDerived('freeFrom'), ...sortByExpiry },
  readStatus: readCandidateStatus,
  present(record, view, today) {
    const { id, onetCode } = record;
    return {
      status: readCandidateStatus(record, view, today),
      freeFrom: readFreeFrom(record, view, today),
      links: {
        occupation: toOccupationHref(onetCode),
        matches: `/candidates/${id}/matches`,
        jobOrders: `/job-orders?status=open&occupation=${onetCode}`,
      },
    };
  },
  sample: {
    name: 'Ada Example',
    onetCode: '15-1252.00',
    skills: ['TypeScript', 'SQL'],
    metro: 'Columbus, OH',
    workplaces: ['onsite', 'hybrid'],
    payRateUsdHour: 60,
  },
  changeSample: { metro: 'Austin, TX', availableFrom: '2027-01-11' },
  texts: {
    list: {
      description:
        'Candidates, filtered by status and occupation: those of your workspace, or without one those of the public seed.',
      tool: 'Find people for a job: filter by status "available" and an O*NET-SOC code. Get the code from listOccupations.',
      isCore: true,
    },
    create: {
      description:
        'Creates a candidate in your workspace. Without X-Workspace it mints an ephemeral workspace and answers its id.',
      tool: 'Add a candidate to a sandbox workspace, or to a new one: pass its id from then on.',
      isCore: true,
    },
    get: {
      description: 'One candidate by id, with links to its occupation and to open job orders of its code.',
      tool: 'Read one candidate whose id you have.',
    },
    update: {
      description:
        'Changes one of your candidates, or its status: withdraws an available one, or makes a withdrawn one available, or one whom a client took on.',
      tool: 'Change a candidate you created, or withdraw it (status "withdrawn").',
    },
    delete: {
      description: 'Deletes one of your candidates. Placements of it stay; their link to it becomes null.',
      tool: 'Delete a candidate you created. Its placements stay.',
    },
  },
});
