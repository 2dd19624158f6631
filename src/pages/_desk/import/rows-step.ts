/** The last step of an import: the rows as they are imported, of which each cell can be corrected. */
import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { formatAmount, formatCount, toSentenceCase } from '../../_scripts/format.ts';
import { isolate } from '../../_scripts/isolate.ts';
import { occupationOf } from '../common/occupations.ts';
import { button } from '../common/parts.ts';
import { describeRead, describeWhy } from './cell-words.ts';
import {
  editCell,
  formatStepAddress,
  leaveRows,
  showAllRows,
  takeRows,
  writeValue,
} from './import-actions.ts';
import { formatRows, type ImportSession, type ReadRow } from './import-model.ts';
import { findColumnState, type ImportFindings } from './import-session.ts';
import { nameMember } from './member-words.ts';
import type { SheetColumn } from './sheet.ts';

/** The most rows that are shown before the person asks for all. */
const mostShown = 50;

/** Shows the field in which a cell is corrected. Enter and leaving it write the text, and Escape does not. */
function viewField(row: number, column: SheetColumn, text: string): TemplateResult {
  let isOver = false;
  const end = (value: string) => {
    if (isOver) return;
    isOver = true;
    if (value === text) editCell(undefined);
    else writeValue({ column: column.index, member: column.name, rows: [row] }, value);
  };
  const press = (event: KeyboardEvent) => {
    const { key, currentTarget } = event;
    if (key !== 'Enter' && key !== 'Escape') return;
    event.preventDefault();
    end(key === 'Enter' ? (currentTarget as HTMLInputElement).value : text);
    document.getElementById(`cell-${row}-${column.index}`)?.focus();
  };
  const leave = ({ currentTarget }: Event) => end((currentTarget as HTMLInputElement).value);
  return html`<input id="import-cell" .value=${text} aria-label=${`${column.name} of row ${row}`} dir="auto"
    autocomplete="off" @keydown=${press} @blur=${leave} />`;
}

/** Whether a text is one short word, such as a day. */
const isWord = (text: string): boolean => /^\S{1,16}$/.test(text);

interface CellParts {
  column: SheetColumn;
  member: string | undefined;
  /** The text of the file. */
  text: string;
}

function viewCell({ number, record }: ReadRow, { column, member, text }: CellParts, session: ImportSession) {
  const { edited } = session;
  if (edited?.row === number && edited.column === column.index)
    return html`<td>${viewField(number, column, text)}</td>`;
  const read = member === undefined ? '' : describeRead(text, member, record?.[member]);
  const open = () => {
    editCell({ row: number, column: column.index });
    const field = document.getElementById('import-cell') as HTMLInputElement | null;
    field?.focus();
    field?.select();
  };
  return html`<td><button type="button" class=${`cell ${isWord(text) ? 'is-word' : ''}`} id=${`cell-${number}-${column.index}`} @click=${open}
    ><span class="unseen">Change ${column.name} of row ${number}: </span>${text === '' ? html`<span class="note">empty</span>` : isolate(text)}</button>
    ${read === '' ? '' : html`<p class="note">${isolate(read)}</p>`}</td>`;
}

/** A column of the table with the member that it alone becomes. */
interface ShownColumn {
  column: SheetColumn;
  member: string | undefined;
}

/** Lists the columns that are imported. Of a member that several columns become, none says alone how it was read. */
function listColumns({ table }: ImportFindings, session: ImportSession): ShownColumn[] {
  const known = table.columns.flatMap((column) => {
    const { state, member } = findColumnState(column.name, column.index, session);
    return state === 'known' ? [{ column, member }] : [];
  });
  const counts = Map.groupBy(known, ({ member }) => member);
  return known.map(({ column, member }) => ({
    column,
    member: counts.get(member)?.length === 1 ? member : undefined,
  }));
}

const viewOccupation = ({ code }: ReadRow): TemplateResult =>
  code.onetCode === null
    ? html`<a class="wrong" href=${formatStepAddress('values')}>not clear</a>`
    : html`${occupationOf(code.onetCode).title} <span class="code-text">${code.onetCode}</span>`;

const formatStored = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : String(value ?? '');

/** Says what becomes of a row, if that is not a new record. */
function describeFate({ code, record }: ReadRow): string {
  if (code.hasProblem) return 'left out';
  if (code.id === undefined) return '';
  return record ? 'changes' : 'no change';
}

/** What a row of the table shows: the columns of the file or, of a document, the members of its records. */
interface RowParts {
  columns: readonly ShownColumn[];
  members: readonly string[];
  /** The texts of a row, by its number. */
  texts: ReadonlyMap<number, readonly string[]>;
  problems: ImportFindings['problems'];
}

function viewProblems(number: number, { columns, members, problems }: RowParts): TemplateResult | string {
  const own = problems.filter(({ rows }) => rows.includes(number));
  if (own.length === 0) return '';
  const words = own.map(
    ({ member, why }, at) => html`${at > 0 ? '; ' : ''}${isolate(member)}: ${describeWhy(why)}`,
  );
  return html`<tr class="problem"><td></td><td colspan=${columns.length + members.length + 2}>${words}</td></tr>`;
}

function viewRow(row: ReadRow, parts: RowParts, session: ImportSession): TemplateResult {
  const { columns, members, texts } = parts;
  const { number, code, record } = row;
  const fate = describeFate(row);
  const leave = html`Leave out<span class="unseen"> row ${number}</span>`;
  const textOf = ({ index }: SheetColumn) => (texts.get(number)?.[index] ?? '').trim();
  return html`<tr class=${code.hasProblem ? 'has-problem' : ''}>
      <th scope="row">${session.sheet ? number : code.at}${fate ? html` <span class="note">${fate}</span>` : ''}</th>
      <td>${viewOccupation(row)}</td>
      ${columns.map(({ column, member }) => viewCell(row, { column, member, text: textOf(column) }, session))}
      ${members.map((name) => html`<td dir="auto">${formatStored(record?.[name])}</td>`)}
      ${session.sheet ? html`<td>${button(leave, () => leaveRows([number]), 'link')}</td>` : ''}
    </tr>
    ${viewProblems(number, parts)}`;
}

/** Lists the members of the records of a document. */
const listMembers = (rows: readonly ReadRow[]): string[] =>
  [...new Set(rows.flatMap(({ record }) => Object.keys(record ?? {})))].filter((name) => name !== 'onetCode');

function viewRows(findings: ImportFindings, session: ImportSession): TemplateResult {
  const { rows, table, problems } = findings;
  const columns = listColumns(findings, session);
  const members = session.sheet ? [] : listMembers(rows);
  const texts = new Map(table.body.map(({ number, cells }) => [number, cells]));
  const parts = { columns, members, texts, problems };
  const shown = session.showsAll ? rows : rows.slice(0, mostShown);
  return html`<div class="import-table card" tabindex="0" role="region" aria-label="Rows of the file"><table>
      <thead><tr><th scope="col">Row</th><th scope="col">Occupation</th>
        ${columns.map(({ column }) => html`<th scope="col">${isolate(column.name)}</th>`)}
        ${members.map((name) => html`<th scope="col">${nameMember(session.kind!, name)}</th>`)}
        ${session.sheet ? html`<th scope="col"><span class="unseen">What to do with the row</span></th>` : ''}</tr></thead>
      <tbody>${repeat(
        shown,
        ({ number }) => number,
        (row) => viewRow(row, parts, session),
      )}</tbody>
    </table></div>
    ${shown.length < rows.length ? html`<p>${button(`Show all ${formatCount(rows.length)} rows`, showAllRows)}</p>` : ''}`;
}

/** Shows what of the file is left out, and why. */
function viewNotTaken({ reply: { notTaken } }: ImportFindings): TemplateResult | string {
  if (notTaken.length === 0) return '';
  return html`<details><summary>${formatAmount(notTaken.length, 'thing')} left out, and why</summary>
    <ul class="plain">${notTaken.map((note) => {
      const rows = formatRows(note);
      return html`<li><strong>${isolate(note.member)}</strong> <span dir="auto">${note.why}</span>${rows === '' ? '' : ` (${rows})`}</li>`;
    })}</ul></details>`;
}

/** Shows the rows as they are imported, what is left out, and the rows that the person left out. */
export function viewRowsStep(findings: ImportFindings, session: ImportSession): TemplateResult {
  const { leftRows, sheet } = session;
  return html`${sheet ? html`<p class="note">Click a cell to correct it. Below it is how it was read, if that differs.</p>` : ''}
    ${viewRows(findings, session)}
    ${
      leftRows.size > 0
        ? html`<p class="note">${toSentenceCase(formatRows({ rows: [...leftRows].sort((a, b) => a - b) }))}: left out by you.
          ${button('Take in again', takeRows, 'link')}</p>`
        : ''
    }
    ${viewNotTaken(findings)}`;
}
