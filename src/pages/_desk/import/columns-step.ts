/** The first step of an import: what each column of the file means. */
import { html, type TemplateResult } from 'lit-html';
import { formatCount } from '../../_scripts/format.ts';
import { isolate, isolateEach } from '../../_scripts/isolate.ts';
import { viewNote } from '../common/parts.ts';
import { chooseKind, chooseMeaning } from './import-actions.ts';
import { type ImportKind, type ImportSession, kindWords } from './import-model.ts';
import { findColumnState, readTable } from './import-session.ts';
import { kindOf, nameMember } from './member-words.ts';
import type { SheetColumn } from './sheet.ts';

function viewKinds({ kind }: ImportSession): TemplateResult {
  const kinds = Object.keys(kindWords) as ImportKind[];
  const viewKind = (one: ImportKind) =>
    html`<button type="button" class="button quiet" aria-pressed=${one === kind ? 'true' : 'false'}
      @click=${() => chooseKind(one)}>A ${kindWords[one][0]}</button>`;
  return html`<div class="import-kind"><p id="import-kinds">What is one row of this file?</p>
    <p class="actions" role="group" aria-labelledby="import-kinds">${kinds.map(viewKind)}</p></div>`;
}

/** Shows the choice of what a column means. */
function viewMeaning(column: SheetColumn, kind: ImportKind, session: ImportSession): TemplateResult {
  const { name, index } = column;
  const { state, member } = findColumnState(name, index, session);
  if (state === 'personal')
    return html`<p class="note">Never stored: personal data, or the number of a license.</p>`;
  const turn = ({ currentTarget }: Event) =>
    chooseMeaning(column, (currentTarget as HTMLSelectElement).value || undefined);
  const options = kindOf(kind).importable.map(
    (one) => html`<option value=${one} ?selected=${one === member}>${nameMember(kind, one)}</option>`,
  );
  return html`<select aria-label=${`What ${name} means`} @change=${turn}>
      <option value="" ?selected=${member === undefined}>Not imported</option>${options}
    </select>`;
}

const stateWords = { known: '', left: 'Left out', unknown: 'Not known', personal: '' };

function viewColumn(column: SheetColumn, kind: ImportKind, session: ImportSession): TemplateResult {
  const { name, samples, filled, index } = column;
  const { state } = findColumnState(name, index, session);
  const words = filled === 0 ? 'Empty' : stateWords[state];
  return html`<li class=${`column ${state === 'unknown' && filled > 0 ? 'is-open' : ''}`}>
    <p class="column-name"><strong>${isolate(name)}</strong> ${words ? html`<span class="chip">${words}</span>` : ''}</p>
    <p class="note samples">${isolateEach(samples, ' · ')}</p>
    ${viewMeaning(column, kind, session)}
  </li>`;
}

/** Shows how the file was understood beside its columns, such as the order of days. */
function viewReadings({ reply }: ImportSession, columns: readonly SheetColumn[]): TemplateResult | string {
  const others = (reply?.mapping ?? []).filter(
    ({ from }) => !columns.some(({ name }) => name.startsWith(from)),
  );
  if (others.length === 0) return '';
  return html`<p class="note">Read as: ${isolateEach(
    others.map(({ from, to }) => `${from} → ${to}`),
    '; ',
  )}</p>`;
}

/** Shows each column with a sample and the choice of what it means. */
export function viewColumnsStep(session: ImportSession): TemplateResult {
  const { kind } = session;
  const table = readTable(session);
  const isOpen = ({ name, index, filled }: SheetColumn) =>
    filled > 0 && findColumnState(name, index, session).state === 'unknown';
  const open = table?.columns.filter(isOpen).length ?? 0;
  const words =
    open === 1
      ? '1 column is not known. Choose what it means, or go on without it.'
      : `${formatCount(open)} columns are not known. Choose what they mean, or go on without them.`;
  return html`${viewKinds(session)}
    ${kind && open > 0 ? viewNote(words) : ''}
    ${kind && table ? html`<ul class="plain card columns">${table.columns.map((column) => viewColumn(column, kind, session))}</ul>${viewReadings(session, table.columns)}` : ''}`;
}
