import { toIsoDate } from '../kernel/text.ts';
import type { PresentedRecord } from '../records/kind/record.ts';
import type { RecordService } from '../records/service.ts';
import { splitPlace } from './split-place.ts';

/** A job order as a caller reads it. */
interface OrderFacts extends PresentedRecord {
  client: string;
  title: string;
  onetCode: string;
  openings: number;
  payRateUsdHour?: number;
  payRateMaxUsdHour?: number;
  salaryUsdYear?: number;
  salaryMaxUsdYear?: number;
  skills?: readonly string[];
  requires?: readonly string[];
  metro?: string;
  workplace?: string;
  shift?: string;
  hoursPerWeek?: number;
  startDate?: string;
  endDate?: string;
  transitions?: readonly { at: string; to: string }[];
}

/** From this many hours a week on, work is full time. */
const leastFullTime = 35;

function toAddress(metro: string): object {
  const { city, region, countryCode } = splitPlace(metro);
  return {
    '@type': 'PostalAddress',
    ...(city !== undefined && { addressLocality: city }),
    ...(region !== undefined && { addressRegion: region }),
    ...(countryCode !== undefined && { addressCountry: countryCode }),
  };
}

function describePlace({ metro, workplace }: OrderFacts): object {
  const jobLocation = metro !== undefined && {
    jobLocation: { '@type': 'Place', address: toAddress(metro) },
  };
  if (workplace !== 'remote') return { ...jobLocation };
  // Search engines ask in which countries a remote worker can live. All codes and pay here are of the United States.
  const applicantLocationRequirements = { '@type': 'Country', name: 'USA' };
  return { ...jobLocation, jobLocationType: 'TELECOMMUTE', applicantLocationRequirements };
}

function describePay(order: OrderFacts): object {
  const isHourly = order.payRateUsdHour !== undefined || order.payRateMaxUsdHour !== undefined;
  const low = isHourly ? order.payRateUsdHour : order.salaryUsdYear;
  const high = isHourly ? order.payRateMaxUsdHour : order.salaryMaxUsdYear;
  if (low === undefined && high === undefined) return {};
  const range = {
    ...(low !== undefined && { minValue: low }),
    ...(high !== undefined && { maxValue: high }),
  };
  const value = {
    '@type': 'QuantitativeValue',
    ...(high === undefined ? { value: low } : range),
    unitText: isHourly ? 'HOUR' : 'YEAR',
  };
  return { baseSalary: { '@type': 'MonetaryAmount', currency: 'USD', value } };
}

function listEmploymentTypes({ hoursPerWeek, endDate }: OrderFacts): string[] {
  const hours = hoursPerWeek === undefined ? [] : [hoursPerWeek >= leastFullTime ? 'FULL_TIME' : 'PART_TIME'];
  return [...hours, ...(endDate === undefined ? [] : ['TEMPORARY'])];
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Describes the work in HTML, as search engines ask, from the members that a reader may see. */
function describeWork(order: OrderFacts, occupation: string): string {
  const { client, title, requires = [], skills = [], shift, hoursPerWeek, workplace, startDate } = order;
  const terms = [
    workplace && `Workplace: ${workplace}.`,
    shift && `Shift: ${shift}.`,
    hoursPerWeek !== undefined && `${hoursPerWeek} hours a week.`,
    startDate && `Starts on ${startDate}.`,
    order.endDate && `Planned to end on ${order.endDate}.`,
  ].filter(Boolean);
  const paragraphs = [
    `${title} for ${client}. Occupation: ${occupation}.`,
    requires.length > 0 && `Must have: ${requires.join('; ')}.`,
    skills.length > 0 && `Skills: ${skills.join('; ')}.`,
    terms.length > 0 && terms.join(' '),
    order.example && 'This is an example: there is no such job.',
  ];
  return paragraphs
    .filter((text) => typeof text === 'string')
    .map((text) => `<p>${escapeHtml(text)}</p>`)
    .join('');
}

/** The day of a time (RFC 3339), or `today` for a seed record, which has no times. */
const toDay = (time: unknown, today: string) => (typeof time === 'string' ? time.slice(0, 10) : today);

/** The day on which a closed order was closed: by its last move, or by its `endDate` if that was before. */
function findClosing({ transitions, createdAt, endDate }: OrderFacts, today: string): string {
  const last = transitions?.at(-1);
  const moved = last?.to === 'closed' ? toDay(last.at, today) : undefined;
  const ended = endDate !== undefined && endDate < today ? endDate : undefined;
  if (moved !== undefined && ended !== undefined) return moved < ended ? moved : ended;
  return moved ?? ended ?? toDay(createdAt, today);
}

/** Returns the last day on which a posting is valid, or undefined if its order is open. */
function findExpiry(order: OrderFacts, today: string): string | undefined {
  if (order.status === 'open') return undefined;
  return order.status === 'closed' ? findClosing(order, today) : today;
}

/**
 * Returns a job order as a JobPosting of schema.org. It has no note, contact or bill rate, which are not for applicants.
 */
export function toPosting(record: PresentedRecord, service: RecordService): object {
  const order = record as OrderFacts;
  const { title: occupation } = service.occupationByCode.get(order.onetCode)!;
  const today = order.example ? service.seed.today : toIsoDate(service.platform.now());
  const { id, ref, title, client, onetCode, openings, skills, requires, startDate, shift } = order;
  const types = listEmploymentTypes(order);
  const validThrough = findExpiry(order, today);
  return {
    '@context': 'https://schema.org',
    '@type': 'JobPosting',
    title,
    description: describeWork(order, occupation),
    identifier: { '@type': 'PropertyValue', name: client, value: ref ?? id },
    datePosted: toDay(order.createdAt, today),
    ...(validThrough !== undefined && { validThrough }),
    hiringOrganization: { '@type': 'Organization', name: client },
    ...describePlace(order),
    ...describePay(order),
    ...(types.length > 0 && { employmentType: types }),
    ...(shift && { workHours: `${shift} shift` }),
    ...(startDate && { jobStartDate: startDate }),
    totalJobOpenings: openings,
    ...(skills && { skills }),
    ...(requires && { qualifications: requires }),
    occupationalCategory: `${onetCode} ${occupation}`,
  };
}
