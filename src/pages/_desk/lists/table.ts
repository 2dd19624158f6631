import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { isolateEach } from '../../_scripts/isolate.ts';
import type { KindFacts, PageRecord } from '../state/model.ts';
import { state } from '../state/state.ts';
import { changeList } from '../state/update.ts';
import { type Column, describeRow, formatRowName, listColumns, listNoteParts } from './columns.ts';
import { choose, chooseAll, isChosen } from './selection.ts';

/** Draws a cell. Its class decides its width, and whether a narrow window shows it. */
function viewCell(kind: KindFacts, { name, format, view }: Column, row: PageRecord): TemplateResult {
  const text = format(row);
  if (name === 'name')
    return html`<th scope="row" class="of-name" title=${describeRow(kind, row)}>
      <a href=${`#${row.id}`} dir="auto" data-key=${row.id}>${formatRowName(kind, row)}</a>
      <p class="note quiet-line" dir="auto">${isolateEach(listNoteParts(kind, row), ' · ')}</p></th>`;
  if (view) return html`<td class=${`of-${name}`}>${view(row)}</td>`;
  return html`<td class=${`of-${name}`} dir="auto" title=${text || nothing}>${text}</td>`;
}

/** Splits `-name` into the member and the direction. */
const readOrder = (sort: string) => ({ member: sort.replace(/^-/, ''), isDown: sort.startsWith('-') });

/** Draws a head. A click sorts by the column, and another click turns the order around. */
function viewHead({ name, title, sort }: Column): TemplateResult {
  if (sort === undefined) return html`<th scope="col" class=${`of-${name}`}>${title}</th>`;
  const { member, isDown } = readOrder(state.route.query.sort ?? '');
  const first = readOrder(sort);
  const isBy = member === first.member;
  const order = isBy ? (isDown ? 'descending' : 'ascending') : nothing;
  const turned = isDown ? member : `-${member}`;
  return html`<th scope="col" aria-sort=${order} class=${`of-${name}`}
    ><button type="button" class="link" @click=${() => changeList({ sort: isBy ? turned : sort })}
    >${title}<span aria-hidden="true">${isBy ? (isDown ? ' ↓' : ' ↑') : ''}</span></button></th>`;
}

function viewRow(kind: KindFacts, rows: readonly PageRecord[], row: PageRecord): TemplateResult {
  const open = (event: Event) => {
    const isControl = (event.target as Element).closest('a, .of-choice');
    if (!isControl && getSelection()?.isCollapsed) location.hash = row.id;
  };
  const pick = (event: MouseEvent) => {
    const { checked } = event.currentTarget as HTMLInputElement;
    choose(rows, row.id, { isOn: checked, isRange: event.shiftKey });
  };
  return html`<tr class=${isChosen(row.id) ? 'chosen' : ''} @click=${open}>
    <td class="of-choice"><label><input type="checkbox" .checked=${isChosen(row.id)} @click=${pick}
      aria-label=${`Select ${formatRowName(kind, row)}`} /></label></td>
    ${listColumns(kind).map((column) => viewCell(kind, column, row))}
  </tr>`;
}

/**
 * Draws a page of records as a table, with a checkbox for each. A click anywhere else in a row opens the record, as Enter
 * does on its name.
 */
export function viewTable(kind: KindFacts, rows: readonly PageRecord[]): TemplateResult {
  const count = rows.filter(({ id }) => isChosen(id)).length;
  const pickAll = ({ currentTarget }: Event) => chooseAll(rows, (currentTarget as HTMLInputElement).checked);
  return html`<table class=${`record-table kind-${kind.name}`} aria-label=${kind.plural}>
    <thead><tr>
      <td class="of-choice"><label><input type="checkbox" aria-label="Select all on this page"
        .checked=${count === rows.length} .indeterminate=${count > 0 && count < rows.length} @click=${pickAll} /></label></td>
      ${listColumns(kind).map(viewHead)}
    </tr></thead>
    <tbody>${repeat(
      rows,
      ({ id }) => id,
      (row) => viewRow(kind, rows, row),
    )}</tbody>
  </table>`;
}
