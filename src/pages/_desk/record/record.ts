/** The page of one record: its members, its outcome, its history, and the dialogs that change it. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { dayFromNow, formatDay } from '../../_scripts/format.ts';
import { isolateEach } from '../../_scripts/isolate.ts';
import { readRecordActivity } from '../activity/activity.ts';
import { describeCourse } from '../common/course.ts';
import { learnNames, learnReferences, readList, viewTitle } from '../common/names.ts';
import { learnOccupation } from '../common/occupations.ts';
import { viewLoaded, viewNote, viewStatus } from '../common/parts.ts';
import { describeOpenings, listTerms, viewCourse } from '../common/record-parts.ts';
import { attempt } from '../common/toast.ts';
import { viewFit, viewFitList } from '../room/fit-list.ts';
import type { FitOrder, FitPerson } from '../room/fits.ts';
import { focusRow } from '../room/propose.ts';
import { readFits, readOrder } from '../room/read-fits.ts';
import { read } from '../state/client.ts';
import { hasFailed, load } from '../state/load.ts';
import {
  isPlacement,
  type KindFacts,
  type NamedPlacement,
  type OpenedRecord,
  type PageRecord,
  type Placement,
} from '../state/model.ts';
import { facts } from '../state/page-facts.ts';
import { formatHash } from '../state/route.ts';
import { type PartState, state } from '../state/state.ts';
import { viewComments } from './client-comments.ts';
import { readEnding, viewEnding } from './ending.ts';
import { viewDocument } from './files.ts';
import { viewMembers } from './members.ts';
import { viewOutcome } from './outcome.ts';
import { type PrimaryAction, viewActions } from './record-actions.ts';
import { viewHistory } from './record-history.ts';
import { canShare, shareShortlist, viewShare } from './share.ts';

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
    const failed = `This ${kind.noun} is not in this workspace: it was deleted, or belongs to another one.`;
    return { failed, isGone: true };
  }
  learnNames([row]);
  const [holders, changes, ending] = await Promise.all([
    readHolders(kind, id),
    row.example ? [] : readRecordActivity(id),
    kind.name === 'candidate' ? readEnding(row) : [],
    learnReferences(kind, [row]),
    learnOccupation(row.onetCode),
  ]);
  return { kind, row, tag, holders, changes, ending };
}

/** Returns the open record, or undefined if it has not been read. */
const findOpenedRecord = ({ record }: typeof state) => (record && !hasFailed(record) ? record : undefined);

/** Reads the fits of the open record: of an order or a person, or those of the order of a proposal. */
async function loadFits(): Promise<void> {
  const shown = findOpenedRecord(state);
  if (!shown || isPlacement(shown.row)) return;
  const { kind, row } = shown;
  await load('fits', async () => {
    if (kind.name !== 'placement') return readFits(kind.name, row);
    const order = await readOrder(row as NamedPlacement);
    return order ? readFits('jobOrder', order) : { of: row.id, rows: [], more: 0, words: '' };
  });
  focusRow();
}

/** Reads the record that the address names, and moves the focus to a new one. */
export async function loadRecord(): Promise<void> {
  const { id, kind } = state.route;
  const { focused } = state;
  if (id === undefined) focused.record = undefined;
  if (id === undefined || !state.workspace) return;
  await load('record', () => readRecord(kind, id));
  if (state.route.id !== id) return;
  if (focused.record !== id) document.getElementById('record-name')?.focus();
  focused.record = id;
  await loadFits();
}

/** Returns what a person most likely does next with an order. The rows of people have their own buttons. */
function findPrimary(shown: OpenedRecord): PrimaryAction | undefined {
  if (!canShare(shown)) return undefined;
  return { words: 'Share the shortlist', run: () => attempt(() => shareShortlist(shown)) };
}

/** Says the job or the person of a record in one line. */
function viewLine({ kind, row, ending = [] }: OpenedRecord): TemplateResult {
  const {
    startDate,
    endDate,
    shift,
    shifts = [],
    requires = [],
    title,
  } = row as FitOrder & FitPerson & { shift?: string };
  const days = startDate && `${formatDay(startDate)}${endDate ? ` to ${formatDay(endDate)}` : ''}`;
  const parts =
    kind.name === 'placement'
      ? []
      : kind.name === 'jobOrder'
        ? [describeOpenings(row), days, row.metro, shift]
        : [title, row.metro, shifts.length > 0 && `works ${shifts.join(', ')}`];
  const terms = [...parts, ...listTerms(row)].filter((part): part is string => Boolean(part));
  const must =
    requires.length > 0 ? html`<p class="record-line">Must have ${isolateEach(requires, ', ')}</p>` : '';
  return html`<p class="record-line">${viewStatus(row.status)} ${viewEnding(ending)}${isolateEach(terms, ' · ')}</p>${must}`;
}

/** Shows the fits of an order or a person, once they are read. */
function viewFits(shown: OpenedRecord): TemplateResult | string {
  const { fits } = state;
  const side = shown.kind.name === 'jobOrder' ? 'people' : 'orders';
  if (fits === undefined || (!hasFailed(fits) && fits.of !== shown.row.id))
    return viewNote(side === 'people' ? 'Comparing people …' : 'Comparing orders …');
  return viewLoaded(fits, loadFits, (list) => viewFitList(list, side)) as TemplateResult;
}

/** Shows a proposal: the row of its person for its order, open. */
function viewProposal({ row }: OpenedRecord): TemplateResult | string {
  const { fits } = state;
  if (fits === undefined || hasFailed(fits)) return viewNote('Comparing …');
  const fit = fits.rows.find(({ placement }) => placement?.id === row.id);
  if (!fit) return '';
  return html`<div class="card fit-list is-alone"><ol class="plain">${viewFit(fit, 'people', 'evidence')}</ol></div>`;
}

/** Shows what a record is about besides its fits: its members, its files and its history. */
const viewAbout = (shown: OpenedRecord): TemplateResult =>
  html`<div class="record-columns"><div>${viewMembers(shown)}</div>
    <div>${viewDocument(shown)} ${viewHistory(shown)}</div></div>`;

/** Shows an accepted placement: how far it has come, and its outcome. */
const viewAccepted = (shown: OpenedRecord, placement: Placement): TemplateResult =>
  html`<div class="record-columns">
    <div>${viewMembers(shown)} ${viewCourse(describeCourse(placement, dayFromNow()))} ${viewOutcome(shown, placement)} ${viewComments(shown)}</div>
    <div>${viewDocument(shown)} ${viewHistory(shown)}</div>
  </div>`;

function viewBody(shown: OpenedRecord): TemplateResult {
  const { kind, row } = shown;
  if (isPlacement(row)) return viewAccepted(shown, row);
  if (kind.name === 'placement')
    return html`${viewProposal(shown)} ${viewComments(shown)} ${viewAbout(shown)}`;
  if (kind.name === 'candidate') return html`${viewAbout(shown)} ${viewFits(shown)}`;
  return html`${viewShare(shown)} ${viewFits(shown)}
    <details class="about"><summary>About this ${kind.noun}, and its history</summary>${viewAbout(shown)}</details>`;
}

function viewShown(shown: OpenedRecord): TemplateResult {
  const { kind, row } = shown;
  return html`<div class="record-title">
      <div>
        <h2 id="record-name" tabindex="-1" dir="auto">${viewTitle(kind, row)}</h2>
        ${viewLine(shown)}
      </div>
      ${viewActions(shown, findPrimary(shown))}
    </div>
    ${viewBody(shown)}
    <p class="code-text">${[row.id, row.ref].filter(Boolean).join(' · ')}</p>`;
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
      <p class="crumb"><a href=${back}>All ${kind.plural}</a></p>
      ${record ? '' : html`<p class="note">Reading …</p>`}
      ${name ? html`<h2 id="record-name" tabindex="-1">${name}</h2>${body}<p class="note mono">${id}</p>` : body}
    </div>
  </section>`;
}
