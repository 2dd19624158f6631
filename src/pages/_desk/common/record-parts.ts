import { html, type TemplateResult } from 'lit-html';
import { formatDate, formatPayRange } from '../../_scripts/format.ts';
import type { PageRecord } from '../state/model.ts';
import type { Course } from './course.ts';
import { viewBar } from './parts.ts';

const marks = { done: '✓', open: '○', bad: '✕' };

/** Shows how far a placement has come: its steps, its days as a bar, and the same in words. */
export const viewCourse = ({ steps, part, words }: Course): TemplateResult => html`<div class="course">
  <ol class="plain steps">
    ${steps.map(
      ({ name, state, day }) =>
        html`<li class=${`is-${state}`}>${marks[state]} ${name} <span>${day && formatDate(day)}</span></li>`,
    )}
  </ol>
  ${viewBar([{ part }])}
  <p class="note">${words}</p>
</div>`;

/** Describes the openings of an order: `1 of 2 filled`. */
export function describeOpenings({ openings, openingsLeft }: PageRecord): string {
  return typeof openings === 'number' && typeof openingsLeft === 'number'
    ? `${openings - openingsLeft} of ${openings} filled`
    : '';
}

/** Lists the first skills of a record, and how many more there are. */
export function listFirstSkills({ skills = [] }: PageRecord): string[] {
  const all = skills as string[];
  return all.length > 6 ? [...all.slice(0, 6), `${all.length - 6} more`] : all;
}

/** What members state, the member that holds the pay or its least, and the one that holds its most. */
interface PayMembers {
  name: string;
  least: string;
  most?: string;
}

/** Describes what a record says of pay in one unit: `pay $40.00 to $48.00 an hour`. */
function describePay(row: PageRecord, { name, least, most }: PayMembers): string | undefined {
  const read = (member?: string) => (member === undefined ? undefined : (row[member] as number | undefined));
  const range = formatPayRange(least, read(least), read(most));
  return range && `${name} ${range}`;
}

const payMembers: readonly PayMembers[] = [
  { name: 'bill rate', least: 'billRateUsdHour' },
  { name: 'pay', least: 'payRateUsdHour', most: 'payRateMaxUsdHour' },
  { name: 'salary', least: 'salaryUsdYear', most: 'salaryMaxUsdYear' },
];

/** Lists the pay, the workplace and the hours of a record. */
export function listTerms(row: PageRecord): string[] {
  const { workplace, workplaces = [], hoursPerWeek: hours } = row;
  const places = (workplace ? [workplace] : workplaces) as string[];
  const parts = [
    ...payMembers.map((members) => describePay(row, members)),
    places.join(' or '),
    hours !== undefined && `${hours} hours a week`,
  ];
  return parts.filter((part): part is string => typeof part === 'string' && part !== '');
}
