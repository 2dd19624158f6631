import { el } from '../dom.ts';
import { drawActions } from './actions.ts';
import { Refused, read } from './ask.ts';
import type { Shown } from './change.ts';
import { toCourse } from './course.ts';
import { drawCourseFigure } from './course-picture.ts';
import { kindOfId, learnNames, onWorkspace, place, toToday } from './desk.ts';
import { dialogLeft, redraw } from './dialog.ts';
import type { Row } from './facts.ts';
import { drawHistory } from './history.ts';
import { drawHolders } from './holders.ts';
import { drawMatches } from './matches.ts';
import { drawMembers } from './members.ts';
import { drawOutcome } from './outcome.ts';
import { learnReferred } from './referred.ts';
import { drawStatus, isPlacement, toRowTitle } from './row.ts';

/** The record that is shown, and what it was drawn from. */
let shown: Shown | undefined;
let drawnFrom = '';

/** Whether the person is in the middle of something that drawing anew would undo. */
const isBusy = () => document.querySelector('dialog[open]') !== null;

function drawHead({ kind, row }: Shown): HTMLElement[] {
  const back = el('a', { href: '#records' }, `All ${kind.plural}`);
  return [
    el('p', { class: 'crumb' }, back, ` / ${kind.noun}`),
    el('h2', { id: 'record-name', tabindex: -1, dir: 'auto' }, toRowTitle(kind, row)),
    el(
      'p',
      {},
      drawStatus(row.status),
      ' ',
      el('span', { class: 'code-text' }, row.ref ? `${row.id} · ${row.ref}` : row.id),
    ),
  ];
}

/** Draws the record whole. `announce` has the focus begin with its name. */
function draw(now: Shown, announce: boolean, holders?: HTMLElement): void {
  shown = now;
  drawnFrom = JSON.stringify(now.row);
  const { row } = now;
  const course = isPlacement(row) ? toCourse(row, toToday()) : undefined;
  redraw(
    place('record'),
    ...drawHead(now),
    el(
      'div',
      { class: 'record-columns' },
      el(
        'div',
        {},
        course ? drawCourseFigure(course) : '',
        drawActions(now),
        isPlacement(row) ? drawOutcome(now) : '',
        drawMembers(now),
        holders ?? '',
        isPlacement(row) ? '' : drawMatches(now),
      ),
      el('div', {}, drawHistory(row)),
    ),
  );
  if (announce) document.getElementById('record-name')?.focus();
}

function drawMissing(id: string, words: string): void {
  shown = undefined;
  drawnFrom = '';
  redraw(
    place('record'),
    el('p', { class: 'crumb' }, el('a', { href: '#records' }, 'All records')),
    el('h2', { id: 'record-name', tabindex: -1 }, 'Not here'),
    el('p', { class: 'verdict is-blocked', role: 'alert' }, words),
    el('p', { class: 'note mono' }, id),
  );
}

/** Reads the record of an id and shows it; one read, and none where it has not changed. */
async function show(id: string, announce: boolean): Promise<void> {
  const kind = kindOfId(id);
  if (!kind) return;
  try {
    const { body, status, tag } = await read(`${kind.path}/${id}`, { orNothing: true });
    const row = body[kind.name] as Row | undefined;
    if (toAsked() !== id) return;
    if (!row || status === 404)
      return drawMissing(
        id,
        `This ${kind.noun} is not in the workspace: it was erased, or is of another one.`,
      );
    learnNames([row]);
    await learnReferred(kind, [row]);
    const next = { kind, row, tag };
    if (!announce && JSON.stringify(row) === drawnFrom) return;
    const holders = await drawHolders(next);
    if (toAsked() === id) draw(next, announce, holders);
  } catch (error) {
    if (error instanceof Refused && shown?.row.id === id) return;
    drawMissing(id, (error as Error).message);
  }
}

const toAsked = () => location.hash.slice(1);

/** Shows what the address asks for: a record, or all of them. */
function follow(announce: boolean): Promise<void> | undefined {
  const id = toAsked();
  const isRecord = kindOfId(id) !== undefined;
  const wasRecord = !place('record-part').hidden;
  place('record-part').hidden = !isRecord;
  place('rest').hidden = isRecord;
  if (!isRecord) {
    const before = shown?.row.id;
    [shown, drawnFrom] = [undefined, ''];
    if (announce && wasRecord) {
      const row = before && place('rest').querySelector<HTMLElement>(`[data-key="${before}"]`);
      (row || document.getElementById('records-name'))?.focus();
    }
    return undefined;
  }
  return show(id, announce);
}

/** Shows the record that the address names, and reads it again when the workspace changes. */
export function attachRecord(): void {
  addEventListener('hashchange', () => follow(true));
  document.addEventListener(dialogLeft, () => shown && !isBusy() && follow(false));
  onWorkspace((_, isNew) => {
    if (!isNew || (shown && isBusy())) return undefined;
    return follow(shown === undefined);
  });
}
