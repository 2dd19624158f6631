import { html, svg, type TemplateResult } from 'lit-html';
import { toDate, toDay, toDollars, toMoment } from '../format.ts';
import { type Course, courseDays, type Step, toCourse } from './course.ts';
import { isPlacement, type KindFacts, type PresentedRecord } from './model.ts';
import { toTitle } from './names.ts';

/** A part of the page with a heading beside it. */
export const viewPart = (id: string, title: string, body: unknown, note?: unknown): TemplateResult =>
  html`<section class="part" aria-labelledby=${id}>
    <div><h2 id=${id}>${title}</h2>${note}</div>
    <div class="body" data-place=${id}>${body}</div>
  </section>`;

export const viewNote = (words: unknown) => html`<p class="note">${words}</p>`;

/** What was done, and when. */
export const viewEvents = (events: readonly { at: string; words: string; comment?: string | undefined }[]) =>
  html`<ol class="plain history">${events.map(
    ({ at, words, comment }) => html`<li>
      <time datetime=${at} title=${at} class="note">${toMoment(at)}</time>
      <p>${words}</p>
      ${comment ? html`<p class="note" dir="auto">“${comment}”</p>` : ''}
    </li>`,
  )}</ol>`;

const tones: Record<string, string> = {
  available: 'is-ok',
  open: 'is-ok',
  active: 'is-ok',
  completed: 'is-ok',
  withdrawn: 'is-blocked',
  closed: 'is-blocked',
  'ended-early': 'is-offer',
  proposed: 'is-offer',
  interviewing: 'is-offer',
  offered: 'is-offer',
  declined: 'is-blocked',
};

/** The status of a record as a mark. */
export const viewStatus = (status: string): TemplateResult =>
  html`<span class=${`chip ${tones[status] ?? ''}`}>${status.replaceAll('-', ' ')}</span>`;

const toPercent = (part: number) => `${(Math.max(0, Math.min(1, part)) * 100).toFixed(2)}%`;

/** A bar that is filled from the left by parts of the whole; each part may have a class of its own. */
export function viewBar(parts: { part: number; tone?: string }[], height = 8): TemplateResult {
  let before = 0;
  const filled = parts.map(({ part, tone = '' }) => {
    const x = toPercent(before);
    before += part;
    return svg`<rect class=${`filled ${tone}`} x=${x} width=${toPercent(part)} height=${height} />`;
  });
  return html`<svg class="bar" width="100%" height=${height} aria-hidden="true">
    <rect class="whole" width="100%" height=${height} />${filled}</svg>`;
}

/** Where each step is drawn, in percent of the width: between the second and the third are the days. */
const places = [3, 17, 63, 80, 97] as const;
const middle = 20;

function viewStep({ name, state }: Step, index: number, withNames: boolean): TemplateResult {
  const [anchor, x] =
    index === 0 ? ['start', 0] : index === places.length - 1 ? ['end', 100] : ['middle', places[index]!];
  const label = svg`<text class=${`step-name is-${state}`} x=${`${x}%`} y="46" text-anchor=${anchor}>${name}</text>`;
  return svg`<circle class=${`step is-${state}`} cx=${`${places[index]}%`} cy=${middle} r="7" />${withNames ? label : ''}`;
}

function viewStretch(from: number, to: number, tone: string): TemplateResult {
  const half = tone === 'tick' ? 5 : 0;
  return svg`<line class=${tone} x1=${`${from}%`} x2=${`${to}%`} y1=${middle - half} y2=${middle + half} />`;
}

/** The 90 days: a track that is filled up to today, with a mark each 30 days. */
function viewDays({ part, day }: Course, withNames: boolean): unknown[] {
  const [from, to] = [places[1], places[2]];
  const at = (share: number) => from + (to - from) * share;
  const isDuring = day !== undefined && day <= courseDays;
  return [
    viewStretch(from, to, 'stretch'),
    viewStretch(from, at(part), 'stretch is-done'),
    ...[1 / 3, 2 / 3].map((share) => viewStretch(at(share), at(share), 'tick')),
    isDuring ? svg`<circle class="today" cx=${`${at(part)}%`} cy=${middle} r="4" />` : '',
    isDuring && withNames
      ? svg`<text class="step-day" x=${`${at(0.5)}%`} y="46" text-anchor="middle">day ${day} of ${courseDays}</text>`
      : '',
  ];
}

/** A placement's course as a picture of its words. */
function viewLine(course: Course, withNames = false): TemplateResult {
  const { steps, words } = course;
  const tone = (isDone: boolean) => (isDone ? 'stretch is-done' : 'stretch');
  return html`<svg class="course" role="img" aria-label=${words} width="100%" height=${withNames ? 52 : 34}>
    ${viewStretch(places[0], places[1], tone(steps[1].state !== 'open'))}${viewDays(course, withNames)}
    ${viewStretch(places[2], places[3], tone(steps[3].state !== 'open'))}
    ${viewStretch(places[3], places[4], tone(steps[4].state === 'done'))}
    ${steps.map((step, index) => viewStep(step, index, withNames))}
  </svg>`;
}

const marks = { done: '✓', open: '○', bad: '✕' };

/** The course with the names of its steps, and the same in words, which a narrow window shows instead. */
export const viewCourse = (course: Course): TemplateResult => html`<figure class="course-figure">
  ${viewLine(course, true)}
  <ol class="plain steps">
    ${course.steps.map(
      ({ name, state, day }) =>
        html`<li class=${`is-${state}`}>${marks[state]} ${name} ${day && toDate(day)}</li>`,
    )}
  </ol>
  <figcaption>${course.words}</figcaption>
</figure>`;

/** `1 of 2 filled`, of an order. */
export function toOpeningsWords({ openings, openingsLeft }: PresentedRecord): string {
  return typeof openings === 'number' && typeof openingsLeft === 'number'
    ? `${openings - openingsLeft} of ${openings} filled`
    : '';
}

/** The first skills, and how many more there are. */
export function toFirstSkills({ skills = [] }: PresentedRecord): string[] {
  const all = skills as string[];
  return all.length > 6 ? [...all.slice(0, 6), `${all.length - 6} more`] : all;
}

/** The members of a record that a person looks for first. */
function toGlance(row: PresentedRecord): string {
  const { metro, billRateUsdHour: rate } = row as { metro?: string; billRateUsdHour?: number };
  const parts = [metro, rate && `${toDollars(rate)} an hour`, toOpeningsWords(row), ...toFirstSkills(row)];
  return parts.filter(Boolean).join(' · ');
}

/** A row of a list: what it is called, its status, and what matters most; a placement with its course. */
export function viewRow(kind: KindFacts, row: PresentedRecord, due?: { left: string; next: string }) {
  const course = isPlacement(row) ? toCourse(row, toDay()) : undefined;
  const glance = toGlance(row);
  return html`<li class="record-row">
    <p class="record-name"><a href=${`#${row.id}`} dir="auto" data-key=${row.id}>${toTitle(kind, row)}</a>
      ${viewStatus(row.status)}${due && html` <span class="chip is-offer">${due.left}</span>`}</p>
    ${course && viewLine(course)}${course && html`<p class="note">${course.words}</p>`}
    ${glance && html`<p class="note" dir="auto">${glance}</p>`}
    ${due && html`<p class="note"><a href=${`#${row.id}`}>${due.next}</a></p>`}
  </li>`;
}
