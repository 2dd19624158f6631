import { html, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import type { FormField } from '../contract.ts';
import { toAmount, toCount, toSentence } from '../format.ts';
import { button, viewFailed } from './dialog.ts';
import type { KindFacts, ListPage } from './model.ts';
import { learnTitles } from './occupations.ts';
import { toSpan } from './record-row.ts';
import { viewTable } from './record-table.ts';
import { facts, failed, hasFailed, kindOfId, readList, state, toHash, update } from './store.ts';

/** Records on a page, and those that are sorted at most. */
const [pageSize, mostSorted] = [20, 200];
/** The cursors that pages of this list began with, by number: the address has that of its own page. */
let cursors: string[] = [];
/** Which read is the latest: what an earlier one answers is not shown. */
let latest = 0;

/** Reads the list that the address asks for. */
export async function loadList(): Promise<void> {
  const { id, kind, query } = state.route;
  if (id !== undefined || !state.workspace) return;
  latest += 1;
  const mine = latest;
  learnTitles();
  const { page: _, sort, ...filters } = query;
  try {
    const list = await readList(kind, { ...filters, limit: String(sort ? mostSorted : pageSize) });
    if (mine === latest) update({ list });
  } catch (error) {
    if (mine === latest) update({ list: failed(error) });
  }
}

/** Has the address ask for another list. */
const show = (kind: KindFacts, query: Record<string, string> = {}) => {
  location.hash = toHash(kind, query);
};

/** Turns to another page of the list. */
function turn(by: 1 | -1, cursor = ''): void {
  const { kind, query } = state.route;
  const page = Number(query.page ?? 1);
  cursors[page] = query.cursor ?? '';
  const before = cursors[page - 1];
  if (by === 1) show(kind, { ...query, page: String(page + 1), cursor });
  else if (before) show(kind, { ...query, page: String(page - 1), cursor: before });
  else show(kind, { ...query, page: '', cursor: '' });
}

function viewTab(kind: KindFacts): TemplateResult {
  const isOn = kind === state.route.kind;
  const count = toCount(state.workspace?.records[kind.collection] ?? 0);
  const open = () => {
    cursors = [];
    show(kind);
  };
  return html`<button type="button" class=${`button ${isOn ? 'on' : 'quiet'}`} aria-pressed=${isOn} @click=${open}
    >${toSentence(kind.plural)} ${count}</button>`;
}

function viewFilter({ name, title, type, choices, hint }: FormField): TemplateResult {
  const { kind, query } = state.route;
  const id = `filter-${name}`;
  const { [name]: value = '' } = query;
  const change = ({ target }: Event) => {
    cursors = [];
    const given = (target as HTMLInputElement).value.trim();
    show(kind, { ...query, [name]: given, page: '', cursor: '' });
  };
  const option = (one: string) =>
    html`<option value=${one} ?selected=${one === value}>${one.replaceAll('-', ' ') || 'Any'}</option>`;
  const control = choices
    ? html`<select id=${id} @change=${change}>${['', ...choices].map(option)}</select>`
    : html`<input id=${id} type=${type === 'date' ? 'date' : 'text'} .value=${value} title=${hint}
        autocomplete="off" maxlength="200" @change=${change} />`;
  return html`<div><label for=${id}>${title}</label>${control}</div>`;
}

function viewFilters(kind: KindFacts): TemplateResult {
  const status = { name: 'status', title: 'Status', hint: '', type: 'choice', required: false } as const;
  const fields = [{ ...status, choices: kind.statuses }, ...kind.filters.filter(({ name }) => name !== 'q')];
  return html`<div class="filters">${keyed(kind, fields.map(viewFilter))}</div>`;
}

function viewPager(kind: KindFacts, { rows, total, next }: ListPage): TemplateResult {
  const { page: number, sort, q } = state.route.query;
  const page = Number(number ?? 1);
  const span = toSpan((page - 1) * pageSize + 1, rows.length, total);
  const sorted = `The newest ${toCount(rows.length)} of ${toCount(total)} are sorted: search or filter for fewer.`;
  const words = sort ? sorted : `${span} ${kind.plural}, the newest first`;
  return html`<p class="actions pager">
    ${!sort && page > 1 ? button('Newer', () => turn(-1)) : ''}${!sort && next ? button('Older', () => turn(1, next)) : ''}
    ${q ? button('Show all again', () => show(kind, { ...state.route.query, q: '', page: '', cursor: '' })) : ''}
    <span class="note">${total > rows.length ? words : ''}</span>
  </p>`;
}

function toNoneWords({ noun, plural }: KindFacts): string {
  const { page: _, cursor: __, sort: ___, ...filters } = state.route.query;
  return Object.keys(filters).length > 0
    ? `No ${noun} fits. Take a filter away to see more.`
    : `No ${plural} yet. An agent adds them, or you do: below, or in the console on the API page.`;
}

function viewList(kind: KindFacts): unknown {
  const { list, route } = state;
  if (list === undefined) return '';
  if (hasFailed(list)) return viewFailed(list.failed, loadList);
  const { q, sort } = route.query;
  const toSort = (name: string) => show(kind, { ...route.query, sort: name, page: '', cursor: '' });
  const found = `${toAmount(list.total, kind.noun, kind.plural)} found.`;
  return html`<p class="note" role="status">${q ? found : ''}</p>
    ${list.rows.length > 0 ? viewTable(kind, list.rows, sort, toSort) : html`<p class="note">${toNoneWords(kind)}</p>`}
    ${viewPager(kind, list)}`;
}

/** The kind that is searched for words: placements have none of their own, but those of people. */
const toSearched = (kind: KindFacts) =>
  kind.filters.some(({ name }) => name === 'q') ? kind : facts.kinds[0]!;

function submitSearch(event: SubmitEvent): void {
  event.preventDefault();
  const { kind, query } = state.route;
  const q = (event.currentTarget as HTMLFormElement).querySelector('input')!.value.trim();
  if (kindOfId(q)) location.hash = q;
  else if (toSearched(kind) === kind) show(kind, { ...query, q, page: '', cursor: '' });
  else show(toSearched(kind), { q });
}

/** The records of a kind: its tab, its search, its filters, and a page of them. */
export function viewRecords(): TemplateResult {
  const { kind, query } = state.route;
  return html`<section class="part" aria-labelledby="records-name">
    <div><h2 id="records-name" tabindex="-1">Records</h2></div>
    <div class="body">
      <div class="actions" role="group" aria-label="Kinds">${facts.kinds.map(viewTab)}</div>
      <form class="searching" role="search" aria-label="Records" @submit=${submitSearch}>
        <label for="look">Search ${toSearched(kind).plural} by name, skill, or id</label>
        <div><input id="look" type="search" .value=${query.q ?? ''} autocomplete="off" spellcheck="false"
          maxlength="200" dir="auto" /><button type="submit" class="button quiet">Search</button></div>
      </form>
      <details><summary>Filters</summary>${viewFilters(kind)}</details>
      <div data-place="list">${viewList(kind)}</div>
    </div>
  </section>`;
}
