import { html, type TemplateResult } from 'lit-html';
import { formatAmount } from '../../_scripts/format.ts';
import { formatRows, type ImportReply, type Note } from './import-model.ts';

function viewNote(note: Note): TemplateResult {
  const rows = formatRows(note);
  return html`<li><strong dir="auto">${note.member}</strong> <span dir="auto">${note.why}</span>${rows === '' ? '' : ` (${rows})`}</li>`;
}

/** Shows which column became what, and how the file was understood. */
export const viewMapping = ({ mapping }: ImportReply): TemplateResult =>
  html`<details><summary>What was read</summary>
    <ul class="plain">${mapping.map(({ from, to }) => html`<li><span dir="auto">${from}</span> → ${to}</li>`)}</ul></details>`;

/** Shows what of the file is left out, and why. */
export function viewNotTaken({ notTaken }: ImportReply): TemplateResult | string {
  if (notTaken.length === 0) return '';
  return html`<details><summary>${formatAmount(notTaken.length, 'thing')} left out, and why</summary>
    <ul class="plain">${notTaken.map(viewNote)}</ul></details>`;
}

/** Shows the problems of a file in groups, and the choice to leave out their rows. */
export function viewProblems(
  { problems }: ImportReply,
  isSkipping: boolean,
  skip: (isOn: boolean) => void,
): TemplateResult | string {
  if (problems.length === 0) return '';
  const change = ({ currentTarget }: Event) => skip((currentTarget as HTMLInputElement).checked);
  return html`<p class="verdict is-blocked" role="alert">${formatAmount(problems.length, 'problem')}.
      Choose the codes that are not clear. Correct the rest in the file and drop it again, or leave these rows out.</p>
    <ul class="plain">${problems.map(viewNote)}</ul>
    <p><label><input type="checkbox" .checked=${isSkipping} @change=${change} /> Leave out rows with problems</label></p>`;
}
