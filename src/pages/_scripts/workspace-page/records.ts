import { html, nothing, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import type { FormField } from '../contract.ts';
import { timeOf } from '../dom.ts';
import { dayFromNow, formatAmount, formatCount, formatDate, toSentenceCase } from '../format.ts';
import { isolateEach } from '../isolate.ts';
import { describeCourse } from './course.ts';
import { button, viewLoaded } from './dialog.ts';
import { isPlacement, type KindFacts, type ListPage, type PageRecord } from './model.ts';
import {
  codeOf,
  formatTitle,
  learnTitles,
  occupationOf,
  occupationTitles,
  readList,
  viewTitle,
} from './names.ts';
import { describeOpenings, listFirstSkills, viewNote, viewStatus } from './parts.ts';
import { facts, formatHash, kindOfId, load, state } from './store.ts';

/** The records on a page, and the most records that are sorted. */
const [pageSize, mostSorted] = [20, 200];
/** Returns the cursors of this page and of the previous ones. The address has them all. */
const parseTrail = ({ cursor = '' }: Record<string, string>) => cursor.split(',').filter(Boolean);

/** Reads the list that the address names. */
export async function loadList(): Promise<void> {
  const { id, kind, query } = state.route;
  if (id !== undefined || !state.workspace) return;
  learnTitles();
  const { cursor: _, sort, ...filters } = query;
  const limit = String(sort ? mostSorted : pageSize);
  const cursor = parseTrail(query).at(-1);
  await load('list', () => readList(kind, { ...filters, limit, ...(cursor && { cursor }) }));
}

/** Changes the address to another list. */
const show = (kind: KindFacts, query: Record<string, string> = {}) => {
  location.hash = formatHash(kind, query);
};

/** Changes the query of the list in the address. Goes to the first page unless the query says otherwise. */
const change = (query: Record<string, string>) =>
  show(state.route.kind, { ...state.route.query, cursor: '', ...query });

function viewTab(kind: KindFacts): TemplateResult {
  const isOn = kind === state.route.kind;
  const count = formatCount(state.workspace?.records[kind.collection] ?? 0);
  return html`<button type="button" class=${`button ${isOn ? 'on' : 'quiet'}`} aria-pressed=${isOn}
    @click=${() => show(kind)}>${toSentenceCase(kind.plural)} ${count}</button>`;
}

function viewFilter({ name, title, type, choices, hint }: FormField): TemplateResult {
  const id = `filter-${name}`;
  const { [name]: value = '' } = state.route.query;
  const isCode = name === 'occupation';
  const apply = ({ target }: Event) => {
    const text = (target as HTMLInputElement).value.trim();
    change({ [name]: (isCode && codeOf(text)) || text });
  };
  const option = (choice: string) =>
    html`<option value=${choice} ?selected=${choice === value}>${choice.replaceAll('-', ' ') || 'Any'}</option>`;
  const control = choices
    ? html`<select id=${id} @change=${apply}>${['', ...choices].map(option)}</select>`
    : html`<input id=${id} type=${type === 'date' ? 'date' : 'text'} title=${hint} autocomplete="off"
        .value=${isCode ? occupationOf(value).title : value} list=${isCode ? 'titles' : nothing} maxlength="200" @change=${apply} />
        ${isCode ? html`<datalist id="titles">${occupationTitles().map((one) => html`<option value=${one}></option>`)}</datalist>` : ''}`;
  return html`<div><label for=${id}>${title}</label>${control}</div>`;
}

function viewFilters(kind: KindFacts): TemplateResult {
  const status = { name: 'status', title: 'Status', hint: '', type: 'choice', required: false } as const;
  const fields = [{ ...status, choices: kind.statuses }, ...kind.filters.filter(({ name }) => name !== 'q')];
  return html`<div class="filters">${keyed(kind, fields.map(viewFilter))}</div>`;
}

interface Column {
  name: string;
  title: string;
  /** Returns the text of a cell. Rows are sorted by it. */
  formatCell(row: PageRecord): string;
}

const createMemberReader = (name: string) => (row: PageRecord) => String(row[name] ?? '');

/** Lists the columns whose member a kind has. */
function listColumns(kind: KindFacts): Column[] {
  const has = (name: string) => kind.fields.some((field) => field.name === name);
  const columns: (Column | false)[] = [
    { name: 'name', title: 'Name', formatCell: (row) => formatTitle(kind, row) },
    { name: 'occupation', title: 'Occupation', formatCell: ({ onetCode }) => occupationOf(onetCode).title },
    has('metro') && { name: 'metro', title: 'Metro', formatCell: createMemberReader('metro') },
    has('openings') && { name: 'openings', title: 'Openings', formatCell: describeOpenings },
    has('startDate') && { name: 'start', title: 'Start', formatCell: createMemberReader('startDate') },
    { name: 'stage', title: 'Stage', formatCell: ({ status }) => status },
    { name: 'changed', title: 'Changed', formatCell: (row) => row.updatedAt ?? row.createdAt ?? '' },
  ];
  return columns.filter((column) => column !== false);
}

/** Shows what is below a name: how far a placement has come, or the skills. */
const viewRowNote = (row: PageRecord): unknown =>
  isPlacement(row) ? describeCourse(row, dayFromNow()).words : isolateEach(listFirstSkills(row), ', ');

function viewCell(kind: KindFacts, { name, formatCell }: Column, row: PageRecord): TemplateResult {
  const text = formatCell(row);
  if (name === 'name')
    return html`<th scope="row"><a href=${`#${row.id}`} dir="auto" data-key=${row.id}>${viewTitle(kind, row)}</a>
      <p class="note" dir="auto">${viewRowNote(row)}</p></th>`;
  if (name === 'stage') return html`<td>${viewStatus(text)}</td>`;
  if (name === 'changed' && text) return html`<td class="wide">${timeOf(text)}</td>`;
  return html`<td class="wide" dir="auto">${name === 'start' && text ? formatDate(text) : text}</td>`;
}

/**
 * Shows records of a kind as a table. `sort` in the address names the column to sort by, with a `-` for descending.
 * A click anywhere in a row opens the record, as Enter does on its name.
 */
function viewTable(kind: KindFacts, rows: readonly PageRecord[]): TemplateResult {
  const columns = listColumns(kind);
  const [, down, by] = /^(-?)(.*)$/.exec(state.route.query.sort ?? '')!;
  const sorted = columns.find(({ name }) => name === by);
  const compare = (a: PageRecord, b: PageRecord) =>
    (down ? -1 : 1) *
    sorted!.formatCell(a).localeCompare(sorted!.formatCell(b), undefined, { numeric: true });
  const viewHead = ({ name, title }: Column) => {
    const isBy = name === by;
    const order = isBy ? (down ? 'descending' : 'ascending') : nothing;
    const mark = isBy ? (down ? ' ↓' : ' ↑') : '';
    return html`<th scope="col" aria-sort=${order} class=${name === 'name' || name === 'stage' ? '' : 'wide'}
      ><button type="button" class="link" @click=${() => change({ sort: isBy && !down ? `-${name}` : name })}
      >${title}<span aria-hidden="true">${mark}</span></button></th>`;
  };
  const open = (event: Event, { id }: PageRecord) => {
    if (!(event.target as Element).closest('a') && getSelection()?.isCollapsed) location.hash = id;
  };
  return html`<table class="record-table" aria-label=${kind.plural}>
    <thead><tr>${columns.map(viewHead)}</tr></thead>
    <tbody>${(sorted ? rows.toSorted(compare) : rows).map(
      (row) =>
        html`<tr @click=${(event: Event) => open(event, row)}>${columns.map((column) => viewCell(kind, column, row))}</tr>`,
    )}</tbody>
  </table>`;
}

function viewPager(kind: KindFacts, { rows, total, next }: ListPage): TemplateResult {
  const { query } = state.route;
  const { cursor: _, sort, ...filters } = query;
  const trail = parseTrail(query);
  const turn = (to: string[]) => change({ cursor: to.join(',') });
  const first = trail.length * pageSize + 1;
  const span = `${formatCount(first)} to ${formatCount(first + rows.length - 1)} of ${formatCount(total)}`;
  return html`<p class="actions">
    ${!sort && trail.length > 0 ? button('Newer', () => turn(trail.slice(0, -1))) : ''}
    ${!sort && next ? button('Older', () => turn([...trail, next])) : ''}
    ${Object.keys(filters).length > 0 ? button('Show all again', () => show(kind)) : ''}
    <span class="note">${!sort && total > rows.length ? `${span} ${kind.plural}, the newest first` : ''}</span>
  </p>`;
}

function explainEmptyList({ noun, plural }: KindFacts): string {
  const { cursor: _, sort: __, ...filters } = state.route.query;
  return Object.keys(filters).length > 0
    ? `No ${noun} fits. Take a filter away to see more.`
    : `No ${plural} yet. An agent adds them, or you do: below, or in the console on the API page.`;
}

function viewList(list: ListPage): unknown {
  const { kind, query } = state.route;
  const { rows, total } = list;
  const found = query.q && `${formatAmount(total, kind.noun, kind.plural)} found.`;
  const part = `Only the newest ${rows.length} of ${formatCount(total)} are sorted: search or filter for fewer.`;
  return html`<p class="note" role="status">${found} ${query.sort && total > rows.length ? part : ''}</p>
    ${rows.length > 0 ? viewTable(kind, rows) : viewNote(explainEmptyList(kind))}
    ${viewPager(kind, list)}`;
}

/** Returns the kind in which words are searched. Placements have no words of their own, so people are searched. */
const findSearchedKind = (kind: KindFacts) =>
  kind.filters.some(({ name }) => name === 'q') ? kind : facts.kinds[0]!;

function submitSearch(event: SubmitEvent): void {
  event.preventDefault();
  const { kind } = state.route;
  const q = (event.currentTarget as HTMLFormElement).querySelector('input')!.value.trim();
  if (kindOfId(q)) location.hash = q;
  else if (findSearchedKind(kind) === kind) change({ q });
  else show(findSearchedKind(kind), { q });
}

/** Shows the records of a kind: the tabs, the search, the filters and a page of records. */
export function viewRecords(): TemplateResult {
  const { kind, query } = state.route;
  return html`<section class="part" aria-labelledby="records-name">
    <div><h2 id="records-name" tabindex="-1">Records</h2></div>
    <div class="body">
      <div class="actions" role="group" aria-label="Kinds">${facts.kinds.map(viewTab)}</div>
      <form class="searching" role="search" aria-label="Records" @submit=${submitSearch}>
        <label for="look">Search ${findSearchedKind(kind).plural} by name, skill, or id</label>
        <div><input id="look" type="search" .value=${query.q ?? ''} autocomplete="off" spellcheck="false"
          maxlength="200" dir="auto" /><button type="submit" class="button quiet">Search</button></div>
      </form>
      <details><summary>Filters</summary>${viewFilters(kind)}</details>
      <div data-place="list">${viewLoaded(state.list, loadList, viewList)}</div>
    </div>
  </section>`;
}
