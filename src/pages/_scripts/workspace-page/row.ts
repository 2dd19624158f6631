import { el } from '../dom.ts';
import { toCourse } from './course.ts';
import { drawCourse } from './course-picture.ts';
import { nameOf, toTitle, toToday } from './desk.ts';
import type { KindFacts, Placement, Row } from './facts.ts';

const tones: Record<string, string> = {
  available: 'is-ok',
  open: 'is-ok',
  active: 'is-ok',
  completed: 'is-ok',
  withdrawn: 'is-blocked',
  closed: 'is-blocked',
  'ended-early': 'is-offer',
};

/** The status of a record as a mark. */
export const drawStatus = (status: string): HTMLElement =>
  el('span', { class: `chip ${tones[status] ?? ''}` }, status.replaceAll('-', ' '));

/** What a person calls a row: a placement by who is placed where. */
export function toRowTitle(kind: KindFacts, row: Row): string {
  const parts = Object.keys(kind.references).map((member) => nameOf(row[member] as string));
  return parts.length > 0 ? parts.join(' → ') : toTitle(row);
}

/** The members of a row that tell most at a glance. */
function toGlance(row: Row): string {
  const {
    metro,
    skills = [],
    billRateUsdHour: rate,
    openings,
  } = row as Row & {
    metro?: string;
    skills?: string[];
    billRateUsdHour?: number;
    openings?: number;
  };
  const more = skills.length > 6 ? [...skills.slice(0, 6), `${skills.length - 6} more`] : skills;
  const parts = [
    metro,
    rate && `$${rate} an hour`,
    openings && openings > 1 && `${openings} openings`,
    ...more,
  ];
  return parts.filter(Boolean).join(' · ');
}

export const isPlacement = (row: Row): row is Placement => 'outcome' in row;

/** A row of a list: what it is called, its status, and what tells most; a placement with its line. */
export function drawRow(kind: KindFacts, row: Row, note?: string): HTMLElement {
  const link = el('a', { href: `#${row.id}`, dir: 'auto', 'data-key': row.id }, toRowTitle(kind, row));
  const course = isPlacement(row) ? toCourse(row, toToday()) : undefined;
  const glance = toGlance(row);
  return el(
    'li',
    { class: 'record-row' },
    el(
      'p',
      { class: 'record-name' },
      link,
      ' ',
      drawStatus(row.status),
      note ? el('span', { class: 'chip is-offer' }, note) : '',
    ),
    course ? drawCourse(course) : '',
    course ? el('p', { class: 'note' }, course.words) : '',
    glance ? el('p', { class: 'note', dir: 'auto' }, glance) : '',
  );
}
