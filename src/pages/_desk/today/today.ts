/** Today: what needs a person, the most urgent first. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { loadCode } from '../../_scripts/api-client.ts';
import { dayFromNow, formatDateTime } from '../../_scripts/format.ts';
import { abbreviateName } from '../../_scripts/initials.ts';
import { isolate } from '../../_scripts/isolate.ts';
import { viewActivity } from '../activity/activity.ts';
import { endingDaysAhead } from '../common/ending.ts';
import { viewMenu } from '../common/menu.ts';
import { button, viewLoaded, viewNote, viewStatus } from '../common/parts.ts';
import { attempt } from '../common/toast.ts';
import { readProposers } from '../room/proposers.ts';
import { read } from '../state/client.ts';
import { hasFailed, load } from '../state/load.ts';
import { type ListPage, type PageRecord, sumRecords } from '../state/model.ts';
import { facts } from '../state/page-facts.ts';
import { planAddress } from '../state/route.ts';
import { state } from '../state/state.ts';
import { updateState } from '../state/update.ts';
import { daysAhead, listNeeds, listUnread, type Need, type NeedAction, type NeedsPages } from './needs.ts';
import { loadReview, turnReview, viewReview } from './proposals.ts';

/** The most needs that are shown before the person asks for all. */
const mostShown = 8;

/** Reads the newest records of a list that may need a person. */
async function readPage(path: string, collection: string, query: Record<string, string>): Promise<ListPage> {
  const search = new URLSearchParams({ ...query, limit: String(facts.maxLimit) });
  const { body } = await read(`${path}?${search}`);
  return { rows: (body[collection] ?? []) as PageRecord[], total: body.total ?? 0, next: body.nextCursor };
}

/** Reads what needs a person. */
export async function loadNeeds(): Promise<void> {
  if (state.route.view !== 'today' || !state.workspace) return;
  const dueBefore = dayFromNow(daysAhead + 1);
  await load('needs', async () => {
    const expiresBefore = dayFromNow(endingDaysAhead + 1);
    const [due, deciding, proposals, working, orders, ending, findProposer] = await Promise.all([
      readPage('/placements', 'placements', { validated: 'false', dueBefore }),
      readPage('/placements', 'placements', { status: 'interviewing,offered' }),
      readPage('/placements', 'placements', { status: 'proposed' }),
      readPage('/placements', 'placements', { status: 'scheduled,active' }),
      readPage('/job-orders', 'jobOrders', { status: 'open,filled' }),
      readPage('/candidates', 'candidates', { expiresBefore, fields: 'name,title,status' }),
      readProposers(),
    ]);
    const rows = proposals.rows.map((row) => ({ ...row, proposer: findProposer(row.createdAt)?.name }));
    const proposed = { ...proposals, rows };
    return { due, deciding, proposed, working, orders, ending };
  });
  await loadReview();
}

const actionWords: Record<NeedAction, string> = {
  state: 'State outcome',
  ask: 'Ask to confirm',
  restate: 'State it again',
  start: 'Give it a start',
  offer: 'Make offer',
  accept: 'Accept',
  review: 'Review',
  share: 'Share shortlist',
  open: 'Open',
};

/** Runs an action of a need. Its dialogs are loaded when the first is opened. */
const runAction = (run: (actions: typeof import('./need-actions.ts')) => Promise<void>) =>
  attempt(async () => run(await loadCode(() => import('./need-actions.ts'))));

/** Shows the button of a need. A screen reader also reads whom it is about. */
function viewAction(need: Need, tone: string): TemplateResult {
  const { action, name, id } = need;
  const words = html`${actionWords[action]}<span class="unseen">: ${isolate(name)}</span>`;
  if (action === 'review') {
    const isOpen = state.reviewed === id;
    const turn = () => attempt(() => turnReview(id));
    return html`<button type="button" class=${`button ${isOpen ? 'quiet' : tone}`} aria-expanded=${isOpen ? 'true' : 'false'}
      @click=${turn}>${isOpen ? 'Close' : words}</button>`;
  }
  if (action === 'open') return html`<a class=${`button ${tone}`} href=${`#${id}`}>${words}</a>`;
  return button(
    words,
    () => runAction(({ act }) => act(need, action as Exclude<NeedAction, 'open' | 'review'>)),
    tone,
  );
}

const viewMenuWords = ({ name }: Need) =>
  html`<span aria-hidden="true">⋯</span><span class="unseen">More for ${isolate(name)}</span>`;

/** Shows the other moves of a proposal. */
function viewOtherMoves(need: Need): TemplateResult | string {
  if (need.action === 'review') {
    const share = { words: actionWords.share, run: () => runAction(({ act }) => act(need, 'share')) };
    return viewMenu(viewMenuWords(need), [share]);
  }
  if (need.action !== 'offer' && need.action !== 'accept') return '';
  const accept = { words: 'Accept', run: () => runAction(({ moveTo }) => moveTo(need, 'scheduled')) };
  const decline = { words: 'Decline', run: () => runAction(({ moveTo }) => moveTo(need, 'declined')) };
  return viewMenu(viewMenuWords(need), need.action === 'offer' ? [accept, decline] : [decline]);
}

/** Shows a need. The button of the most urgent one stands out. */
function viewNeed(need: Need, index: number): TemplateResult {
  const { id, name, of, what, at, status } = need;
  return html`<li data-key=${id}>
    <bdi class="avatar small" aria-hidden="true">${abbreviateName(name)}</bdi>
    <div class="need">
      <p><a href=${`#${id}`}>${isolate(name)}</a> <span class="of">${isolate(of)}</span></p>
      <p class="note" title=${at === undefined ? nothing : formatDateTime(at)}>${what}</p>
    </div>
    ${viewStatus(status)}
    <p class="actions">${viewAction(need, index === 0 ? '' : 'quiet')}${viewOtherMoves(need)}</p>
    ${state.reviewed === id && need.action === 'review' ? viewReview() : ''}
  </li>`;
}

const noNeeds = `Nothing needs you now. Within ${daysAhead} days no outcome is due and no order with openings starts. No licence ends within ${endingDaysAhead} days. No proposal, interview or offer is open.`;

/** Says that a desk without any record is empty, and what can be done with it. */
const viewEmptyDesk =
  () => html`${viewNote('This workspace is empty. An agent that has its id fills it, or a file.')}
  <p class="actions"><a class="button quiet" href="/watch.html#play">Watch an agent</a></p>`;

const viewNoNeeds = () => (sumRecords(state.workspace!.records) === 0 ? viewEmptyDesk() : viewNote(noNeeds));

function viewNeeds(pages: NeedsPages): TemplateResult {
  const needs = listNeeds(pages, dayFromNow(), Date.now());
  const unread = listUnread(pages);
  const shown = state.showsAllNeeds ? needs : needs.slice(0, mostShown);
  const showAll = () => {
    updateState({ showsAllNeeds: true });
    document.querySelectorAll<HTMLElement>('.needs .need a')[mostShown]?.focus();
  };
  return html`${needs.length === 0 && unread.length === 0 ? viewNoNeeds() : ''}
    <ul class="plain">${repeat(shown, ({ id }) => id, viewNeed)}</ul>
    ${needs.length > shown.length ? html`<p class="more">${button(`Show all ${needs.length}`, showAll)}</p>` : ''}
    ${unread.map(viewNote)}`;
}

const findNeeds = () => (state.needs && !hasFailed(state.needs) ? state.needs : undefined);

const sumPeople = (needs: readonly Need[]) => needs.reduce((sum, { people }) => sum + people, 0);

function viewNeedsCard(): TemplateResult {
  const pages = findNeeds();
  const count = pages && sumPeople(listNeeds(pages, dayFromNow(), Date.now()));
  const hasOpenings = pages?.orders.rows.some(({ openingsLeft }) => Number(openingsLeft) > 0);
  return html`<section class="card needs" aria-labelledby="needs-name">
    <header><h2 id="needs-name" tabindex="-1">Needs you <span class="count">${count}</span></h2>
      ${hasOpenings ? html`<a class="button quiet" href=${planAddress}>Fill all</a>` : ''}</header>
    <div data-place="needs">${viewLoaded(state.needs, loadNeeds, viewNeeds)}</div>
  </section>`;
}

/** Shows where the parts will be while they are read. Nothing on the page moves when they come. */
const viewWaiting = (): TemplateResult => html`<div class="today" aria-busy="true">
  <p class="unseen">Reading …</p>
  <div class="card waiting"></div><div class="card waiting"></div>
</div>`;

/** Shows what needs a person, and beside it what was done. */
export function viewToday(): TemplateResult {
  const isRead = state.needs !== undefined && state.activity !== undefined;
  return html`<h2 class="unseen" id="today-name" tabindex="-1">Today</h2>
    ${isRead ? html`<div class="today">${viewNeedsCard()}${viewActivity()}</div>` : viewWaiting()}`;
}
