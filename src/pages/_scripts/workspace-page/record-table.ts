import { html, nothing, type TemplateResult } from 'lit-html';
import { toDate, toDay, toMoment } from '../format.ts';
import { toCourse } from './course.ts';
import { isPlacement, type KindFacts, type PresentedRecord } from './model.ts';
import { titleOf } from './occupations.ts';
import { toOpeningsWords, viewStatus } from './record-row.ts';
import { toTitle } from './store.ts';

interface Column {
  name: string;
  title: string;
  /** What a cell shows, and what rows are sorted by. */
  toText(row: PresentedRecord): string;
}

const toMember = (name: string) => (row: PresentedRecord) => String(row[name] ?? '');

/** The columns of a kind: those whose member it has. */
function toColumns(kind: KindFacts): Column[] {
  const has = (name: string) => kind.fields.some((field) => field.name === name);
  const columns: (Column | false)[] = [
    { name: 'name', title: 'Name', toText: (row) => toTitle(kind, row) },
    { name: 'occupation', title: 'Occupation', toText: ({ onetCode }) => titleOf(onetCode) },
    has('metro') && { name: 'metro', title: 'Metro', toText: toMember('metro') },
    has('openings') && { name: 'openings', title: 'Openings', toText: toOpeningsWords },
    has('startDate') && { name: 'start', title: 'Start', toText: toMember('startDate') },
    { name: 'stage', title: 'Stage', toText: ({ status }) => status },
    {
      name: 'changed',
      title: 'Changed',
      toText: ({ updatedAt, createdAt }) => updatedAt ?? createdAt ?? '',
    },
  ];
  return columns.filter((column) => column !== false);
}

/** What stands below a name: how far a placement has come, or the skills. */
function toNote(row: PresentedRecord): string {
  if (isPlacement(row)) return toCourse(row, toDay()).words;
  const skills = (row.skills ?? []) as string[];
  return skills.length > 6
    ? `${skills.slice(0, 6).join(', ')}, ${skills.length - 6} more`
    : skills.join(', ');
}

function viewCell({ name, toText }: Column, row: PresentedRecord): TemplateResult {
  const text = toText(row);
  if (name === 'name')
    return html`<th scope="row"><a href=${`#${row.id}`} dir="auto" data-key=${row.id}>${text}</a>
      <p class="note" dir="auto">${toNote(row)}</p></th>`;
  if (name === 'stage') return html`<td>${viewStatus(text)}</td>`;
  if (name === 'changed' && text)
    return html`<td class="wide"><time datetime=${text} title=${text}>${toMoment(text)}</time></td>`;
  return html`<td class="wide" dir="auto">${name === 'start' && text ? toDate(text) : text}</td>`;
}

/**
 * Records of a kind as a table. `sort` names the column they are sorted by, after a `-` where downwards; `toSort` is
 * called with another. A click anywhere in a row opens the record, as Enter does on its name.
 */
export function viewTable(
  kind: KindFacts,
  rows: readonly PresentedRecord[],
  sort: string | undefined,
  toSort: (sort: string) => void,
): TemplateResult {
  const columns = toColumns(kind);
  const [, down, by] = /^(-?)(.*)$/.exec(sort ?? '')!;
  const sorted = columns.find(({ name }) => name === by);
  const compare = (a: PresentedRecord, b: PresentedRecord) =>
    (down ? -1 : 1) * sorted!.toText(a).localeCompare(sorted!.toText(b), undefined, { numeric: true });
  const viewHead = ({ name, title }: Column) => {
    const isBy = name === by;
    const order = isBy ? (down ? 'descending' : 'ascending') : nothing;
    const mark = isBy ? (down ? ' ↓' : ' ↑') : '';
    return html`<th scope="col" aria-sort=${order} class=${name === 'name' || name === 'stage' ? '' : 'wide'}
      ><button type="button" class="link" @click=${() => toSort(isBy && !down ? `-${name}` : name)}
      >${title}<span aria-hidden="true">${mark}</span></button></th>`;
  };
  const open = (event: Event, { id }: PresentedRecord) => {
    if (!(event.target as Element).closest('a') && getSelection()?.isCollapsed) location.hash = id;
  };
  return html`<table class="record-table" aria-label=${kind.plural}>
    <thead><tr>${columns.map(viewHead)}</tr></thead>
    <tbody>${(sorted ? rows.toSorted(compare) : rows).map(
      (row) =>
        html`<tr @click=${(event: Event) => open(event, row)}>${columns.map((one) => viewCell(one, row))}</tr>`,
    )}</tbody>
  </table>`;
}
