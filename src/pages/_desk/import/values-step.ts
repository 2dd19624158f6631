/** The second step of an import: titles and texts that are not clear, each settled once for all of its rows. */
import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { formatAmount, toSentenceCase } from '../../_scripts/format.ts';
import { isolate } from '../../_scripts/isolate.ts';
import { occupationOf } from '../common/occupations.ts';
import { button, viewNote } from '../common/parts.ts';
import { updateState } from '../state/update.ts';
import { describeWhy } from './cell-words.ts';
import { leaveRows, settleTitle, writeValue } from './import-actions.ts';
import type { Doubt, TitleGroup, ValueGroup } from './import-groups.ts';
import { formatRows, type ImportSession, type OfferedCode } from './import-model.ts';
import type { ImportFindings } from './import-session.ts';
import { kindOf, listChoices, nameMember } from './member-words.ts';
import { findTitleField, openTitleField } from './title-fields.ts';

/** Says in how many rows something stands, and in which. */
function describeRows({ rows, more = 0 }: { rows: readonly number[]; more?: number }): string {
  const count = rows.length + more;
  const named = formatRows({ rows: rows.slice(0, 5), ...(count > 5 && { more: count - 5 }) });
  return count === 1 ? toSentenceCase(named) : `${count} rows: ${named.replace(/^rows? /, '')}`;
}

/** Shows an occupation that a title may mean. It is pressed if the title counts as it now. */
const viewOffer = (title: string, { id, title: name }: OfferedCode, isChosen: boolean): TemplateResult =>
  html`<button type="button" class="button quiet offer" aria-pressed=${isChosen ? 'true' : 'false'}
    @click=${() => settleTitle(title, id)}>${name} <span class="note">${id}</span></button>`;

function viewTitle(group: TitleGroup, session: ImportSession): TemplateResult {
  const { offers, codes } = session;
  const { title, onetCode } = group;
  const chosen = codes.get(title) ?? onetCode;
  const offered = offers.get(title) ?? [];
  const isOffered = offered.some(({ id }) => id === chosen);
  const all =
    chosen && !isOffered ? [{ id: chosen, title: occupationOf(chosen).title }, ...offered] : offered;
  const search = () => {
    const { control } = findTitleField(title) ?? openTitleField(title, chosen);
    updateState({});
    control.focus();
  };
  const field = findTitleField(title) ?? (all.length === 0 ? openTitleField(title, chosen) : undefined);
  return html`<li class="settle">
    <div><p><strong>${title === '' ? 'No title' : isolate(title)}</strong></p><p class="note">${describeRows(group)}</p></div>
    <div><p class="actions">${all.map((one) => viewOffer(title, one, one.id === chosen))}
      ${field ? '' : html`<button type="button" class="link" @click=${search}>Another<span class="unseen"> occupation for ${isolate(title)}</span></button>`}
      ${chosen === null && session.sheet ? button(`Leave out ${formatAmount(group.rows.length, 'row')}`, () => leaveRows(group.rows), 'link') : ''}</p>
      ${field?.row ?? ''}</div>
  </li>`;
}

const viewTitles = (groups: readonly TitleGroup[], session: ImportSession): TemplateResult =>
  html`<ul class="plain settling">${repeat(
    groups,
    ({ title }) => title,
    (group) => viewTitle(group, session),
  )}</ul>`;

/** Shows the titles that are not clear, and folded those that were understood. */
function viewTitlePart({ titles }: ImportFindings, session: ImportSession): TemplateResult {
  const isUnclear = ({ title, certainty }: TitleGroup) => certainty === 'unsure' || session.codes.has(title);
  const unclear = titles.filter(isUnclear);
  const likely = titles.filter((group) => !isUnclear(group) && group.certainty === 'likely');
  const others = titles.filter((group) => !isUnclear(group) && group.certainty !== 'likely');
  const fold = (groups: readonly TitleGroup[], words: string) =>
    groups.length > 0
      ? html`<details><summary>${words}</summary>${viewTitles(groups, session)}</details>`
      : '';
  const open = unclear.filter(({ title }) => !session.codes.has(title)).length;
  return html`<section class="card" aria-labelledby="import-titles">
    <h4 id="import-titles">Titles <span class="count">${open > 0 ? `${open} to settle` : 'all clear'}</span></h4>
    ${unclear.length > 0 ? viewTitles(unclear, session) : ''}
    ${fold(likely, `${formatAmount(likely.length, 'title was', 'titles were')} guessed: review`)}
    ${fold(others, `${formatAmount(others.length, 'title is', 'titles are')} clear`)}
  </section>`;
}

/** Whether the page can write the text of a group: into its column, or into a new one. */
const canWrite = ({ column, member }: ValueGroup, { sheet, kind }: ImportSession): boolean =>
  sheet !== undefined && (column !== undefined || kindOf(kind!).importable.includes(member));

/** Shows a field for another text, which is written into all rows of the group. */
function viewCorrection(group: ValueGroup, session: ImportSession): TemplateResult {
  const { key, member, value, rows } = group;
  const id = `value-${key.replaceAll(/\W+/g, '-')}`;
  const target = session.reply?.mapping.find(({ from }) => from === member)?.to ?? member;
  const choices = listChoices(session.kind!, target);
  const write = (event: SubmitEvent) => {
    event.preventDefault();
    const { value: text } = (event.currentTarget as HTMLFormElement).querySelector('input')!;
    if (text.trim() !== value) writeValue(group, text.trim());
  };
  return html`<form class="correction" autocomplete="off" @submit=${write}>
    <label class="unseen" for=${id}>${member} in ${formatAmount(rows.length, 'row')}</label>
    <input id=${id} .value=${value} dir="auto" list=${`${id}-choices`} />
    <datalist id=${`${id}-choices`}>${choices.map((choice) => html`<option value=${choice}></option>`)}</datalist>
    <button type="submit" class="button quiet">Change${rows.length > 1 ? ` in ${rows.length} rows` : ''}</button>
  </form>`;
}

function viewValue(group: ValueGroup, session: ImportSession): TemplateResult {
  const { member, column, value, why, rows } = group;
  const name = column === undefined ? nameMember(session.kind!, member) : member;
  const isWritable = canWrite(group, session);
  const leave = () => leaveRows(rows);
  const empty = value !== '' && isWritable ? button('Leave empty', () => writeValue(group, ''), 'link') : '';
  return html`<li class="settle">
    <div><p><strong>${value === '' ? isolate(name) : html`“${isolate(value)}”`}</strong>
        ${value === '' ? '' : html`<span class="note">${isolate(name)}</span>`}</p>
      ${why ? html`<p dir="auto">${toSentenceCase(describeWhy(why))}</p>` : ''}
      <p class="note">${describeRows(group)}</p></div>
    <div>${isWritable ? viewCorrection(group, session) : ''}
      <p class="actions">${empty}
        ${session.sheet ? button(`Leave out ${formatAmount(rows.length, 'row')}`, leave, 'link') : ''}</p></div>
  </li>`;
}

const viewValues = (groups: readonly ValueGroup[], session: ImportSession): TemplateResult =>
  html`<ul class="plain settling">${repeat(
    groups,
    ({ key }) => key,
    (group) => viewValue(group, session),
  )}</ul>`;

const viewDoubt = ({ words, message, groups }: Doubt, session: ImportSession): TemplateResult =>
  html`<details><summary>${words}: review</summary>
    <p class="note">${toSentenceCase(message)}.</p>
    ${viewValues(groups, session)}</details>`;

/** Shows what is to be settled, grouped by what the file says. */
export function viewValuesStep(findings: ImportFindings, session: ImportSession): TemplateResult {
  const { problems, doubts } = findings;
  return html`${viewTitlePart(findings, session)}
    ${
      problems.length > 0
        ? html`<section class="card" aria-labelledby="import-problems">
          <h4 id="import-problems">Problems <span class="count">${problems.length} to settle</span></h4>
          ${viewValues(problems, session)}</section>`
        : viewNote('Everything else in the file can be read.')
    }
    ${
      doubts.length > 0
        ? html`<section class="card" aria-labelledby="import-doubts"><h4 id="import-doubts">To look at, if you like</h4>
          ${doubts.map((doubt) => viewDoubt(doubt, session))}</section>`
        : ''
    }`;
}
