/** The lists: a page of candidates, job orders or placements as a table, with its filters and what is done with several. */
import { html, type TemplateResult } from 'lit-html';
import { formatAmount, formatCount, toSentenceCase } from '../../_scripts/format.ts';
import { viewSwitch } from '../board/board-switch.ts';
import { readList } from '../common/names.ts';
import { learnTitles } from '../common/occupations.ts';
import { button, viewLoaded, viewNote } from '../common/parts.ts';
import { hasFailed, load } from '../state/load.ts';
import type { KindFacts, ListPage } from '../state/model.ts';
import { isBoard, planAddress } from '../state/route.ts';
import { state } from '../state/state.ts';
import { changeList } from '../state/update.ts';
import { viewActiveFilters, viewFilterButton, viewFilters } from './filters.ts';
import { pageSize, parseTrail, pickFilters } from './list-query.ts';
import { listChosen, viewSeveral } from './several.ts';
import { countByStatus, viewStatusChips } from './status-chips.ts';
import { viewTable } from './table.ts';

/** Reads the page of the list that the address names. */
export async function loadList(): Promise<void> {
  const { view, kind, query } = state.route;
  if (view !== 'list' || isBoard(state.route) || !state.workspace) return;
  learnTitles();
  const cursor = parseTrail(query).at(-1);
  const { sort } = query;
  const paging = { limit: String(pageSize), ...(sort && { sort }), ...(cursor && { cursor }) };
  await load('list', async () => {
    const [page, counts] = await Promise.all([
      readList(kind, { ...pickFilters(query), ...paging }),
      countByStatus(kind, query),
    ]);
    return { ...page, counts };
  });
}

/** Formats which records of how many are shown: `51 to 100 of 300`. */
function formatSpan({ rows, total }: ListPage): string {
  const first = parseTrail(state.route.query).length * pageSize + 1;
  return `${formatCount(first)} to ${formatCount(first + rows.length - 1)} of ${formatCount(total)}`;
}

/** A button that stays where it is if it does nothing, so that it keeps the focus. */
const viewTurn = (words: string, trail: readonly string[] | undefined) =>
  html`<button type="button" class="button quiet" aria-disabled=${trail ? 'false' : 'true'}
    @click=${() => trail && changeList({ cursor: trail.join(',') })}>${words}</button>`;

/** Shows which part of the list this page is, and the ways to the other pages. */
function viewPager(list: ListPage): unknown {
  const trail = parseTrail(state.route.query);
  if (trail.length === 0 && !list.next) return '';
  const isFirst = trail.length === 0;
  return html`<nav class="pager" aria-label="Pages of the list">
    <span class="note">${formatSpan(list)}</span>
    ${viewTurn('First', isFirst ? undefined : [])}
    ${viewTurn('Previous', isFirst ? undefined : trail.slice(0, -1))}
    ${viewTurn('Next', list.next ? [...trail, list.next] : undefined)}
  </nav>`;
}

function explainEmptyList({ noun, plural }: KindFacts): string {
  return Object.keys(pickFilters(state.route.query)).length > 0
    ? `No ${noun} fits. Take a filter away to see more.`
    : `No ${plural} yet. An agent adds them, or you do in the console on the API page.`;
}

/** Formats how many records the list has, or how many the filters found. */
function formatTotal({ noun, plural }: KindFacts, { total }: ListPage): string {
  const amount = formatAmount(total, noun, plural);
  return Object.keys(pickFilters(state.route.query)).length > 0 ? `${amount} found.` : `${amount}.`;
}

function viewList(list: ListPage): unknown {
  const { kind } = state.route;
  const { rows } = list;
  // A search may have ended before the last page that the address names.
  const back = parseTrail(state.route.query).length > 0 ? button('First page', () => changeList({})) : '';
  if (rows.length === 0) return html`${viewNote(explainEmptyList(kind))} ${back}`;
  return html`${viewTable(kind, rows)} ${viewPager(list)}`;
}

/** Shows the filters and how much they found, or what can be done with the chosen records. */
function viewListHead(kind: KindFacts): TemplateResult {
  const { list } = state;
  const page = list && !hasFailed(list) ? list : undefined;
  const chosen = listChosen(page?.rows ?? []);
  const words = page ? formatTotal(kind, page) : '';
  const spoken =
    chosen.length > 0 ? `${chosen.length} selected` : page && page.rows.length > 0 ? formatSpan(page) : '';
  return html`<div class=${`list-head ${chosen.length > 0 ? 'has-chosen' : ''}`}>
    ${kind.name === 'placement' ? viewSwitch() : ''}
    ${kind.name === 'jobOrder' ? html`<a class="button quiet" href=${planAddress}>Fill all</a>` : ''}
    ${chosen.length > 0 ? viewSeveral(kind, chosen) : html`${viewStatusChips(kind, page)} ${viewFilterButton()} ${viewActiveFilters(kind)}`}
    <p class=${`note amount ${page?.counts ? 'unseen' : ''}`} role="status">${words} <span class="unseen">${spoken}</span></p>
  </div>`;
}

/** Shows the list that the address names: the filters, and a page of records. */
export function viewRecords(): TemplateResult {
  const { kind } = state.route;
  return html`<section aria-labelledby="records-name">
    <h2 class="unseen" id="records-name" tabindex="-1">${toSentenceCase(kind.plural)}</h2>
    ${viewListHead(kind)} ${viewFilters(kind)}
    <div data-place="list">${viewLoaded(state.list, loadList, viewList)}</div>
  </section>`;
}
