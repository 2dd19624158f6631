import { html, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import type { FormField } from '../contract.ts';
import { toCount, toSentence } from '../format.ts';
import { button } from './dialog.ts';
import type { KindFacts, ListPage } from './model.ts';
import { learnTitles } from './occupations.ts';
import { toSpan, viewRows } from './record-row.ts';
import { facts, failed, hasFailed, kindOfId, readList, state, toHash, toTitle, update } from './store.ts';

/** Records on a page, those that a search reads at once, and those that it shows at most. */
const [pageSize, atOnce, mostHits] = [20, 200, 20];
/** The cursors that pages of this list began with, by number: the address has that of its own page. */
let cursors: string[] = [];
/** Which read is the latest: what an earlier one answers is not shown. */
let latest = 0;

const toPlain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Searches the records of a kind for words, newest first, a page at a time. */
async function search(
  kind: KindFacts,
  text: string,
  filters: Record<string, string>,
  isLatest: () => boolean,
) {
  const words = toPlain(text).split(/\s+/);
  const found: ListPage = { rows: [], total: 0, next: undefined };
  let [cursor, looked] = ['' as string | undefined, 0];
  update({ list: found, search: 'Searching …' });
  while (cursor !== undefined && found.rows.length < mostHits) {
    const page = await readList(kind, { limit: String(atOnce), ...filters, ...(cursor && { cursor }) });
    if (!isLatest()) return;
    const hits = page.rows.filter((row) => {
      const { links: _, transitions: __, ...rest } = row;
      const all = toPlain(`${toTitle(kind, row)} ${Object.values(rest).flat().join(' ')}`);
      return words.every((word) => all.includes(word));
    });
    found.rows.push(...hits.slice(0, mostHits - found.rows.length));
    [cursor, looked] = [page.next, looked + page.rows.length];
    const count = toCount(found.rows.length);
    const searched = `${toCount(looked)} of ${toCount(page.total)} ${kind.plural} searched`;
    update({
      search: cursor === undefined ? `${count} found; ${searched}.` : `${count} found so far; ${searched} …`,
    });
  }
  if (found.rows.length >= mostHits)
    update({ search: `The newest ${mostHits} that fit. Add words to find others.` });
}

/** Reads the list that the address asks for. */
export async function loadList(): Promise<void> {
  const { id, kind, query } = state.route;
  if (id !== undefined || !state.workspace) return;
  latest += 1;
  const mine = latest;
  learnTitles();
  const { q, page: _, cursor, ...filters } = query;
  try {
    if (q) return await search(kind, q, filters, () => mine === latest);
    const list = await readList(kind, { limit: String(pageSize), ...filters, ...(cursor && { cursor }) });
    if (mine === latest) update({ list, search: '' });
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
  const fields = [{ ...status, choices: kind.statuses }, ...kind.filters];
  return html`<div class="filters">${keyed(kind, fields.map(viewFilter))}</div>`;
}

function viewPager(kind: KindFacts, { rows, total, next }: ListPage): TemplateResult {
  const page = Number(state.route.query.page ?? 1);
  const span = toSpan((page - 1) * pageSize + 1, rows.length, total);
  return html`<p class="actions pager">
    ${page > 1 ? button('Newer', () => turn(-1)) : ''}${next ? button('Older', () => turn(1, next)) : ''}
    <span class="note">${total > rows.length ? `${span} ${kind.plural}, the newest first` : ''}</span>
  </p>`;
}

function toNoneWords({ noun, plural }: KindFacts): string {
  const { page: _, cursor: __, ...filters } = state.route.query;
  return Object.keys(filters).length > 0
    ? `No ${noun} fits. Take a filter away to see more.`
    : `No ${plural} yet. An agent adds them, or you do: below, or in the console on the API page.`;
}

function viewList(kind: KindFacts): unknown {
  const { list, search: words, route } = state;
  if (list === undefined) return '';
  if (hasFailed(list)) return html`<p class="verdict is-blocked" role="alert">${list.failed}</p>`;
  const rows = list.rows.length > 0 ? viewRows(kind, list.rows) : '';
  if (!route.query.q)
    return html`${rows || html`<p class="note">${toNoneWords(kind)}</p>`}${viewPager(kind, list)}`;
  return html`<p class="note" role="status">${words}</p>${rows}
    <p class="actions">${button('Show all again', () => show(kind, { ...route.query, q: '' }))}</p>`;
}

function submitSearch(event: SubmitEvent): void {
  event.preventDefault();
  const { kind, query } = state.route;
  const q = (event.currentTarget as HTMLFormElement).querySelector('input')!.value.trim();
  if (kindOfId(q)) location.hash = q;
  else show(kind, { ...query, q, page: '', cursor: '' });
}

/** The records of a kind: its tab, its search, its filters, and a page of them. */
export function viewRecords(): TemplateResult {
  const { kind, query } = state.route;
  return html`<section class="part" aria-labelledby="records-name">
    <div><h2 id="records-name" tabindex="-1">Records</h2></div>
    <div class="body">
      <div class="actions" role="group" aria-label="Kinds">${facts.kinds.map(viewTab)}</div>
      <form class="searching" role="search" aria-label="Records" @submit=${submitSearch}>
        <label for="look">Search by name, skill, or id</label>
        <div><input id="look" type="search" .value=${query.q ?? ''} autocomplete="off" spellcheck="false"
          maxlength="200" dir="auto" /><button type="submit" class="button quiet">Search</button></div>
      </form>
      <details><summary>Filters</summary>${viewFilters(kind)}</details>
      <div data-place="list">${viewList(kind)}</div>
    </div>
  </section>`;
}
