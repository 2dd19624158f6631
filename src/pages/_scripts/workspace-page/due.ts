import { el } from '../dom.ts';
import { addDays, type Course, nextWords, toCourse, toDueWords } from './course.ts';
import { onWorkspace, place, toKind, toToday } from './desk.ts';
import { redraw } from './dialog.ts';
import type { Placement } from './facts.ts';
import { readPage } from './read-page.ts';
import { learnReferred } from './referred.ts';
import { drawRow } from './row.ts';

/** Days that are looked ahead, rows that are read at most, and rows that are shown. */
const [ahead, mostRead, mostShown] = [7, 200, 8];

interface Due {
  placement: Placement;
  course: Course;
}

/** Placements whose outcome can be validated for a week at most, the most urgent first. */
async function readDue(): Promise<Due[]> {
  const today = toToday();
  const kind = toKind('placement');
  const query = { validated: 'false', dueBefore: addDays(today, ahead + 1), limit: String(mostRead) };
  const { rows } = await readPage(kind, query);
  const due = (rows as Placement[])
    .map((placement) => ({ placement, course: toCourse(placement, today) }))
    .filter(({ course: { daysLeft, next } }) => daysLeft !== undefined && next !== undefined)
    .toSorted((a, b) => a.course.daysLeft! - b.course.daysLeft!);
  await learnReferred(
    kind,
    due.slice(0, mostShown).map(({ placement }) => placement),
  );
  return due;
}

function drawDue({ placement, course }: Due): HTMLElement {
  const row = drawRow(toKind('placement'), placement, toDueWords(course.daysLeft!));
  row.append(
    el('p', { class: 'note due-next' }, el('a', { href: `#${placement.id}` }, nextWords[course.next!])),
  );
  return row;
}

async function draw(): Promise<void> {
  const list = place('due');
  try {
    const due = await readDue();
    const more =
      due.length > mostShown
        ? [
            el(
              'p',
              { class: 'note' },
              `And ${due.length - mostShown} more: filter placements by “Due before”.`,
            ),
          ]
        : [];
    const none = el('p', {}, 'Nothing is due in the next seven days.');
    redraw(
      list,
      due.length > 0 ? el('ul', { class: 'plain records' }, ...due.slice(0, mostShown).map(drawDue)) : none,
      ...more,
    );
  } catch (error) {
    redraw(list, el('p', { class: 'verdict is-blocked' }, (error as Error).message));
  }
}

/** What is due this week; drawn anew whenever what the workspace holds changes. */
export function attachDue(): void {
  onWorkspace((_, isNew) => (isNew ? draw() : undefined));
}
