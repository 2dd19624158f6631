/** The board: placements by stage, as cards that a person moves. */
import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { dayFromNow, formatAmount, formatCount, formatDay, toSentenceCase } from '../../_scripts/format.ts';
import { isolate, isolateEach } from '../../_scripts/isolate.ts';
import { momentOf } from '../common/age.ts';
import { describeCourse, describeGuarantee } from '../common/course.ts';
import { type MenuItem, viewMenu } from '../common/menu.ts';
import { readList } from '../common/names.ts';
import { viewLoaded } from '../common/parts.ts';
import { openRecord } from '../record/change.ts';
import { listMoves, type PossibleMove, toMenu } from '../record/moves.ts';
import { hasFailed, load } from '../state/load.ts';
import { type Board, type BoardStage, isPlacement, type KindFacts, type PageRecord } from '../state/model.ts';
import { findKind } from '../state/page-facts.ts';
import { formatHash, isBoard } from '../state/route.ts';
import { state } from '../state/state.ts';
import { viewSwitch } from './board-switch.ts';

/** The stages of the board, in the order in which a placement goes through them. */
const stages = ['proposed', 'interviewing', 'offered', 'scheduled', 'active'];
/** The statuses of placements that are over. The board has one column for them. */
const ends = ['completed', 'ended-early', 'declined'];
const over = 'over';
/** The cards of a stage at most, and of those that are over. */
const mostCards = 30;
const mostOver = 8;

async function readBoard(kind: KindFacts): Promise<Board> {
  const readStage = async (status: string) => {
    const page = await readList(kind, { status, sort: '-updatedAt', limit: String(mostCards) });
    return { status, ...page };
  };
  const countEnded = async (status: string) => {
    const { total } = await readList(kind, { status, limit: '1' });
    return { status, total };
  };
  const readOver = async () => {
    const query = { status: ends.join(','), sort: '-updatedAt', limit: String(mostOver) };
    return { status: over, ...(await readList(kind, query)) };
  };
  const [open, ended, overStage] = await Promise.all([
    Promise.all(stages.map(readStage)),
    Promise.all(ends.map(countEnded)),
    readOver(),
  ]);
  return { stages: open, ended, over: overStage };
}

/** Reads the stages, if the address names the board. */
export async function loadBoard(): Promise<void> {
  if (isBoard(state.route) && state.workspace) await load('board', () => readBoard(findKind('placement')));
}

/** The members of a placement that come from its candidate and its order. Null if those are gone. */
interface Named {
  candidateName?: string | null;
  client?: string | null;
  title?: string | null;
}

/** Says what matters next: the start, or the day of the guarantee. Of a placement that is over it says how it ended. */
function describeNext(row: PageRecord): string {
  if (ends.includes(row.status)) return toSentenceCase(row.status.replaceAll('-', ' '));
  if (!isPlacement(row)) {
    const { startDate } = row as { startDate?: string };
    return startDate ? `Starts ${formatDay(startDate)}` : '';
  }
  const { day } = describeCourse(row, dayFromNow());
  if (day === undefined) return row.startDate ? `Starts ${formatDay(row.startDate)}` : 'No start is known';
  return describeGuarantee(day, row.guaranteeDays);
}

/** Returns moves as items of a menu. The focus follows the card to its new stage. */
function listItems(kind: KindFacts, row: PageRecord, moves: readonly PossibleMove[]): MenuItem[] {
  return toMenu(moves, () => openRecord(kind, row.id)).map(({ run, ...item }) => ({
    ...item,
    async run() {
      await run();
      document.querySelector<HTMLElement>(`.board [data-key="${row.id}"]`)?.focus();
    },
  }));
}

function viewCardMenu(kind: KindFacts, row: PageRecord): TemplateResult {
  const name = (row as Named).candidateName ?? row.id;
  return viewMenu(
    html`Move<span class="unseen"> ${isolate(name)}</span>`,
    listItems(kind, row, listMoves(kind, row)),
  );
}

const draggedClass = 'is-dragged';

function startDrag(event: DragEvent, row: PageRecord): void {
  (event.currentTarget as Element).classList.add(draggedClass);
  event.dataTransfer!.effectAllowed = 'move';
  event.dataTransfer!.setData('text/plain', row.id);
}

const endDrag = ({ currentTarget }: Event) => (currentTarget as Element).classList.remove(draggedClass);

/** Returns the row of the card that is dragged. */
function findDragged(): PageRecord | undefined {
  const { board } = state;
  const id = document.querySelector<HTMLElement>(`.board .${draggedClass} [data-key]`)?.dataset.key;
  if (!board || hasFailed(board)) return undefined;
  return [...board.stages, board.over].flatMap(({ rows }) => rows).find((row) => row.id === id);
}

/** Returns the move that brings the dragged card to a column, if there is one. */
function findDrop(kind: KindFacts, column: string): { row: PageRecord; move: PossibleMove } | undefined {
  const row = findDragged();
  if (!row || ends.includes(row.status)) return undefined;
  const ending = ({ to }: PossibleMove) => to === 'declined' || to === undefined;
  const move = listMoves(kind, row).find((one) => (column === over ? ending(one) : one.to === column));
  return move && { row, move };
}

function allowDrop(event: DragEvent, kind: KindFacts, column: string): void {
  if (findDrop(kind, column)) event.preventDefault();
}

/** Makes the move of a dropped card, as the menu of the card does. */
function drop(event: DragEvent, kind: KindFacts, column: string): void {
  const dropped = findDrop(kind, column);
  if (!dropped) return;
  event.preventDefault();
  listItems(kind, dropped.row, [dropped.move])[0]!.run();
}

function viewCard(kind: KindFacts, row: PageRecord): TemplateResult {
  const { candidateName, client, title } = row as Named;
  const job = [title, client].filter((part): part is string => Boolean(part));
  const movedAt = row.transitions?.at(-1)?.at;
  const changedAt = movedAt ?? row.createdAt;
  const next = describeNext(row);
  return html`<li class=${`card slip stage-${row.status}`} draggable=${row.example ? 'false' : 'true'}
    @dragstart=${(event: DragEvent) => startDrag(event, row)} @dragend=${endDrag}>
    <p class="record-name"><a href=${`#${row.id}`} data-key=${row.id}>${isolate(candidateName ?? 'A candidate who is gone')}</a></p>
    <p class="note">${job.length > 0 ? isolateEach(job, ', ') : 'A job order that is gone'}</p>
    <p class="note foot">${next ? html`<span>${next}</span>` : ''}${
      changedAt ? html`<span>since ${momentOf(changedAt)}</span>` : ''
    }</p>
    ${row.example ? '' : viewCardMenu(kind, row)}
  </li>`;
}

function viewStage(kind: KindFacts, { status, rows, total }: BoardStage, foot: unknown = ''): TemplateResult {
  const id = `stage-${status}`;
  const all = formatHash(kind, { status: status === over ? ends.join(',') : status });
  return html`<section aria-labelledby=${id} @dragover=${(event: DragEvent) => allowDrop(event, kind, status)}
    @drop=${(event: DragEvent) => drop(event, kind, status)}>
    <h3 id=${id} tabindex="-1">${toSentenceCase(status)} <span class="count">${formatCount(total)}</span></h3>
    <ul class="plain">${repeat(
      rows,
      ({ id }) => id,
      (row) => viewCard(kind, row),
    )}</ul>
    ${total > rows.length ? html`<p class="note"><a href=${all}>All ${formatCount(total)} in the table</a></p>` : ''}${foot}
  </section>`;
}

/** Links to the placements that are over, with how many there are. */
function viewEnded(kind: KindFacts, ended: Board['ended']): unknown {
  const shown = ended.filter(({ total }) => total > 0);
  if (shown.length === 0) return '';
  return html`<p class="note">${shown.map(
    ({ status, total }, index) =>
      html`${index > 0 ? ', ' : ''}<a href=${formatHash(kind, { status })}>${formatCount(total)} ${status.replaceAll('-', ' ')}</a>`,
  )}</p>`;
}

function viewStages(kind: KindFacts, { stages: columns, ended, over: overStage }: Board): TemplateResult {
  const total = columns.reduce((sum, stage) => sum + stage.total, 0);
  return html`<p class="unseen" role="status">${formatAmount(total, kind.noun, kind.plural)} on the board.</p>
    <div class="board">${columns.map((stage) => viewStage(kind, stage))}
      ${viewStage(kind, overStage, viewEnded(kind, ended))}</div>`;
}

/** Shows the placements by stage. */
export function viewBoard(): TemplateResult {
  const kind = findKind('placement');
  return html`<section aria-labelledby="records-name">
    <h2 class="unseen" id="records-name" tabindex="-1">${toSentenceCase(kind.plural)}</h2>
    ${viewSwitch()} ${viewLoaded(state.board, loadBoard, (board) => viewStages(kind, board))}
  </section>`;
}
