import { html, render } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { undoMinutes } from '../../shortlists/decision-rules.ts';
import type { ShortlistRow } from '../../shortlists/shortlist.ts';
import type { ApiAnswer } from './api-client.ts';
import { el, need, showFacts } from './dom.ts';
import { formatDate } from './format.ts';
import { type CardChoice, type CardState, describeDecision, viewCard } from './shortlist-card.ts';
import { openTokenPage, unknownLink } from './token-page.ts';
import { storeOnDevice } from './token-store.ts';

interface ShortlistOrder {
  client: string;
  title: string;
  metro?: string;
  openings: number;
  openingsLeft: number;
  requires?: string[];
  shift?: string;
  startDate?: string;
  endDate?: string;
  status: string;
}

/** The groups of people, in their order, and their headings. */
const groupWords = { open: 'To decide', met: 'Interviewing already', decided: 'Decided' };
type GroupName = keyof typeof groupWords;
const groupNames = Object.keys(groupWords) as GroupName[];

const list = need<HTMLElement>(document, '[data-rows]');
const about = need<HTMLDetailsElement>(document, '[data-about]');
const left = need<HTMLElement>(document, '[data-left]');
const verdict = need<HTMLElement>(document, '[data-verdict]');
const longestReason = Number(list.dataset.longestReason);
const longestComment = Number(list.dataset.longestComment);

/** Beside the list there is room for all that is said of the job. */
about.open = matchMedia('(min-width: 60rem)').matches;

let order: ShortlistOrder;
let rows: ShortlistRow[] = [];
/** The time of the service minus that of `performance`, which a wrong clock on the device does not change. */
let clockOffset = 0;
let undoTimer: ReturnType<typeof setTimeout> | undefined;
const cards = new Map<string, CardState>();
/** The group of each person. It changes only if this page decides, so that no card moves while a person aims at it. */
const groups = new Map<string, GroupName>();
const closedCard: CardState = { isDeclining: false, isSending: false };

const page = openTokenPage({
  path: '/shortlist',
  header: 'X-Shortlist',
  refusals: {
    401: unknownLink,
    404: 'This person is no longer on the shortlist.',
    412: 'Something changed while you read. Your choice was not taken. You now see the current version.',
    already_decided:
      'This is already decided differently. Undo that decision first, if its card shows Undo. Otherwise it counts.',
    undo_expired: `The ${undoMinutes} minutes are over, so this cannot be undone here. Ask the sender of the link to change it.`,
    undo_overtaken:
      'Something followed this decision, so it cannot be undone here. Ask the sender of the link to change it.',
    too_many_proposals:
      'As many people are proposed as the job takes, so this cannot be undone now. Decide on one of them first, or ask the sender of the link.',
    too_many_comments: 'There is no room for another comment. Tell the sender of the link.',
    order_closed: 'The job order is closed, so nothing more is decided on it.',
  },
  store: storeOnDevice('careers/shortlist'),
  show,
});

const formatDates = ({ startDate, endDate }: ShortlistOrder): string =>
  startDate ? `${formatDate(startDate)}${endDate ? ` to ${formatDate(endDate)}` : ''}` : '';

function describeOpenings({ openings, openingsLeft, status }: ShortlistOrder): string {
  if (status === 'closed') return 'closed';
  if (openingsLeft < openings) return `${openingsLeft} of ${openings} openings left`;
  return openings === 1 ? '1 opening' : `${openings} openings`;
}

function listFacts(of: ShortlistOrder) {
  const facts = [
    ['Client', of.client],
    ['Place', of.metro],
    ['Shift', of.shift],
    ['Dates', formatDates(of)],
    ['Openings', describeOpenings(of)],
    ['Must have', of.requires?.join('; ')],
  ] as const;
  return facts.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
}

const title = need<HTMLElement>(document, '[data-title]');
const line = need<HTMLElement>(document, '[data-line]');
const [firstTitle, firstLine, pageTitle] = [title.textContent, line.textContent, document.title];

/** Shows the job in two lines, and the rest of what is said of it below them. */
function showJob(): void {
  const { client } = order;
  const parts = [client, describeOpenings(order), formatDates(order)].filter(Boolean);
  title.replaceChildren(el('bdi', {}, order.title));
  line.replaceChildren(...parts.flatMap((part, index) => [index === 0 ? '' : ' · ', el('bdi', {}, part)]));
  document.title = `${order.title}, ${client}`;
  showFacts(page.facts, listFacts(order));
  about.hidden = false;
}

/** Removes the job of a link that is not known any more. */
function hideJob(): void {
  title.textContent = firstTitle;
  line.textContent = firstLine;
  document.title = pageTitle;
  need(document, '[data-until]').textContent = '';
  about.hidden = true;
}

function describeCount(open: number, all: number): string {
  if (order.status === 'closed') return 'This job is closed.';
  return open > 0 ? `${open} of ${all} to decide` : 'All are decided.';
}

/** Counts those to decide, at the foot of the window. */
function showCount(): void {
  const asked = rows.filter(({ decision, status }) => decision || status === 'proposed');
  const open = asked.filter(({ decision }) => !decision).length;
  left.hidden = false;
  need(left, '[data-count]').textContent = describeCount(open, asked.length);
  const progress = need<HTMLProgressElement>(left, '[data-progress]');
  progress.max = Math.max(1, asked.length);
  progress.value = asked.length - open;
}

/** Returns the milliseconds for which a decision can still be undone; 0 or less if it cannot. */
const undoTimeLeft = ({ undoableUntil }: ShortlistRow): number =>
  undoableUntil ? Date.parse(undoableUntil) - clockOffset - performance.now() : 0;

/** Draws again when the next decision can no longer be undone. If its button had the focus, its card gets it. */
function scheduleUndoEnd(): void {
  clearTimeout(undoTimer);
  const times = rows.map(undoTimeLeft).filter((time) => time > 0);
  if (times.length === 0) return;
  undoTimer = setTimeout(
    () => {
      const card = document.activeElement?.closest('.fit-row');
      draw();
      if (document.activeElement === document.body) card?.querySelector<HTMLElement>('.decided')?.focus();
    },
    Math.min(...times),
  );
}

function draw(): void {
  const view = (row: ShortlistRow) =>
    viewCard(row, {
      isUndoable: undoTimeLeft(row) > 0,
      isClosed: order.status === 'closed',
      longestReason,
      longestComment,
      state: cards.get(row.id) ?? closedCard,
      change: (change) => changeCard(row.id, change),
      decide: (decision, reason) => decide(row, decision, reason),
    });
  const grouped = Map.groupBy(rows, ({ id }) => groups.get(id)!);
  const viewGroup = (name: GroupName) => {
    const people = grouped.get(name);
    if (!people) return '';
    const isAlone = name === 'open' ? 'unseen' : '';
    return html`<section aria-labelledby=${`group-${name}`}>
      <h2 class=${isAlone} id=${`group-${name}`}>${groupWords[name]} <span class="count">${people.length}</span></h2>
      <ol class="plain card fit-list">${repeat(people, ({ id }) => id, view)}</ol>
    </section>`;
  };
  render(groupNames.map(viewGroup), list);
  showCount();
  scheduleUndoEnd();
}

function changeCard(id: string, change: Partial<CardState>): void {
  cards.set(id, { ...(cards.get(id) ?? closedCard), ...change });
  draw();
}

function findGroup({ decision, status }: ShortlistRow): GroupName {
  if (decision) return 'decided';
  return status === 'proposed' ? 'open' : 'met';
}

/** Keeps people in the places that they have on the page. New ones come last. */
function keepPlaces(read: ShortlistRow[]): ShortlistRow[] {
  const places = new Map(rows.map(({ id }, place) => [id, place]));
  const placeOf = ({ id }: ShortlistRow) => places.get(id) ?? rows.length;
  return read.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function show({ status, body, at }: ApiAnswer): void {
  const { shortlist } = body;
  page.content.hidden = !shortlist;
  if (!shortlist) {
    left.hidden = true;
    clearTimeout(undoTimer);
    hideJob();
    if (status === 401) page.forget();
    page.sayRefusal(status, body);
    return;
  }
  page.say('');
  clockOffset = at - performance.now();
  order = shortlist.jobOrder;
  rows = keepPlaces(shortlist.placements);
  for (const row of rows) if (!groups.has(row.id)) groups.set(row.id, findGroup(row));
  const until = formatDate(shortlist.expiresAt.slice(0, 10));
  need(document, '[data-until]').textContent = `Open until ${until}`;
  showJob();
  draw();
}

/** Sends a decision. Returns why it was refused, if it was. Throws if nothing answers, and the decision can be sent again. */
async function sendDecision(
  { id, tag }: ShortlistRow,
  decision: CardChoice,
  text: string,
): Promise<string | undefined> {
  const said = decision === 'comment' ? { comment: text } : { tag, ...(text !== '' && { reason: text }) };
  const sent = { placementId: id, decision, ...said };
  const { status, body, at } = await page.send(sent);
  if (status === 200) {
    clockOffset = at - performance.now();
    rows = rows.map((row) => (row.id === id ? body.placement : row));
    return undefined;
  }
  if (status === 401) page.forget();
  else await page.refresh();
  return page.explainRefusal(status, body);
}

/** Decides on a person or undoes that, and shows the result in the card, in view and with the focus. */
async function decide(row: ShortlistRow, decision: CardChoice, reason: string): Promise<void> {
  const { id } = row;
  page.say('');
  changeCard(id, { isSending: true, fault: undefined });
  let fault: string | undefined;
  try {
    fault = await sendDecision(row, decision, reason);
  } catch (error) {
    fault = (error as Error).message;
  }
  // The link became invalid meanwhile, and the verdict says so.
  if (page.content.hidden) {
    cards.delete(id);
    verdict.focus();
    return;
  }
  const now = rows.find((one) => one.id === id);
  if (now) groups.set(id, findGroup(now));
  const isOpen = now !== undefined && describeDecision(now) === undefined;
  changeCard(id, {
    isSending: false,
    fault,
    isDeclining: isOpen && decision === 'decline',
    isCommenting: fault !== undefined && decision === 'comment',
  });
  if (!now && fault) page.say(fault, 'blocked');
  const place = fault ? '.fault' : isOpen ? '.fit-who' : '.decided';
  // Whom to decide on next stays in view, and those who are decided are below.
  const preventScroll = place === '.decided';
  (now ? need<HTMLElement>(document, `#${id} ${place}`) : verdict).focus({ preventScroll });
}
