/** The board: placements by stage, as cards that a person moves. */
import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { dayFromNow, formatAmount, formatCount, formatDay, toSentenceCase } from '../../_scripts/format.ts';
import { isolate, isolateEach } from '../../_scripts/isolate.ts';
import { ageOf } from '../common/age.ts';
import { describeCourse } from '../common/course.ts';
import { viewMenu } from '../common/menu.ts';
import { readList } from '../common/names.ts';
import { viewLoaded } from '../common/parts.ts';
import { openRecord } from '../record/change.ts';
import { listMoves, toMenu } from '../record/moves.ts';
import { load } from '../state/load.ts';
import { type Board, type BoardStage, isPlacement, type KindFacts, type PageRecord } from '../state/model.ts';
import { findKind } from '../state/page-facts.ts';
import { formatHash, isBoard } from '../state/route.ts';
import { state } from '../state/state.ts';
import { viewSwitch } from './board-switch.ts';

/** The stages of the board, in the order in which a placement goes through them. */
const stages = ['proposed', 'interviewing', 'offered', 'scheduled', 'active'];
/** The statuses of placements that are over. The board only counts them. */
const ends = ['completed', 'ended-early', 'declined'];
/** The cards of a stage at most. */
const mostCards = 30;

async function readBoard(kind: KindFacts): Promise<Board> {
  const readStage = async (status: string) => {
    const page = await readList(kind, { status, sort: '-updatedAt', limit: String(mostCards) });
    return { status, ...page };
  };
  const countEnded = async (status: string) => {
    const { total } = await readList(kind, { status, limit: '1' });
    return { status, total };
  };
  const [open, ended] = await Promise.all([
    Promise.all(stages.map(readStage)),
    Promise.all(ends.map(countEnded)),
  ]);
  return { stages: open, ended };
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

/** Says what matters next: the start, or the day of the guarantee. */
function describeNext(row: PageRecord): string {
  if (!isPlacement(row)) {
    const { startDate } = row as { startDate?: string };
    return startDate ? `Starts ${formatDay(startDate)}` : '';
  }
  const { day } = describeCourse(row, dayFromNow());
  if (day === undefined) return row.startDate ? `Starts ${formatDay(row.startDate)}` : 'No start is known';
  return `Day ${day} of ${row.guaranteeDays}`;
}

/** Makes a move, and lets the focus follow the card to its new stage. */
function viewCardMenu(kind: KindFacts, row: PageRecord): TemplateResult {
  const name = (row as Named).candidateName ?? row.id;
  const items = toMenu(listMoves(kind, row), () => openRecord(kind, row.id)).map(
    ({ words, run, ...item }) => ({
      ...item,
      words,
      async run() {
        await run();
        document.querySelector<HTMLElement>(`.board [data-key="${row.id}"]`)?.focus();
      },
    }),
  );
  return viewMenu(html`Move<span class="unseen"> ${isolate(name)}</span>`, items);
}

function viewCard(kind: KindFacts, row: PageRecord): TemplateResult {
  const { candidateName, client, title } = row as Named;
  const job = [title, client].filter((part): part is string => Boolean(part));
  const moved = row.transitions?.at(-1)?.at ?? row.createdAt;
  return html`<li class=${`card slip stage-${row.status}`}>
    <p class="record-name"><a href=${`#${row.id}`} data-key=${row.id}>${isolate(candidateName ?? 'A candidate who is gone')}</a></p>
    <p class="note">${job.length > 0 ? isolateEach(job, ', ') : 'A job order that is gone'}</p>
    <p class="note foot"><span>${describeNext(row)}</span> ${moved ? ageOf(moved) : ''}</p>
    ${row.example ? '' : viewCardMenu(kind, row)}
  </li>`;
}

function viewStage(kind: KindFacts, { status, rows, total }: BoardStage): TemplateResult {
  const id = `stage-${status}`;
  const all = formatHash(kind, { status });
  return html`<section aria-labelledby=${id}>
    <h3 id=${id} tabindex="-1">${toSentenceCase(status)} <span class="count">${formatCount(total)}</span></h3>
    <ul class="plain">${repeat(
      rows,
      ({ id }) => id,
      (row) => viewCard(kind, row),
    )}</ul>
    ${total > rows.length ? html`<p class="note"><a href=${all}>All ${formatCount(total)} in the table</a></p>` : ''}
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

function viewStages(kind: KindFacts, { stages: columns, ended }: Board): TemplateResult {
  const total = columns.reduce((sum, stage) => sum + stage.total, 0);
  return html`<p class="unseen" role="status">${formatAmount(total, kind.noun, kind.plural)} on the board.</p>
    <div class="board">${columns.map((stage) => viewStage(kind, stage))}</div>
    ${viewEnded(kind, ended)}`;
}

/** Shows the placements by stage. */
export function viewBoard(): TemplateResult {
  const kind = findKind('placement');
  return html`<section aria-labelledby="records-name">
    <h2 class="unseen" id="records-name" tabindex="-1">${toSentenceCase(kind.plural)}</h2>
    ${viewSwitch()} ${viewLoaded(state.board, loadBoard, (board) => viewStages(kind, board))}
  </section>`;
}
