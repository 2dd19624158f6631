import { el } from '../dom.ts';
import { type Course, courseDays, type Step } from './course.ts';
import { svg } from './svg.ts';

/** Where each step stands, in hundredths of the width: between the second and the third run the days. */
const places = [3, 17, 63, 80, 97];
const middle = 20;

function drawStep({ name, state }: Step, index: number, withNames: boolean): SVGElement[] {
  const x = `${places[index]}%`;
  const marks = [svg('circle', { class: `step is-${state}`, cx: x, cy: middle, r: 7 })];
  if (withNames) {
    const anchor = index === 0 ? 'start' : index === places.length - 1 ? 'end' : 'middle';
    const at = index === 0 ? '0%' : index === places.length - 1 ? '100%' : x;
    marks.push(svg('text', { class: `step-name is-${state}`, x: at, y: 46, 'text-anchor': anchor }, name));
  }
  return marks;
}

function drawStretch(from: number, to: number, isDone: boolean): SVGElement {
  const ends = { x1: `${from}%`, x2: `${to}%`, y1: middle, y2: middle };
  return svg('line', { class: isDone ? 'stretch is-done' : 'stretch', ...ends });
}

/** The 90 days: a track that is filled up to today, with a mark each 30 days. */
function drawDays({ part, day }: Course, withNames: boolean): SVGElement[] {
  const [from, to] = [places[1]!, places[2]!];
  const at = (share: number) => from + (to - from) * share;
  const marks = [1 / 3, 2 / 3].map((share) =>
    svg('line', { class: 'tick', x1: `${at(share)}%`, x2: `${at(share)}%`, y1: middle - 5, y2: middle + 5 }),
  );
  const drawn = [drawStretch(from, to, false), drawStretch(from, at(part), true), ...marks];
  if (day !== undefined && day <= courseDays) {
    drawn.push(svg('circle', { class: 'today', cx: `${at(part)}%`, cy: middle, r: 4 }));
    if (withNames) {
      const words = `day ${day} of ${courseDays}`;
      drawn.push(svg('text', { class: 'step-day', x: `${at(0.5)}%`, y: 46, 'text-anchor': 'middle' }, words));
    }
  }
  return drawn;
}

/** A placement's line, as a picture of what is said beside it in words. */
export function drawCourse(course: Course, { withNames = false } = {}): SVGElement {
  const { steps, words } = course;
  const stretches = [
    drawStretch(places[0]!, places[1]!, steps[1].state !== 'open'),
    ...drawDays(course, withNames),
    drawStretch(places[2]!, places[3]!, steps[3].state !== 'open'),
    drawStretch(places[3]!, places[4]!, steps[4].state === 'done'),
  ];
  const points = steps.flatMap((step, index) => drawStep(step, index, withNames));
  const size = { width: '100%', height: withNames ? 52 : 34 };
  return svg('svg', { class: 'course', role: 'img', 'aria-label': words, ...size }, ...stretches, ...points);
}

const marks = { done: '✓', open: '○', bad: '✕' };

/** The line with the names of its steps, and the same in words: beside it where it is narrow, and below it. */
export function drawCourseFigure(course: Course): HTMLElement {
  const steps = course.steps.map(({ name, state, day }) =>
    el('li', { class: `is-${state}` }, `${marks[state]} ${name}${day ? ` ${day}` : ''}`),
  );
  return el(
    'figure',
    { class: 'course-figure' },
    drawCourse(course, { withNames: true }),
    el('ol', { class: 'plain steps' }, ...steps),
    el('figcaption', {}, course.words),
  );
}
