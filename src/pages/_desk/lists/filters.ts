import { html, nothing, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import type { FormField } from '../../_scripts/form/form-field.ts';
import { formatDatesIn } from '../../_scripts/format.ts';
import { isolate } from '../../_scripts/isolate.ts';
import { codeOf, occupationOf, occupationTitles } from '../common/occupations.ts';
import type { KindFacts } from '../state/model.ts';
import { state } from '../state/state.ts';
import { changeList, showList, updateState } from '../state/update.ts';
import { listColumns } from './columns.ts';
import { pickFilters } from './list-query.ts';

const toggle = () => updateState({ showsFilters: !state.showsFilters });

const spell = (choice: string) => choice.replaceAll('-', ' ');

const viewOption = (value: string, words: string, isNow: boolean) =>
  html`<option value=${value} ?selected=${isNow}>${words}</option>`;

function viewFilter({ name, title, type, choices, hint, maxLength }: FormField): TemplateResult {
  const id = `filter-${name}`;
  const { [name]: value = '' } = state.route.query;
  const isCode = name === 'occupation';
  const apply = ({ target }: Event) => {
    const text = (target as HTMLInputElement).value.trim();
    changeList({ [name]: (isCode && codeOf(text)) || text });
  };
  const control = choices
    ? html`<select id=${id} @change=${apply}>${['', ...choices].map((one) => viewOption(one, spell(one) || 'Any', one === value))}</select>`
    : html`<input id=${id} type=${type === 'date' ? 'date' : 'text'} title=${hint} autocomplete="off"
        .value=${isCode ? occupationOf(value).title : value} list=${isCode ? 'titles' : nothing} maxlength=${maxLength ?? nothing} @change=${apply} />
        ${isCode ? html`<datalist id="titles">${occupationTitles().map((one) => html`<option value=${one}></option>`)}</datalist>` : ''}`;
  return html`<div><label for=${id}>${title}</label>${control}</div>`;
}

/** Shows a choice of orders. A narrow window does not have the heads that sort a wide one. */
function viewSort(kind: KindFacts): TemplateResult {
  const { sort: current = '' } = state.route.query;
  const apply = ({ target }: Event) => changeList({ sort: (target as HTMLSelectElement).value });
  const orders = listColumns(kind).flatMap(({ sort, title }) => (sort ? { value: sort, words: title } : []));
  return html`<div class="narrow"><label for="sort-by">Sort by</label>
    <select id="sort-by" @change=${apply}>${[{ value: '', words: 'Newest' }, ...orders].map(
      ({ value, words }) => viewOption(value, words, value === current),
    )}</select></div>`;
}

const listFilterFields = (kind: KindFacts): readonly FormField[] => {
  const status = { name: 'status', title: 'Status', hint: '', type: 'choice', required: false } as const;
  return [{ ...status, choices: kind.statuses }, ...kind.filters];
};

/** Shows the button that unfolds the filters beside the status, which has chips. */
export const viewFilterButton = (): TemplateResult =>
  html`<button type="button" class="button quiet" id="filters-button" aria-expanded=${state.showsFilters ? 'true' : 'false'}
    aria-controls="filters" @click=${toggle}>More filters</button>`;

/** Filters without a field: the search has the words, and programs ask for ids and times. An address can have them all. */
const withoutField = ['q', 'ref', 'candidateId', 'jobOrderId', 'updatedSince'];

/** Shows the fields of the filters, if they are unfolded. */
export function viewFilters(kind: KindFacts): TemplateResult {
  const fields = kind.filters.filter(({ name }) => !withoutField.includes(name));
  return html`<div class="filters" id="filters" ?hidden=${!state.showsFilters}>
    ${state.showsFilters ? keyed(kind, [...fields.map(viewFilter), viewSort(kind)]) : ''}
  </div>`;
}

/** Formats the value of a filter for a person. */
const formatFilter = (name: string, value: string): string =>
  name === 'occupation' ? occupationOf(value).title : spell(formatDatesIn(value));

/** Shows the filters that are in force. Each is a button that takes it away. */
export function viewActiveFilters(kind: KindFacts): TemplateResult {
  const { statuses } = kind;
  const hasChip = (name: string, value: string) => name === 'status' && statuses.includes(value);
  const active = Object.entries(pickFilters(state.route.query)).filter((one) => !hasChip(...one));
  const focusFilters = () => document.getElementById('filters-button')?.focus();
  const remove = (name: string) => {
    focusFilters();
    changeList({ [name]: '' });
  };
  const clear = () => {
    focusFilters();
    showList(kind);
  };
  const titleOf = (name: string) =>
    name === 'q' ? 'Words' : (listFilterFields(kind).find((one) => one.name === name)?.title ?? name);
  return html`${active.map(
    ([name, value]) => html`<button type="button" class="chip removable" @click=${() => remove(name)}
      ><span class="unseen">Remove the filter </span>${titleOf(name)}: ${isolate(formatFilter(name, value))}
      <span aria-hidden="true">✕</span></button>`,
  )}
  ${active.length > 1 ? html`<button type="button" class="link" @click=${clear}>Clear all</button>` : ''}`;
}
