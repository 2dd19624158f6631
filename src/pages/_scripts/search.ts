import { registerWorker, type SearchProgress } from '../../hosts/worker/register.ts';
import { el, need } from './dom.ts';
import { formatAmount } from './format.ts';

interface Hit {
  id: string;
  title: string;
  /** Absent if only the titles on the page are searched. */
  summary?: string;
  /** The alternate title that matched, if the title itself did not. */
  matched?: string;
}

interface Answer {
  hits: Hit[];
  total: number;
  /** What to add to the title, if the first hit is not sure. */
  message?: string | undefined;
}

const form = need<HTMLFormElement>(document, '#search');
const found = need<HTMLElement>(document, '#found');
const progress = need<HTMLElement>(document, '#progress');
const list = need<HTMLElement>(document, '#hits');
const groups = need<HTMLElement>(document, '#groups');
const waitMs = 120;
let asked = new AbortController();
let timer: ReturnType<typeof setTimeout> | undefined;
/** Whether the worker has fetched the file that it searches. */
let isFetched = false;

function readForm() {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? '').trim();
  return { q: text('q'), majorGroup: text('majorGroup'), jobZone: text('jobZone') };
}

type SearchQuery = ReturnType<typeof readForm>;

/** Shows the rows of the page that pass the filters. Returns how many. */
function filterRows({ majorGroup, jobZone }: SearchQuery): number {
  let count = 0;
  for (const group of groups.querySelectorAll<HTMLDetailsElement>('[data-group]')) {
    let inGroup = 0;
    for (const row of group.querySelectorAll<HTMLElement>('li')) {
      const fits = jobZone === '' || row.dataset.zone === jobZone;
      row.hidden = !fits;
      if (fits) inGroup += 1;
    }
    group.open = jobZone !== '' || majorGroup !== '';
    need(group, '[data-count]').textContent = formatAmount(inGroup, 'occupation');
    group.hidden = inGroup === 0 || (majorGroup !== '' && group.dataset.group !== majorGroup);
    if (!group.hidden) count += inGroup;
  }
  return count;
}

function drawHits(hits: Hit[]): void {
  const rows = hits.map(({ id, title, summary, matched }) => {
    const words = [el('span', {}, title), ' ', el('span', { class: 'code-text' }, id)];
    const link = el('a', { href: `/occupations/${id}.html` }, ...words);
    const notes = [summary, matched && `also called ${matched}`].filter((note) => note !== undefined);
    return el('li', {}, link, ...notes.map((note) => el('p', { class: 'note' }, note)));
  });
  list.replaceChildren(...rows);
}

/** Searches the titles on the page, for use without a live service and until the worker has fetched its file. */
function searchTitles({ q, majorGroup, jobZone }: SearchQuery): Hit[] {
  const words = q.toLowerCase().split(/\s+/);
  return [...groups.querySelectorAll<HTMLElement>('li')].flatMap((row) => {
    const [name, code] = row.querySelectorAll('span');
    const hit = { title: name?.textContent ?? '', id: code?.textContent ?? '' };
    const inGroup = majorGroup === '' || hit.id.startsWith(`${majorGroup}-`);
    const inZone = jobZone === '' || row.dataset.zone === jobZone;
    return inGroup && inZone && words.every((word) => hit.title.toLowerCase().includes(word)) ? [hit] : [];
  });
}

async function searchService(wanted: SearchQuery, signal: AbortSignal): Promise<Answer> {
  const query = new URLSearchParams({ limit: '50' });
  for (const [name, value] of Object.entries(wanted)) if (value) query.set(name, value);
  const response = await fetch(`/occupations.json?${query}`, { signal });
  const body = await response.json();
  if (!response.ok) throw new Error(body.reason ?? `answered ${response.status}`);
  const { occupations = [], total = 0, certainty } = body;
  return { hits: occupations, total, message: certainty ? body.message : undefined };
}

async function search(): Promise<void> {
  asked.abort();
  asked = new AbortController();
  const { signal } = asked;
  const wanted = readForm();
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
  history.replaceState(null, '', query.size > 0 ? `?${query}` : location.pathname);
  list.hidden = wanted.q === '';
  groups.hidden = wanted.q !== '';
  if (wanted.q === '') {
    found.textContent = formatAmount(filterRows(wanted), 'occupation');
    return;
  }
  try {
    const kind = await registerWorker();
    if (signal.aborted) return;
    if (kind === 'none' || kind === 'away')
      return drawTitles(wanted, '; without a live service only titles are searched');
    if (kind === 'browser' && !isFetched) drawTitles(wanted, '; alternate titles follow');
    const answer = await searchService(wanted, signal);
    isFetched = true;
    if (!signal.aborted) draw(answer);
  } catch (error) {
    if (!signal.aborted) found.textContent = `The search failed: ${(error as Error).message}`;
  }
}

function drawTitles(wanted: SearchQuery, note: string): void {
  const hits = searchTitles(wanted);
  draw({ hits, total: hits.length }, note);
}

function draw({ hits, total, message }: Answer, note = ''): void {
  drawHits(hits);
  const shown = hits.length < total ? `, the best ${hits.length} shown` : '';
  const none = note === '' ? 'No occupation fits. Try other or fewer words.' : `No title fits${note}`;
  const told = `${formatAmount(total, 'occupation')}${shown}${note}`;
  found.textContent = total === 0 ? none : message ? `${told}. ${message}` : told;
}

function tellProgress({ data }: MessageEvent<Partial<SearchProgress>>): void {
  const isShown = readForm().q !== '' && !isFetched;
  if (data.search === undefined || !isShown) return;
  progress.hidden = data.search >= 1;
  progress.textContent = `Fetching all titles for this browser: ${Math.round(100 * data.search)} %`;
}

if ('serviceWorker' in navigator) navigator.serviceWorker.addEventListener('message', tellProgress);

form.addEventListener('submit', (event) => {
  event.preventDefault();
  search();
});
form.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(search, waitMs);
});

for (const [name, value] of new URLSearchParams(location.search)) {
  const control = form.elements.namedItem(name);
  if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) control.value = value;
}
if (Object.values(readForm()).some(Boolean)) search();
