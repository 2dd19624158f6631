/** The activity: what was done in the workspace, by day, and in the history of a record. */
import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { formatClock, formatCount, formatDateTime, toSentenceCase } from '../../_scripts/format.ts';
import { isolate } from '../../_scripts/isolate.ts';
import { findVisitor } from '../../_scripts/visitor.ts';
import { button, viewLoaded, viewNote } from '../common/parts.ts';
import { isOwner, read } from '../state/client.ts';
import { hasFailed, load } from '../state/load.ts';
import { facts } from '../state/page-facts.ts';
import { formatHash } from '../state/route.ts';
import { state } from '../state/state.ts';
import {
  type ActivityPage,
  findExampleDay,
  groupByDay,
  listReasons,
  mergeActivity,
} from './activity-page.ts';
import {
  type ActivityRecord,
  type ActivityRow,
  countEntryRecords,
  type PlacementNames,
  type SentenceFacts,
  type SentencePart,
  tellEntry,
  tellNamed,
} from './activity-sentence.ts';

const path = '/workspace/activity';
const pageSize = 30;

const listPlacements = (entries: readonly ActivityRow[]) =>
  entries.flatMap(({ records }) => records.filter(({ kind, name }) => kind === 'placement' && name !== null));

/** Returns what is known of a placement, if its names are still these. */
function findPlacement({ id, name }: ActivityRecord): PlacementNames | undefined {
  const known = state.names.placements.get(id);
  return known?.joined === name ? known : undefined;
}

interface PlacementRow {
  id: string;
  candidateName: string | null;
  title: string | null;
  status: string;
  createdAt: string;
  transitions?: { from: string }[];
}

/** Reads the names of the newest placements if an entry has a placement that is not known. */
async function learnPlacements(entries: readonly ActivityRow[]): Promise<void> {
  const { placements, unknownPlacements } = state.names;
  const keyOf = ({ id, name }: ActivityRecord) => `${id} ${name}`;
  const listUnknown = () => listPlacements(entries).filter((record) => !findPlacement(record));
  if (listUnknown().every((record) => unknownPlacements.has(keyOf(record)))) return;
  const query = `limit=${facts.maxLimit}&fields=candidateName,title,status,createdAt,transitions`;
  const rows = ((await read(`/placements?${query}`)).body.placements ?? []) as PlacementRow[];
  for (const { id, candidateName, title, status, createdAt, transitions } of rows) {
    if (candidateName === null || title === null) continue;
    const firstStatus = transitions?.[0]?.from ?? status;
    const joined = `${candidateName}, ${title}`;
    placements.set(id, { person: candidateName, job: title, joined, createdAt, firstStatus });
  }
  for (const record of listUnknown()) unknownPlacements.add(keyOf(record));
}

interface ActivityAnswer {
  activity?: ActivityRow[];
  nextCursor?: string;
  truncated?: boolean;
}

async function readPage(query: Record<string, string>): Promise<ActivityAnswer> {
  return (await read(`${path}?${new URLSearchParams(query)}`)).body;
}

/** Reads the newest changes of a record, newest first. */
export async function readRecordActivity(id: string): Promise<ActivityRow[]> {
  const { activity = [] } = await readPage({ record: id, limit: String(facts.maxLimit) });
  await learnPlacements(activity);
  return activity;
}

async function readFirst(): Promise<ActivityPage> {
  const { activity = [], nextCursor } = await readPage({ limit: String(pageSize) });
  return { entries: activity, next: nextCursor };
}

/** Reads what is newer than the page. If that is too much for one read, reads the first page again. */
async function readNewer(page: ActivityPage): Promise<ActivityPage> {
  const since = String(page.entries[0]!.revision);
  const { activity = [], nextCursor, truncated } = await readPage({ since, limit: String(facts.maxLimit) });
  if (truncated || nextCursor) return readFirst();
  return mergeActivity(page, activity.toReversed());
}

const findShown = () => (state.activity && !hasFailed(state.activity) ? state.activity : undefined);

/** Reads the activity for the page Today: what is new since the last time. */
export async function loadActivity(): Promise<void> {
  if (state.route.view !== 'today' || !state.workspace) return;
  const shown = findShown();
  await load('activity', async () => {
    const page = shown && shown.entries.length > 0 ? await readNewer(shown) : await readFirst();
    await learnPlacements(page.entries);
    return page;
  });
}

/** Reads older entries, and moves the focus to the first of them. */
async function loadOlder(cursor: string): Promise<void> {
  const shown = findShown();
  if (!shown) return;
  await load('activity', async () => {
    const { activity = [], nextCursor } = await readPage({ limit: String(pageSize), cursor });
    const entries = [...shown.entries, ...activity];
    await learnPlacements(entries);
    return { entries, next: nextCursor };
  });
  const firstOlder = document.querySelectorAll<HTMLElement>('.feed li')[shown.entries.length];
  firstOlder?.focus();
}

/** Shows a part of a sentence. A name is isolated, and leads to its record. */
function viewSentencePart(part: SentencePart): unknown {
  if (typeof part === 'string') return part;
  const { name, id } = part;
  return id === undefined ? isolate(name) : html`<a href=${`#${id}`}>${isolate(name)}</a>`;
}

const readSentenceFacts = (): SentenceFacts => ({
  isOwner: isOwner(),
  visitor: findVisitor(),
  kinds: facts.kinds,
  findPlacement,
});

/** Shows who did what, to which records. */
export function viewSentence(entry: ActivityRow): TemplateResult {
  const sentenceFacts = readSentenceFacts();
  // What an import tells happened elsewhere: the person at this page did not do it.
  const reader = entry.imported ? { ...sentenceFacts, isOwner: false, visitor: '' } : sentenceFacts;
  const [actor, ...rest] = tellEntry(entry, reader);
  const mark = entry.imported ? ' (imported)' : '';
  return html`<strong>${viewSentencePart(actor)}</strong> ${rest.map(viewSentencePart)}${mark}`;
}

/** Shows when an entry was recorded. An entry of an example has the day of its heading, and no time of day. */
function viewTime(entry: ActivityRow): TemplateResult {
  const { at } = entry;
  const recorded = `${formatDateTime(at)}, ${formatDateTime(at, 'UTC')}`;
  if (findExampleDay(entry) === undefined)
    return html`<time datetime=${at} title=${recorded}>${formatClock(at)}</time>`;
  return html`<span title=${`The day is part of an example. Recorded ${recorded}`}>–</span>`;
}

const viewReason = ({ name, reason }: ReturnType<typeof listReasons>[number]): TemplateResult =>
  html`<p class="note">${name === undefined ? '' : html`${isolate(name)}: `}${isolate(reason)}</p>`;

/** Shows links to the lists of all kinds. */
const viewLists = () =>
  facts.kinds.map(
    (kind, index) =>
      html`${index > 0 ? ', ' : ''}<a href=${formatHash(kind)}>${toSentenceCase(kind.plural)}</a>`,
  );

/** Lists the records of an entry of several, if a person opens them. An entry names the first of many. */
function viewRecords(entry: ActivityRow): TemplateResult | string {
  const { records, more = 0 } = entry;
  if (countEntryRecords(entry) < 2) return '';
  const sentenceFacts = readSentenceFacts();
  return html`<details class="entry-records"><summary>Which</summary>
    <p>${records.map((record, index) => html`${index > 0 ? ', ' : ''}${tellNamed(record, sentenceFacts).map(viewSentencePart)}`)}${
      more > 0 ? html`, and ${formatCount(more)} more in ${viewLists()}` : ''
    }</p>
  </details>`;
}

function viewEntry(entry: ActivityRow): TemplateResult {
  return html`<li tabindex="-1">${viewTime(entry)}
    <div><p>${viewSentence(entry)}</p>${viewRecords(entry)}${listReasons(entry).map(viewReason)}</div></li>`;
}

function viewDays({ entries, next }: ActivityPage): unknown {
  if (entries.length === 0) return viewNote('Nothing was done here yet.');
  return html`${repeat(
    groupByDay(entries, Date.now()),
    ({ title }) => title,
    (day) => html`<h3>${day.title}</h3>
      <ol class="plain">${repeat(day.entries, ({ revision }) => revision, viewEntry)}</ol>`,
  )}
  ${next ? html`<p class="actions">${button('Show more', () => loadOlder(next))}</p>` : ''}`;
}

/** Says whether new entries appear by themselves. */
function viewLive(): TemplateResult {
  const isLive = !state.isAway && !hasFailed(state.activity);
  return html`<p class=${`live ${isLive ? 'is-ok' : 'is-empty'}`}>${isLive ? 'Live' : 'Not up to date'}</p>`;
}

/** Shows what was done in the workspace, by day, the newest first. */
export const viewActivity =
  (): TemplateResult => html`<section class="card feed" aria-labelledby="activity-name">
  <header><h2 id="activity-name" tabindex="-1">Activity</h2>${viewLive()}</header>
  <div data-place="activity">${viewLoaded(state.activity, loadActivity, viewDays)}</div>
</section>`;
