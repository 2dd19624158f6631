import { html, nothing, type TemplateResult } from 'lit-html';
import { timeOf } from '../dom.ts';
import { dayFromNow, formatDate } from '../format.ts';
import { isolateEach } from '../isolate.ts';
import { describeCourse } from './course.ts';
import { isPlacement, type KindFacts, type PageRecord } from './model.ts';
import { formatTitle, occupationOf, viewTitle } from './names.ts';
import { describeOpenings, listFirstSkills, listTerms, viewStatus } from './parts.ts';
import { changeList, state } from './store.ts';

interface Column {
  name: string;
  title: string;
  /** What a cell shows, and what rows are sorted by. */
  formatCell(row: PageRecord): string;
}

const createMemberReader = (name: string) => (row: PageRecord) => String(row[name] ?? '');

/** The columns of a kind: those whose member it has. */
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

/** Draws the line below a name: the stage of a placement, or the terms and the skills. */
const viewRowNote = (row: PageRecord): unknown =>
  isPlacement(row)
    ? describeCourse(row, dayFromNow()).words
    : isolateEach([...listTerms(row), ...listFirstSkills(row)], ' · ');

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
 * Draws records of a kind as a table. It is sorted by the column that `sort` in the address names; `-` before it sorts
 * downwards. A click anywhere in a row opens the record, as Enter does on its name.
 */
export function viewTable(kind: KindFacts, rows: readonly PageRecord[]): TemplateResult {
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
      ><button type="button" class="link" @click=${() => changeList({ sort: isBy && !down ? `-${name}` : name })}
      >${title}<span aria-hidden="true">${mark}</span></button></th>`;
  };
  const open = (event: Event, { id }: PageRecord) => {
    if (!(event.target as Element).closest('a') && getSelection()?.isCollapsed) location.hash = id;
  };
  return html`<table class="record-table" aria-label=${kind.plural}>
    <thead><tr>${columns.map(viewHead)}</tr></thead>
    <tbody>${(sorted ? rows.toSorted(compare) : rows).map(
      (row) =>
        html`<tr @click=${(event: Event) => open(event, row)}>${columns.map((one) => viewCell(kind, one, row))}</tr>`,
    )}</tbody>
  </table>`;
}
