import { el, need } from '../dom.ts';
import { toAmount, toCount } from '../numbers.ts';
import { current, facts, onWorkspace, place } from './desk.ts';
import { button, redraw } from './dialog.ts';
import type { FieldFacts, KindFacts } from './facts.ts';
import { lookFor } from './look.ts';
import { type Page, readPage } from './read-page.ts';
import { learnReferred } from './referred.ts';
import { drawRow } from './row.ts';

/** Rows of a page: a workspace may hold ten thousand. */
const pageSize = 20;

let kind: KindFacts = facts.kinds[0]!;
let filters: Record<string, string> = {};
/** Where the pages before this one began, the first of all by ''. */
let cursors = [''];

function drawTabs(): HTMLElement[] {
  const counts = current()?.records ?? {};
  return facts.kinds.map((one) => {
    const words = `${one.plural[0]!.toUpperCase()}${one.plural.slice(1)} ${toCount(counts[one.collection] ?? 0)}`;
    const tab = button(words, () => choose(one), one === kind ? 'on' : 'quiet', `tab-${one.name}`);
    tab.setAttribute('aria-pressed', String(one === kind));
    return tab;
  });
}

/** Shows the list of a kind, from its newest record on. */
function choose(one: KindFacts): Promise<void> {
  if (one !== kind) {
    kind = one;
    filters = {};
    drawFilters();
  }
  cursors = [''];
  return showList();
}

function drawFilter({ name, title, type, choices, hint }: FieldFacts): HTMLElement {
  const id = `filter-${name}`;
  const options = ['', ...(choices ?? [])].map((one) =>
    el('option', { value: one }, one === '' ? 'Any' : one.replaceAll('-', ' ')),
  );
  const control = choices
    ? el('select', { id, name }, ...options)
    : el('input', {
        id,
        name,
        type: type === 'date' ? 'date' : 'text',
        autocomplete: 'off',
        maxlength: 200,
        title: hint,
      });
  control.addEventListener('change', () => {
    filters = { ...filters, [name]: control.value.trim() };
    cursors = [''];
    showList();
  });
  return el('div', {}, el('label', { for: id }, title), control);
}

function drawFilters(): void {
  const status: FieldFacts = {
    name: 'status',
    title: 'Status',
    hint: '',
    type: 'choice',
    choices: kind.statuses,
    required: false,
  };
  place('filters').replaceChildren(...[status, ...kind.filters].map(drawFilter));
}

function drawPager({ rows, total, next }: Page): HTMLElement {
  const first = (cursors.length - 1) * pageSize + 1;
  const words =
    total > rows.length
      ? `${toCount(first)} to ${toCount(first + rows.length - 1)} of ${toAmount(total, kind.noun, kind.plural)}, the newest first`
      : '';
  const turn = (to: string[]) => {
    cursors = to;
    return showList();
  };
  return el(
    'p',
    { class: 'actions pager' },
    cursors.length > 1 ? button('Newer', () => turn(cursors.slice(0, -1)), 'quiet', 'newer') : '',
    next ? button('Older', () => turn([...cursors, next]), 'quiet', 'older') : '',
    el('span', { class: 'note' }, words),
  );
}

function toNone(): HTMLElement {
  const isFiltered = Object.values(filters).some(Boolean);
  const words = isFiltered
    ? `No ${kind.noun} fits. Take a filter away to see more.`
    : `No ${kind.plural} yet. An agent adds them, or you do: below, or in the console on the API page.`;
  return el('p', { class: 'note' }, words);
}

/** Reads the page that is wanted and draws it. */
async function showList(): Promise<void> {
  const wanted = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
  const [list, tabs] = [place('list'), place('tabs')];
  const cursor = cursors.at(-1);
  redraw(tabs, ...drawTabs());
  try {
    const page = await readPage(kind, { limit: String(pageSize), ...wanted, ...(cursor && { cursor }) });
    await learnReferred(kind, page.rows);
    const rows = page.rows.map((row) => drawRow(kind, row));
    redraw(list, rows.length > 0 ? el('ul', { class: 'plain records' }, ...rows) : toNone(), drawPager(page));
  } catch (error) {
    redraw(list, el('p', { class: 'verdict is-blocked', role: 'alert' }, (error as Error).message));
  }
}

/** The list, its filters and its search; drawn anew whenever what the workspace holds changes. */
export function attachList(): void {
  const form = need<HTMLFormElement>(place('records'), '[data-look]');
  drawFilters();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const words = need<HTMLInputElement>(form, 'input').value.trim();
    if (words === '') showList();
    else lookFor(words, kind, place('list'), showList);
  });
  onWorkspace((_, isNew) => (isNew ? showList() : undefined));
}
