import type { ApiAnswer } from './api-client.ts';
import { el, need, showFacts } from './dom.ts';
import { toCount, toDate } from './format.ts';
import { openTokenPage } from './token-page.ts';

const root = need<HTMLElement>(document, '[data-shortlist]');
const facts = need<HTMLElement>(root, '[data-said]');
const list = need<HTMLElement>(root, '[data-rows]');

interface Wanted {
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

interface Row {
  id: string;
  status: string;
  tag: string;
  candidate: {
    name: string;
    title?: string;
    metro?: string;
    skills?: string[];
    shifts?: string[];
    availableFrom?: string;
  };
  score: number;
  reasons: { text: string }[];
  met: { phrase: string; by: string }[];
  unmet: string[];
  decision?: 'interview' | 'decline';
}

const page = openTokenPage({
  root,
  path: '/shortlist',
  header: 'X-Shortlist',
  reading: 'Reading the shortlist …',
  missing: 'This page needs the whole link that you were sent: the part after the # is missing.',
  content: need(root, '[data-content]'),
  show,
});

const toFacts = (rows: readonly (readonly [string, string | undefined])[]) =>
  rows.filter((row): row is [string, string] => row[1] !== undefined && row[1] !== '');

const toPeriod = ({ startDate, endDate }: Wanted) =>
  startDate && `${toDate(startDate)}${endDate ? ` to ${toDate(endDate)}` : ''}`;

function showWanted(wanted: Wanted): void {
  const { client, title, metro, openings, openingsLeft, requires, shift, status } = wanted;
  const filled = `${openings - openingsLeft} of ${openings} filled`;
  showFacts(
    facts,
    toFacts([
      ['Job', title],
      ['Client', client],
      ['Place', metro],
      ['Shift', shift],
      ['Dates', toPeriod(wanted)],
      ['Must have', requires?.join('; ')],
      ['Openings', status === 'closed' ? 'closed' : filled],
    ]),
  );
}

/** What was decided, in words, and what became of it. */
function toOutcome({ decision, status }: Row): string {
  const said = { interview: 'You asked for an interview.', decline: 'You declined.' }[decision!];
  const isSame = status === 'interviewing' || status === 'declined';
  return isSame ? said : `${said} Now: ${status}.`;
}

/** One person, and the buttons to decide. What is decided takes the place of those. */
function drawRow(row: Row): HTMLElement {
  const { id, candidate, score, reasons, met, unmet, decision } = row;
  const { name, title, metro, skills = [], shifts = [], availableFrom } = candidate;
  const from = availableFrom ? `from ${toDate(availableFrom)}` : 'start not stated';
  const about = [title, metro, from, shifts.length > 0 && `works ${shifts.join(', ')}`].filter(Boolean);
  const reason = el('input', { id: `reason-${id}`, maxlength: 200, autocomplete: 'off' });
  const isWaiting = row.status === 'proposed';
  const actions = el(
    'form',
    { class: 'flow' },
    el('label', { for: reason.id }, 'Reason, if you like'),
    reason,
    el(
      'div',
      { class: 'actions' },
      isWaiting && el('button', { type: 'submit', class: 'button', value: 'interview' }, `Interview ${name}`),
      el('button', { type: 'submit', class: 'button quiet', value: 'decline' }, `Decline ${name}`),
    ),
  );
  const drawn = el(
    'li',
    { class: 'match', id },
    el('h4', {}, el('span', { dir: 'auto' }, name), ` · fits ${toCount(score)} of 100`),
    el('p', { class: 'note' }, about.join(' · ')),
    el(
      'ul',
      { class: 'plain reasons' },
      ...met.map(({ phrase, by }) => el('li', {}, el('strong', {}, `✓ ${phrase}: `), by)),
      ...unmet.map((text) => el('li', { class: 'gap' }, el('strong', {}, '✕ '), text)),
      el('li', {}, el('strong', {}, 'Why: '), reasons.map(({ text }) => text).join('; ') || 'no points'),
      skills.length > 0 && el('li', {}, el('strong', {}, 'Skills: '), skills.join(', ')),
    ),
    decision ? el('p', { class: 'decided', tabindex: -1 }, toOutcome(row)) : actions,
  );
  actions.addEventListener('submit', (event) => {
    event.preventDefault();
    const { value } = event.submitter as HTMLButtonElement;
    page.attempt(() => decide(row, value, reason.value.trim()));
  });
  return drawn;
}

/** What a refusal means to a person. */
function toRefusalWords(status: number, { code, reason, message }: ApiAnswer['body']): string {
  if (status === 401)
    return 'This link is not known here: it was replaced by a newer one, it has expired, or a part of it is missing. Ask whoever sent it to you for a new one.';
  if (code === 'already_decided') return 'This was already decided differently. The first decision counts.';
  if (code === 'order_closed') return 'The job order is closed, so nothing more is decided on it.';
  return reason ?? message ?? `The service answered ${status}.`;
}

function show({ status, body }: ApiAnswer): void {
  const { shortlist } = body;
  need<HTMLElement>(root, '[data-content]').hidden = !shortlist;
  if (!shortlist) {
    showFacts(facts, []);
    page.say(toRefusalWords(status, body), 'blocked');
    return;
  }
  const rows = shortlist.placements as Row[];
  showWanted(shortlist.jobOrder);
  list.replaceChildren(...rows.map(drawRow));
  const open = rows.filter(({ decision }) => !decision).length;
  page.say(open > 0 ? `${open} of ${rows.length} to decide.` : 'Nobody is waiting for a decision.');
}

/** Shows what was decided where it was: in view, with the focus. */
async function decide({ id, tag }: Row, decision: string, reason: string) {
  const sent = { placementId: id, decision, tag, ...(reason !== '' && { reason }) };
  const { status, body } = await page.send(sent);
  if (status !== 200) {
    if (status !== 401) await page.read();
    page.say(
      status === 412
        ? 'Something changed while you read. Nothing was decided: this is how it stands now.'
        : toRefusalWords(status, body),
      'blocked',
    );
    return undefined;
  }
  const drawn = drawRow(body.placement);
  need(list, `#${id}`).replaceWith(drawn);
  return need<HTMLElement>(drawn, '.decided');
}
