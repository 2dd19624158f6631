import * as v from 'valibot';
import {
  Href,
  mayNamed,
  NonNegativeInteger,
  say,
  textSchema,
  toIsoDate,
  wholeSchema,
} from '../kernel/text.ts';
import { toOccupationHref } from '../occupations/code.ts';
import { countProposals, countTaken, listProposals } from '../placements/holding.ts';
import { warnOfRemoval } from '../placements/removal.ts';
import { dayOf } from '../records/kind/day-of.ts';
import { note, rateSchema, salarySchema } from '../records/kind/fields/common.ts';
import { metro } from '../records/kind/fields/metro.ts';
import { requires, warnNotHeld } from '../records/kind/fields/must-haves.ts';
import { onetCode } from '../records/kind/fields/occupation.ts';
import { daySchema, shift, startDate } from '../records/kind/fields/schedule.ts';
import { skills } from '../records/kind/fields/skills.ts';
import { warnOfUnusualPay } from '../records/kind/fields/unusual-pay.ts';
import { defineHours, workplace } from '../records/kind/fields/work.ts';
import { defineKind } from '../records/kind/kind.ts';
import { sortByDerived } from '../records/kind/sort.ts';
import type { StoredRecord } from '../workspace/record.ts';
import { warnOfMargin } from './margin.ts';
import {
  explainClosed,
  listPatchesOfOpening,
  readOpenings,
  readOrderStatus,
  refuseOpening,
} from './openings.ts';
import { listShortlistLinks, presentShortlistLinks, shortlistEntry } from './shortlist-links.ts';

/** The members for what an order offers: the least and the most, and the most alone. */
const offeredPay = {
  hour: ['payRateUsdHour', 'payRateMaxUsdHour'],
  year: ['salaryUsdYear', 'salaryMaxUsdYear'],
};
const mostPay = { hour: ['payRateMaxUsdHour'], year: ['salaryMaxUsdYear'] };

const declineProposals = mayNamed(
  v.boolean('must be true or false'),
  'Decline proposals',
  'With status closed: declines its open proposals, reason closed.',
);

const declineAsClosed = ({ id }: StoredRecord) => ({
  kind: 'placement',
  id,
  patch: { status: 'declined', declineReason: 'closed' },
});

export const jobOrder = defineKind({
  name: 'jobOrder',
  noun: 'job order',
  plural: 'job orders',
  collection: 'jobOrders',
  path: '/job-orders',
  prefix: 'job_',
  description: "A client's order for people, typed by an O*NET-SOC code.",
  about: "Clients' orders for people.",
  members: {
    client: {
      schema: textSchema(200, 'Client', 'Who orders the work.'),
      search: 'words',
      isSortable: true,
      isInSummary: true,
      client: 'shown',
      column: { title: 'Client' },
    },
    title: {
      schema: textSchema(200, 'Title', "The job's title in the client's words."),
      search: 'words',
      isSortable: true,
      isInSummary: true,
      client: 'shown',
      file: { form: 'text', takesFillers: true },
      column: { title: 'Title', isName: true },
    },
    onetCode,
    billRateUsdHour: {
      schema: rateSchema('Bill rate', 'that the client is billed'),
      file: { form: 'pay', members: { hour: ['billRateUsdHour'], year: [] }, usual: 'hour' },
    },
    payRateUsdHour: {
      schema: rateSchema('Pay rate', 'that is paid'),
      file: { form: 'pay', members: offeredPay, usual: 'hour' },
    },
    payRateMaxUsdHour: {
      schema: rateSchema('Most pay', 'that may be paid'),
      file: { form: 'pay', members: mostPay, usual: 'hour' },
    },
    salaryUsdYear: {
      schema: salarySchema('Salary', 'that is paid'),
      file: { form: 'pay', members: offeredPay, usual: 'year' },
    },
    salaryMaxUsdYear: {
      schema: salarySchema('Most salary', 'that may be paid'),
      isCore: false,
      file: { form: 'pay', members: mostPay, usual: 'year' },
    },
    openings: {
      schema: v.optional(
        wholeSchema(1, 1000, 'Openings', 'How many people are wanted, 1 to 1,000; 1 unless said.'),
      ),
      client: 'shown',
      file: { form: 'whole' },
    },
    skills,
    requires,
    metro,
    workplace,
    shift,
    hoursPerWeek: defineHours('Of the work'),
    startDate,
    endDate: {
      schema: daySchema('End', 'Planned last day of the work, not before startDate'),
      client: 'shown',
      file: { form: 'day' },
    },
    contact: {
      schema: v.optional(textSchema(200, 'Contact', 'Whom to ask at the client.')),
      isCore: false,
    },
    note,
  },
  derived: {
    openingsLeft: say(NonNegativeInteger, 'Openings that no accepted placement takes; 0 if it is closed.'),
    proposals: say(NonNegativeInteger, 'Placements of it that are proposed, interviewing or offered.'),
    shortlist: shortlistEntry,
  },
  links: {
    occupation: Href,
    matches: say(Href, 'Candidates who have not withdrawn, those who fit best first.'),
    candidates: say(Href, 'Available candidates of the same code.'),
  },
  /** `filled` if accepted placements that did not end early take all openings. `closed` if moved there, or after endDate. */
  lifecycle: {
    statuses: ['open', 'filled', 'closed'],
    stored: ['closed'],
    moves: [
      { from: ['open', 'filled'], to: 'closed' },
      { from: ['closed'], to: 'open' },
    ],
    options: { declineProposals: { schema: declineProposals, to: 'closed' } },
  },
  rules: {
    revise({ after, to, now }) {
      if (to === 'open') refuseOpening(after, toIsoDate(now));
      return {};
    },
    follow: ({ after: { id }, patch, view }) =>
      patch.declineProposals === true ? listProposals(view, id).map(declineAsClosed) : [],
    warn: (record, _, service) => [
      ...warnNotHeld(record),
      ...warnOfUnusualPay(record, service),
      ...warnOfMargin(record, 'billRateUsdHour'),
    ],
    warnOfRemoval,
  },
  transfer: {
    derivedColumns: ['openingsLeft', 'proposals'],
    // Without a move to closed, an order after its endDate is closed by that day alone. A later endDate reopens it.
    isStatusDerived: ({ asked: _, ...order }, today) =>
      order.transitions?.at(-1)?.to !== 'closed' && explainClosed(order as StoredRecord, today) !== undefined,
    toPatches: (again, days) => listPatchesOfOpening(again, days),
  },
  period: ['startDate', 'endDate'],
  ranges: [
    ['payRateUsdHour', 'payRateMaxUsdHour'],
    ['salaryUsdYear', 'salaryMaxUsdYear'],
  ],
  references: {},
  sorts: sortByDerived('openingsLeft'),
  tokens: (record) => listShortlistLinks(record).map(({ token }) => token),
  readStatus: (record, view, today) =>
    readOrderStatus(record, countTaken(view, record.id), dayOf(record, view, today)),
  present(record, view, today) {
    const openings = readOpenings(record);
    const taken = countTaken(view, record.id);
    const status = readOrderStatus(record, taken, dayOf(record, view, today));
    return {
      ...presentShortlistLinks(record, today),
      status,
      openings,
      openingsLeft: status === 'closed' ? 0 : Math.max(0, openings - taken),
      proposals: countProposals(view, record.id),
      links: {
        occupation: toOccupationHref(record.onetCode),
        matches: `/job-orders/${record.id}/matches`,
        candidates: `/candidates?status=available&occupation=${record.onetCode}`,
      },
    };
  },
  sample: {
    client: 'Example Works (fictional)',
    title: 'Android Developer',
    onetCode: '15-1252.00',
    billRateUsdHour: 95,
    payRateUsdHour: 55,
    payRateMaxUsdHour: 65,
    workplace: 'hybrid',
  },
  changeSample: { openings: 2, startDate: '2027-01-11' },
  texts: {
    list: {
      description:
        'Job orders, filtered by status and occupation: those of your workspace, or without one those of the public seed.',
      tool: 'Find work for a person: filter by status "open" and an O*NET-SOC code. Get the code from listOccupations.',
      isCore: true,
    },
    create: {
      description:
        'Creates a job order in your workspace. Without X-Workspace it mints an ephemeral workspace and answers its id.',
      tool: "Add a client's job order to a sandbox workspace, or to a new one: pass its id from then on.",
      isCore: true,
    },
    get: {
      description:
        'One job order by id, with links to its occupation and to available candidates of its code.',
      tool: 'Read one job order whose id you have.',
    },
    update: {
      description:
        'Changes one of your job orders, or its status: closes an open or filled one, or reopens a closed one. After endDate it is closed; a later endDate reopens it.',
      tool: 'Change a job order you created, or close it (status "closed").',
    },
    delete: {
      description: 'Deletes one of your job orders. Placements on it stay; their link to it becomes null.',
      tool: 'Delete a job order you created. Its placements stay.',
    },
  },
});
