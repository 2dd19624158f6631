import { html, type TemplateResult } from 'lit-html';
import type { ImportReply, ReadRow, Row, ShownCode } from './import-model.ts';

const formatValue = (value: unknown): string =>
  value === undefined ? '' : Array.isArray(value) ? value.join(', ') : String(value);

/** Lists the members that a row has, without its code, in the order of the columns of the file. */
function listMembers({ mapping }: ImportReply, rows: readonly Row[]): string[] {
  const names = [...mapping.map(({ to }) => to), ...rows.flatMap((row) => Object.keys(row))];
  return [...new Set(names)].filter((name) => name !== 'onetCode');
}

const certaintyWords = { stated: '', sure: 'surely', likely: 'likely', unsure: 'not clear' };

const titleOf = (name: string) => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

interface TableParts {
  reply: ImportReply;
  /** The records of the rows, each with its code, and with what is wrong in it. */
  rows: readonly ReadRow[];
  /** The field in which the person corrects the code of a row, if it is open. */
  fieldOf(code: ShownCode): HTMLElement | undefined;
  /** Opens that field. */
  change(code: ShownCode): void;
}

function viewCode(code: ShownCode, { fieldOf, change }: TableParts): unknown {
  const field = fieldOf(code);
  if (field) return field;
  return html`<span class="code-text">${code.onetCode ?? ''}</span> <span class="note">${certaintyWords[code.certainty]}</span>
    <button type="button" class="link" @click=${() => change(code)} aria-label=${`Change the code of ${code.at}`}>Change</button>`;
}

/** Shows what the rows of a file would become, each with its problems below it. A change shows only what differs. */
export function viewFileTable(parts: TableParts): TemplateResult {
  const { reply, rows } = parts;
  const members = listMembers(
    reply,
    rows.map(({ record }) => record),
  );
  const viewRow = ({ record, code, problems }: ReadRow) =>
    html`<tr class=${problems.length > 0 ? 'has-problem' : ''}>
        <th scope="row">${code.at}${code.id === undefined ? '' : html` <span class="note">changes</span>`}</th>
        <td>${viewCode(code, parts)}</td>
        ${members.map((name) => html`<td dir="auto">${formatValue(record[name])}</td>`)}
      </tr>
      ${problems.map(
        (words) => html`<tr class="problem"><td></td><td colspan=${members.length + 1}>${words}</td></tr>`,
      )}`;
  return html`<div class="import-table" tabindex="0" role="region" aria-label="Records of the file"><table>
    <thead><tr><th scope="col">Row</th><th scope="col">Code</th>
      ${members.map((name) => html`<th scope="col">${titleOf(name)}</th>`)}</tr></thead>
    <tbody>${rows.map(viewRow)}</tbody>
  </table></div>`;
}
