import { html, nothing, type TemplateResult } from 'lit-html';
import { toDate, toDay, toDollars, toMoment, toSentence } from '../format.ts';
import { toCourse } from './course.ts';
import { viewFailed } from './dialog.ts';
import { loadMatches, viewMatches } from './matches.ts';
import { isPlacement, type PresentedRecord, type Shown } from './model.ts';
import { learnOccupation, occupationOf } from './occupations.ts';
import { viewOutcome } from './outcome.ts';
import { viewActions } from './record-actions.ts';
import { toOpeningsWords, viewCourse, viewRows, viewStatus } from './record-row.ts';
import { read } from './session.ts';
import { viewShare } from './share.ts';
import {
  facts,
  failed,
  hasFailed,
  kindOfId,
  learnNames,
  learnReferred,
  nameOf,
  readList,
  state,
  toHash,
  toTitle,
  update,
} from './store.ts';
import { toHistory } from './versions.ts';

/** Records shown at most of those that refer to this one. */
const mostHolders = 10;

/** Reads what refers to a record: the placements of a person, or on an order. */
async function readHolders({ kind, row }: Shown) {
  for (const holder of facts.kinds) {
    const [member] = Object.entries(holder.references).find(([, of]) => of === kind.name) ?? [];
    if (member)
      return { kind: holder, page: await readList(holder, { [member]: row.id, limit: String(mostHolders) }) };
  }
  return undefined;
}

/** The record that had the focus last. */
let shownId: string | undefined;

function showFocus(id: string): void {
  if (state.route.id !== id || shownId === id) return;
  shownId = id;
  document.getElementById('record-name')?.focus();
}

/** Reads the record that the address names, and moves the focus to a new one. */
export async function loadRecord(): Promise<void> {
  const { id, kind } = state.route;
  if (id === undefined) shownId = undefined;
  if (id === undefined || !state.workspace) return;
  const isWanted = () => state.route.id === id;
  try {
    const { body, status, tag } = await read(`${kind.path}/${id}`, { orNothing: true });
    const row = body[kind.name] as PresentedRecord | undefined;
    if (!row || status === 404) {
      const words = `This ${kind.noun} is not in the workspace: it was deleted, or belongs to another one.`;
      if (isWanted()) update({ record: failed(new Error(words), true), holders: undefined });
      return showFocus(id);
    }
    learnNames([row]);
    const shown = { kind, row, tag };
    const [holders] = await Promise.all([
      readHolders(shown),
      learnReferred(kind, [row]),
      learnOccupation(row.onetCode),
    ]);
    if (!isWanted()) return;
    const before = state.record && !hasFailed(state.record) ? state.record.row : undefined;
    const isSame = before?.id === id && before.revision === row.revision;
    update({ record: shown, holders, matches: isSame ? state.matches : undefined });
    if (kind.name === 'jobOrder' && !state.matches) loadMatches(shown);
  } catch (error) {
    if (isWanted()) update({ record: failed(error), holders: undefined });
  }
  showFocus(id);
}

/** A value as a person reads it; what names another record or an occupation links to it. */
function viewValue(row: PresentedRecord, name: string, value: unknown): unknown {
  if (name === 'onetCode')
    return html`<a href=${`/occupations/${value}.html`}>${occupationOf(row.onetCode).title}</a>
      <span class="code-text">${value}</span>`;
  if (name.endsWith('UsdHour')) return `${toDollars(value as number)} an hour`;
  if (Array.isArray(value))
    return html`<ul class="tags plain">${value.map((one) => html`<li dir="auto">${one}</li>`)}</ul>`;
  const text = String(value);
  const kind = kindOfId(text);
  if (!kind) return text;
  const isGone = Object.entries(row.links).some(([of, href]) => of === kind.name && href === null);
  if (isGone) return `${text}, which is not here`;
  const [title, code] = [nameOf(text), nameOf(text) === text ? '' : text];
  return html`<a href=${`#${text}`} dir="auto">${title}</a> <span class="code-text">${code}</span>`;
}

/** The members of a record, titled as its form does. */
function viewMembers({ kind, row }: Shown): TemplateResult {
  const isShown = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  const fields = [...kind.fields, ...kind.moving].filter(({ name }) => name !== 'ref' && isShown(row[name]));
  const { pay } = 'outcome' in row ? {} : occupationOf(row.onetCode);
  const { p10, median, p90 } = pay?.hourly ?? {};
  return html`<dl class="facts">${fields.map(
    ({ name, title, type }) =>
      html`<div><dt>${title}</dt><dd dir="auto">${
        type === 'date' ? toDate(String(row[name])) : viewValue(row, name, row[name])
      }</dd></div>`,
  )}${
    p10 && median && p90
      ? html`<div><dt>Usual pay</dt><dd>${toDollars(p10)} to ${toDollars(p90)} an hour, median ${toDollars(median)}
          <span class="note">(10th to 90th percentile, ${pay?.release})</span></dd></div>`
      : ''
  }</dl>`;
}

function viewHolders(): unknown {
  const { kind, page } = state.holders ?? {};
  if (!kind || !page || page.rows.length === 0) return '';
  const title = toSentence(kind.plural);
  const words = page.total > page.rows.length ? `The newest ${page.rows.length} of ${page.total}.` : '';
  return html`<section aria-label=${title}>
    <h3 id="holders-name" tabindex="-1">${title}</h3>
    ${viewRows(kind, page.rows)}${words ? html`<p class="note">${words}</p>` : ''}
  </section>`;
}

function viewHistory(row: PresentedRecord): TemplateResult {
  const events = toHistory(row);
  if (events.length === 0)
    return html`<p class="note">A public example: everybody sees it, and nobody changes it.</p>`;
  return html`<section aria-label="History">
    <h3>History</h3>
    <ol class="plain history">${events.map(
      ({ at, words, comment }) => html`<li>
        <time datetime=${at} title=${at} class="note">${toMoment(at)}</time>
        <p>${words}</p>
        ${comment ? html`<p class="note" dir="auto">“${comment}”</p>` : ''}
      </li>`,
    )}</ol>
  </section>`;
}

function viewShown(shown: Shown): TemplateResult {
  const { kind, row } = shown;
  const placement = isPlacement(row) ? row : undefined;
  return html`<h2 id="record-name" tabindex="-1" dir="auto">${toTitle(kind, row)}</h2>
    <p>${viewStatus(row.status)} ${toOpeningsWords(row)} <span class="code-text">${[row.id, row.ref].filter(Boolean).join(' · ')}</span></p>
    <div class="record-columns">
      <div>
        ${placement ? viewCourse(toCourse(placement, toDay())) : ''}
        ${viewActions(shown)}
        ${placement ? viewOutcome(shown, placement) : ''}
        ${viewMembers(shown)}
        ${viewHolders()}
        ${viewShare(shown)}
        ${'outcome' in row ? '' : viewMatches(shown)}
      </div>
      <div>${viewHistory(row)}</div>
    </div>`;
}

/** The record that the address names. */
export function viewRecord(): TemplateResult {
  const { record, route } = state;
  const { id, kind } = route;
  const isRead = record !== undefined && (hasFailed(record) || record.row.id === id);
  return html`<section class="part full" aria-labelledby=${isRead ? 'record-name' : nothing}>
    <div class="body record">
      <p class="crumb"><a href=${toHash(kind, state.lastList.kind === kind ? state.lastList.query : {})}>All ${kind.plural}</a> / ${kind.noun}</p>
      ${!isRead ? html`<p class="note">Reading …</p>` : ''}
      ${
        isRead && hasFailed(record)
          ? html`<h2 id="record-name" tabindex="-1">${record.isGone ? 'Not here' : 'Could not be read'}</h2>
            ${record.isGone ? html`<p class="verdict is-blocked" role="alert">${record.failed}</p>` : viewFailed(record.failed, loadRecord)}
            <p class="note mono">${id}</p>`
          : ''
      }
      ${isRead && !hasFailed(record) ? viewShown(record) : ''}
    </div>
  </section>`;
}
