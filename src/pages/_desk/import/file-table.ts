import { html, type TemplateResult } from 'lit-html';
import { type ImportReply, type Row, rowOfPlace, type ShownCode } from './import-model.ts';

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
  rows: readonly Row[];
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

/** Shows the records of a file as they would be created, each row with its problems below it. */
export function viewFileTable(parts: TableParts): TemplateResult {
  const { reply, rows } = parts;
  const members = listMembers(reply, rows);
  const problems = Map.groupBy(reply.problems, ({ at }) => rowOfPlace(at));
  const viewRow = (row: Row, index: number) => {
    const code = reply.codes[index]!;
    const own = problems.get(code.at) ?? [];
    return html`<tr class=${own.length > 0 ? 'has-problem' : ''}>
        <th scope="row">${code.at}</th>
        <td>${viewCode(code, parts)}</td>
        ${members.map((name) => html`<td dir="auto">${formatValue(row[name])}</td>`)}
      </tr>
      ${own.map(
        ({ at, message }) =>
          html`<tr class="problem"><td></td><td colspan=${members.length + 1}><strong>${at}:</strong> ${message}</td></tr>`,
      )}`;
  };
  return html`<div class="import-table" tabindex="0" role="region" aria-label="Records of the file"><table>
    <thead><tr><th scope="col">Row</th><th scope="col">Code</th>
      ${members.map((name) => html`<th scope="col">${titleOf(name)}</th>`)}</tr></thead>
    <tbody>${rows.map(viewRow)}</tbody>
  </table></div>`;
}
