import { html, nothing, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import type { FormField } from '../form-field.ts';
import { formatAmount, formatCount, toSentenceCase } from '../format.ts';
import { button, viewLoaded } from './dialog.ts';
import type { KindFacts, ListPage } from './model.ts';
import { codeOf, learnTitles, occupationOf, occupationTitles, readList } from './names.ts';
import { facts } from './page-facts.ts';
import { viewNote } from './parts.ts';
import { planAddress } from './plan.ts';
import { viewTable } from './record-table.ts';
import { changeList, load, showList, state } from './store.ts';

/** Records on a page. */
const pageSize = 20;
/** The cursors of this page and of the pages before it, from the address. */
const parseTrail = ({ cursor = '' }: Record<string, string>) => cursor.split(',').filter(Boolean);

/** Reads the list that the address names. */
export async function loadList(): Promise<void> {
  const { view, kind, query } = state.route;
  if (view !== 'list' || !state.workspace) return;
  learnTitles();
  const { cursor: _, sort, ...filters } = query;
  const limit = String(sort ? facts.maxLimit : pageSize);
  const cursor = parseTrail(query).at(-1);
  await load('list', () => readList(kind, { ...filters, limit, ...(cursor && { cursor }) }));
}

function viewFilter({ name, title, type, choices, hint, maxLength }: FormField): TemplateResult {
  const id = `filter-${name}`;
  const { [name]: value = '' } = state.route.query;
  const isCode = name === 'occupation';
  const apply = ({ target }: Event) => {
    const text = (target as HTMLInputElement).value.trim();
    changeList({ [name]: (isCode && codeOf(text)) || text });
  };
  const option = (choice: string) =>
    html`<option value=${choice} ?selected=${choice === value}>${choice.replaceAll('-', ' ') || 'Any'}</option>`;
  const control = choices
    ? html`<select id=${id} @change=${apply}>${['', ...choices].map(option)}</select>`
    : html`<input id=${id} type=${type === 'date' ? 'date' : 'text'} title=${hint} autocomplete="off"
        .value=${isCode ? occupationOf(value).title : value} list=${isCode ? 'titles' : nothing} maxlength=${maxLength ?? nothing} @change=${apply} />
        ${isCode ? html`<datalist id="titles">${occupationTitles().map((one) => html`<option value=${one}></option>`)}</datalist>` : ''}`;
  return html`<div><label for=${id}>${title}</label>${control}</div>`;
}

function viewFilters(kind: KindFacts): TemplateResult {
  const status = { name: 'status', title: 'Status', hint: '', type: 'choice', required: false } as const;
  const fields = [{ ...status, choices: kind.statuses }, ...kind.filters.filter(({ name }) => name !== 'q')];
  return html`<div class="filters">${keyed(kind, fields.map(viewFilter))}</div>`;
}

function viewPager(kind: KindFacts, { rows, total, next }: ListPage): TemplateResult {
  const { query } = state.route;
  const { cursor: _, sort, ...filters } = query;
  const trail = parseTrail(query);
  const turn = (to: string[]) => changeList({ cursor: to.join(',') });
  const first = trail.length * pageSize + 1;
  const span = `${formatCount(first)} to ${formatCount(first + rows.length - 1)} of ${formatCount(total)}`;
  return html`<p class="actions">
    ${!sort && trail.length > 0 ? button('Newer', () => turn(trail.slice(0, -1))) : ''}
    ${!sort && next ? button('Older', () => turn([...trail, next])) : ''}
    ${Object.keys(filters).length > 0 ? button('Show all again', () => showList(kind)) : ''}
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

/** Shows the list that the address names: the filters, and a page of records. */
export function viewRecords(): TemplateResult {
  const { kind } = state.route;
  return html`<section aria-labelledby="records-name">
    <h2 class="unseen" id="records-name" tabindex="-1">${toSentenceCase(kind.plural)}</h2>
    ${kind.name === 'jobOrder' ? html`<p class="actions"><a class="button quiet" href=${planAddress}>Fill all</a></p>` : ''}
    <details><summary>Filters</summary>${viewFilters(kind)}</details>
    <div data-place="list">${viewLoaded(state.list, loadList, viewList)}</div>
  </section>`;
}
