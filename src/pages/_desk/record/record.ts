/** The page of one record: its members, its outcome, its history, and the dialogs that change it. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { dayFromNow, formatDate, formatDollars, formatPay, toSentenceCase } from '../../_scripts/format.ts';
import { abbreviateName } from '../../_scripts/initials.ts';
import { isolate } from '../../_scripts/isolate.ts';
import { readRecordActivity } from '../activity/activity.ts';
import { describeCourse } from '../common/course.ts';
import {
  formatTitle,
  hasName,
  learnNames,
  learnReferences,
  readList,
  viewName,
  viewTitle,
} from '../common/names.ts';
import { learnOccupation, occupationOf } from '../common/occupations.ts';
import { viewLoaded, viewStatus } from '../common/parts.ts';
import { describeOpenings, viewCourse, viewRow } from '../common/record-parts.ts';
import { attempt } from '../common/toast.ts';
import { loadMatches, viewMatches } from '../matches/matches.ts';
import { read } from '../state/client.ts';
import { hasFailed, load } from '../state/load.ts';
import { isPlacement, type KindFacts, type OpenedRecord, type PageRecord } from '../state/model.ts';
import { facts, kindOfId } from '../state/page-facts.ts';
import { formatHash } from '../state/route.ts';
import { type PartState, state } from '../state/state.ts';
import { updateState } from '../state/update.ts';
import { viewDocument } from './files.ts';
import { canShare, shareShortlist, viewOutcome, viewShare } from './outcome.ts';
import { type PrimaryAction, viewActions } from './record-actions.ts';
import { viewHistory } from './record-history.ts';

/** The most records that are shown of those that refer to this one. */
const mostHolders = 10;

/** Reads the records that refer to a record: the placements of a person or an order. */
async function readHolders(kind: KindFacts, id: string): Promise<OpenedRecord['holders']> {
  for (const holder of facts.kinds) {
    const [member] = Object.entries(holder.references).find(([, of]) => of === kind.name) ?? [];
    if (member)
      return { kind: holder, page: await readList(holder, { [member]: id, limit: String(mostHolders) }) };
  }
  return undefined;
}

async function readRecord(kind: KindFacts, id: string): Promise<PartState<OpenedRecord>> {
  const { body, tag } = await read(`${kind.path}/${id}`, { orNothing: true });
  const row = body[kind.name] as PageRecord | undefined;
  if (!row) {
    const failed = `This ${kind.noun} is not in the workspace: it was deleted, or belongs to another one.`;
    return { failed, isGone: true };
  }
  learnNames([row]);
  const [holders, changes] = await Promise.all([
    readHolders(kind, id),
    row.example ? [] : readRecordActivity(id),
    learnReferences(kind, [row]),
    learnOccupation(row.onetCode),
  ]);
  return { kind, row, tag, holders, changes };
}

/** Returns the open record, or undefined if it has not been read. */
const findOpenedRecord = ({ record }: typeof state) => (record && !hasFailed(record) ? record : undefined);

/** Reads the record that the address names, and moves the focus to a new one. */
export async function loadRecord(): Promise<void> {
  const { id, kind } = state.route;
  const { focused } = state;
  if (id === undefined) focused.record = undefined;
  if (id === undefined || !state.workspace) return;
  const before = findOpenedRecord(state);
  await load('record', () => readRecord(kind, id));
  if (state.route.id !== id) return;
  const shown = findOpenedRecord(state);
  if (before && shown && before.row.revision !== shown.row.revision) updateState({ matches: undefined });
  if (shown && kind.name === 'jobOrder' && !state.matches) loadMatches(shown);
  if (focused.record !== id) document.getElementById('record-name')?.focus();
  focused.record = id;
}

/** Shows a value for a person. The id of a record and the code of an occupation become links. */
function viewValue(row: PageRecord, name: string, value: unknown): unknown {
  if (name === 'onetCode')
    return html`<a href=${`/occupations/${value}.html`}>${occupationOf(row.onetCode).title}</a>
      <span class="code-text">${value}</span>`;
  if (/Usd(Hour|Year)$/.test(name)) return formatPay(name, value as number);
  if (Array.isArray(value))
    return html`<ul class="tags plain">${value.map((one) => html`<li dir="auto">${one}</li>`)}</ul>`;
  const text = String(value);
  const kind = kindOfId(text);
  if (!kind) return isolate(text);
  const isGone = Object.entries(row.links).some(([of, href]) => of === kind.name && href === null);
  if (isGone) return `${text}, which is not here`;
  const code = hasName(text) ? text : '';
  return html`<a href=${`#${text}`} dir="auto">${viewName(text)}</a> <span class="code-text">${code}</span>`;
}

/** Shows from when a person is free. */
function viewFreeFrom({ freeFrom }: PageRecord): unknown {
  if (freeFrom === undefined) return '';
  const words = typeof freeFrom === 'string' ? formatDate(freeFrom) : 'No end of the placement is known';
  return html`<div><dt>Free from</dt><dd>${words}</dd></div>`;
}

/** Shows the members of a record, with the labels of its form. */
function viewMembers({ kind, row }: OpenedRecord): TemplateResult {
  const isShown = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  const fields = [...kind.fields, ...kind.moving].filter(({ name }) => name !== 'ref' && isShown(row[name]));
  const { pay } = 'outcome' in row ? {} : occupationOf(row.onetCode);
  const { p10, median, p90 } = pay?.hourly ?? {};
  return html`<dl class="facts">${fields.map(
    ({ name, title, type }) =>
      html`<div><dt>${title}</dt><dd dir="auto">${
        type === 'date' ? formatDate(String(row[name])) : viewValue(row, name, row[name])
      }</dd></div>`,
  )}${viewFreeFrom(row)}${
    p10 && median && p90
      ? html`<div><dt>Usual pay</dt><dd>${formatDollars(p10)} to ${formatDollars(p90)} an hour, median ${formatDollars(median)}
          <span class="note">(10th to 90th percentile, ${pay?.release})</span></dd></div>`
      : ''
  }</dl>`;
}

function viewHolders({ holders }: OpenedRecord): unknown {
  const { kind, page } = holders ?? {};
  if (!kind || !page || page.rows.length === 0) return '';
  const title = toSentenceCase(kind.plural);
  const words = page.total > page.rows.length ? `The newest ${page.rows.length} of ${page.total}.` : '';
  return html`<section aria-label=${title}>
    <h3 id="holders-name" tabindex="-1">${title}</h3>
    <ul class="plain records">${page.rows.map((row) => viewRow(kind, row))}</ul>
    ${words ? html`<p class="note">${words}</p>` : ''}
  </section>`;
}

/** Moves to the matches of the record, and opens them. */
function goToMatches(): void {
  const heading = document.getElementById('matching-name');
  const folded = heading?.closest('details');
  if (folded) folded.open = true;
  heading?.scrollIntoView();
  heading?.focus({ preventScroll: true });
}

/** Returns what a person most likely does next with a candidate or an order. */
function findPrimary(shown: OpenedRecord): PrimaryAction | undefined {
  const { kind, row } = shown;
  if (canShare(shown))
    return { words: 'Share the shortlist', run: () => attempt(() => shareShortlist(shown)) };
  if (kind.name === 'candidate' && row.status === 'available')
    return { words: 'Propose to an order', run: goToMatches };
  if (kind.name === 'jobOrder' && row.status === 'open') return { words: 'Find people', run: goToMatches };
  return undefined;
}

function viewShown(shown: OpenedRecord): TemplateResult {
  const { kind, row } = shown;
  const placement = isPlacement(row) ? row : undefined;
  return html`<div class="record-title">
      <bdi class="avatar" aria-hidden="true">${abbreviateName(formatTitle(kind, row))}</bdi>
      <div>
        <h2 id="record-name" tabindex="-1" dir="auto">${viewTitle(kind, row)}</h2>
        <p>${viewStatus(row.status)} ${describeOpenings(row)} <span class="code-text">${[row.id, row.ref].filter(Boolean).join(' · ')}</span></p>
      </div>
      ${viewActions(shown, findPrimary(shown))}
    </div>
    <div class="record-columns">
      <div>
        ${viewMembers(shown)}
        ${placement ? viewCourse(describeCourse(placement, dayFromNow())) : ''}
        ${placement ? viewOutcome(shown, placement) : ''}
        ${viewShare(shown)}
        ${viewHolders(shown)}
        ${'outcome' in row ? '' : viewMatches(shown)}
      </div>
      <div>${viewDocument(shown)} ${viewHistory(shown)}</div>
    </div>`;
}

/** Shows the record that the address names. */
export function viewRecord(): TemplateResult {
  const { record, route, lastList } = state;
  const { id, kind } = route;
  const back = formatHash(kind, lastList.kind === kind ? lastList.query : {});
  const body = viewLoaded(record, loadRecord, viewShown);
  const name = hasFailed(record) && (record.isGone ? 'Not here' : 'Could not be read');
  return html`<section class="part full record-page" aria-labelledby=${record ? 'record-name' : nothing}>
    <div class="body record">
      <p class="crumb"><a href=${back}>All ${kind.plural}</a> / ${kind.noun}</p>
      ${record ? '' : html`<p class="note">Reading …</p>`}
      ${name ? html`<h2 id="record-name" tabindex="-1">${name}</h2>${body}<p class="note mono">${id}</p>` : body}
    </div>
  </section>`;
}
