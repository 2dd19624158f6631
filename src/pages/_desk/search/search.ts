/** The search over all kinds of records, and the panel below its field. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { formatAmount, formatCount } from '../../_scripts/format.ts';
import { isolate, isolateEach } from '../../_scripts/isolate.ts';
import { readList } from '../common/names.ts';
import { viewStatus } from '../common/parts.ts';
import { formatRowName, listNoteParts } from '../lists/columns.ts';
import type { KindFacts, PageRecord } from '../state/model.ts';
import { facts, kindOfId } from '../state/page-facts.ts';
import { formatHash } from '../state/route.ts';
import { type FoundRecords, type SearchState, state } from '../state/state.ts';
import { updateState } from '../state/update.ts';

/** How long the person pauses before the search begins, in milliseconds. */
const pauseMs = 150;
/** Records of each kind that the panel shows at most. */
const mostShown = 5;

/** A line of the panel that can be chosen, and the address that it leads to. */
interface Option {
  href: string;
  words: TemplateResult;
}

/** Changes the search, and draws it. */
const changeSearch = (change: Partial<SearchState>) =>
  updateState({ search: { ...state.search, ...change } });

/** Aborts the requests of the search before this one, and returns the signal of this one. */
function replaceRunning(): AbortSignal {
  state.search.running.abort();
  state.search.running = new AbortController();
  return state.search.running.signal;
}

/** Reads the first records of each kind that the words find. Changes nothing if a newer search has begun. */
async function findWords(words: string): Promise<void> {
  const signal = replaceRunning();
  const readKind = async (kind: KindFacts): Promise<FoundRecords> => {
    const { rows, total } = await readList(kind, { q: words, limit: String(mostShown) }, signal);
    return { kind, rows, total };
  };
  try {
    const found = await Promise.all(facts.kinds.map(readKind));
    if (signal.aborted) return;
    changeSearch({ words, found, failed: undefined, active: -1 });
  } catch (error) {
    if (signal.aborted) return;
    changeSearch({ words, found: undefined, failed: (error as Error).message, active: -1 });
  }
}

/** Closes the panel and drops the search that is under way. */
function close(): void {
  clearTimeout(state.search.timer);
  state.search.running.abort();
  changeSearch({ isOpen: false, active: -1 });
}

/** Goes to an address, and empties the search. */
function goTo(href: string): void {
  const field = document.querySelector<HTMLInputElement>('#look')!;
  field.value = '';
  field.blur();
  changeSearch({ words: '', found: undefined, failed: undefined });
  close();
  location.hash = href;
}

/** Starts a search when the person has paused. */
function onInput({ target }: Event): void {
  const words = (target as HTMLInputElement).value.trim();
  const { search } = state;
  if (words === search.words) return;
  clearTimeout(search.timer);
  if (words === '' || kindOfId(words)) search.running.abort();
  else search.timer = setTimeout(() => findWords(words), pauseMs);
  changeSearch({ words, failed: undefined, active: -1, isOpen: words !== '' });
}

/** Opens the record of an id that is pasted. */
function onPaste(event: ClipboardEvent): void {
  const text = event.clipboardData?.getData('text').trim() ?? '';
  if (!kindOfId(text)) return;
  event.preventDefault();
  goTo(`#${text}`);
}

/** Shows a found record: its name, its client or place, and its status. */
const viewFound = (
  kind: KindFacts,
  row: PageRecord,
) => html`<span class="found-name"><bdi>${formatRowName(kind, row)}</bdi>
  <span class="note">${isolateEach(listNoteParts(kind, row), ' · ')}</span></span> ${viewStatus(row.status)}`;

/** Lists the options of a kind: the records, and the whole list if there are more. */
function listOptions({ kind, rows, total }: FoundRecords): Option[] {
  const records = rows.map((row) => ({ href: `#${row.id}`, words: viewFound(kind, row) }));
  const all = {
    href: formatHash(kind, { q: state.search.words }),
    words: html`<span>All ${formatCount(total)} ${kind.plural}</span>`,
  };
  return total > rows.length ? [...records, all] : records;
}

interface Group {
  title: string;
  options: Option[];
}

/** Lists what the panel offers: the record of an id, or what was found of each kind. */
function listGroups(): Group[] {
  const { words, found = [] } = state.search;
  const kind = kindOfId(words);
  if (kind)
    return [
      { title: 'Id', options: [{ href: `#${words}`, words: html`<span>Open this ${kind.noun}</span>` }] },
    ];
  return found
    .map((one) => ({ title: one.kind.plural, options: listOptions(one) }))
    .filter(({ options }) => options.length > 0);
}

const idOf = (index: number) => `found-${index}`;

function moveTo(index: number): void {
  changeSearch({ active: index });
  document.getElementById(idOf(index))?.scrollIntoView({ block: 'nearest' });
}

/** Moves through the options by the arrow keys, and closes the panel by Escape. */
function onKey(event: KeyboardEvent): void {
  const { words, isOpen, active } = state.search;
  const count = listGroups().flatMap(({ options }) => options).length;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Escape' && isOpen) {
    event.preventDefault();
    close();
  } else if (step !== undefined && words !== '') {
    event.preventDefault();
    changeSearch({ isOpen: true });
    // From -1, which is the field itself, a step up leads to the last option.
    moveTo(((active + 1 + step + count + 1) % (count + 1)) - 1);
  }
}

/** Opens the option that the arrow keys have come to, the record of an id, or the list that contains the words. */
async function submit(event: SubmitEvent): Promise<void> {
  event.preventDefault();
  const { words, active, timer } = state.search;
  if (words === '') return;
  const option = listGroups().flatMap(({ options }) => options)[active];
  if (option) return goTo(option.href);
  if (kindOfId(words)) return goTo(`#${words}`);
  clearTimeout(timer);
  await findWords(words);
  const { found = [] } = state.search;
  if (state.search.words !== words) return;
  const { kind } = found.find(({ total }) => total > 0) ?? { kind: facts.kinds[0]! };
  goTo(formatHash(kind, { q: words }));
}

function viewOption({ href, words }: Option, index: number): TemplateResult {
  return html`<li role="option" id=${idOf(index)} aria-selected=${index === state.search.active ? 'true' : 'false'}
    @click=${() => goTo(href)}>${words}</li>`;
}

function viewGroups(groups: readonly Group[]): TemplateResult[] {
  let before = 0;
  return groups.map(({ title, options }) => {
    const from = before;
    before += options.length;
    return html`<ul class="plain" role="group" aria-label=${title}>
      <li class="group-name" role="presentation">${title}</li>
      ${options.map((option, index) => viewOption(option, from + index))}
    </ul>`;
  });
}

/** Says how many records were found, or that there are none. */
function describeFound(): unknown {
  const { words, found, failed } = state.search;
  if (failed || words === '' || kindOfId(words)) return failed ?? '';
  if (!found) return 'Searching …';
  const amounts = found.flatMap(({ kind, total }) =>
    total > 0 ? formatAmount(total, kind.noun, kind.plural) : [],
  );
  return amounts.length > 0
    ? amounts.join(', ')
    : html`Nothing found for “${isolate(words)}”. Names, titles, clients, skills and places are searched.`;
}

function viewPanel(groups: readonly Group[]): TemplateResult {
  const { isOpen } = state.search;
  return html`<div class="found card" ?hidden=${!isOpen} @mousedown=${(event: Event) => event.preventDefault()}>
    <div id="found" role="listbox" aria-label="Found" ?hidden=${groups.length === 0}>${viewGroups(groups)}</div>
    <p class="note" role="status">${isOpen ? describeFound() : ''}</p>
  </div>`;
}

/** Shows the search over all kinds of records. The key `/` moves the focus to it. */
export function viewSearch(): TemplateResult {
  const { isOpen, active } = state.search;
  const groups = isOpen ? listGroups() : [];
  const isListed = groups.length > 0;
  return html`<form class="searching" role="search" aria-label="Workspace" @submit=${submit} @focusout=${close}>
  <label class="unseen" for="look">Search people, orders and placements</label>
  <input id="look" type="search" placeholder="Search people, orders, placements" autocomplete="off" spellcheck="false"
    dir="auto" maxlength="200" aria-keyshortcuts="/" role="combobox" aria-autocomplete="list" aria-controls="found"
    aria-expanded=${isListed ? 'true' : 'false'} aria-activedescendant=${active >= 0 ? idOf(active) : nothing}
    @input=${onInput} @keydown=${onKey} @paste=${onPaste} />
  <kbd aria-hidden="true">/</kbd>
  ${viewPanel(groups)}
</form>`;
}

/** Moves the focus to the search when the person presses `/` outside a field. */
export function focusSearch(event: KeyboardEvent): void {
  const isTyping = (event.target as Element).closest(
    'input:not([type=checkbox]), textarea, select, dialog, [contenteditable]',
  );
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  const field = document.querySelector<HTMLInputElement>('#look');
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
}
