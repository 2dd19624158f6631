import { html, render } from 'lit-html';
import type { presentShortlistRow } from '../../shortlists/shortlist.ts';
import type { ApiAnswer } from './api-client.ts';
import { need, showFacts } from './dom.ts';
import { formatDate } from './format.ts';
import { isolate, isolateEach } from './isolate.ts';
import { openTokenPage } from './token-page.ts';

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

type Row = NonNullable<ReturnType<typeof presentShortlistRow>> & {
  candidate: {
    name: string;
    title?: string;
    metro?: string;
    skills?: string[];
    shifts?: string[];
    availableFrom?: string;
  };
};

const page = openTokenPage({
  path: '/shortlist',
  header: 'X-Shortlist',
  refusals: {
    401: 'This link is not known here: it was replaced by a newer one, it has expired, or a part of it is missing. Ask whoever sent it to you for a new one.',
    412: 'Something changed while you read. Nothing was decided: this is how it stands now.',
    already_decided: 'This was already decided differently. The first decision counts.',
    order_closed: 'The job order is closed, so nothing more is decided on it.',
  },
  show,
});

const list = need<HTMLElement>(document, '[data-rows]');

let rows: Row[] = [];

function listFacts({ startDate, endDate, openings, openingsLeft, ...wanted }: ShortlistOrder) {
  const { client, title, metro, requires, shift, status } = wanted;
  const facts = [
    ['Job', title],
    ['Client', client],
    ['Place', metro],
    ['Shift', shift],
    ['Dates', startDate && `${formatDate(startDate)}${endDate ? ` to ${formatDate(endDate)}` : ''}`],
    ['Must have', requires?.join('; ')],
    ['Openings', status === 'closed' ? 'closed' : `${openings - openingsLeft} of ${openings} filled`],
  ] as const;
  return facts.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
}

/** Describes what the client decided, and what happened since. */
function describeDecision({ decision, status }: Row): string {
  const said = { interview: 'You asked for an interview.', decline: 'You declined.' }[decision!];
  const isSame = status === 'interviewing' || status === 'declined';
  return isSame ? said : `${said} Now: ${status}.`;
}

/** Shows a field for a reason, and the buttons to decide. */
function viewForm(row: Row) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const { value } = event.submitter as HTMLButtonElement;
    const reason = need<HTMLInputElement>(event.currentTarget as HTMLFormElement, 'input').value.trim();
    page.attempt(() => decide(row, value, reason));
  };
  const { name } = row.candidate;
  return html`<form class="flow" @submit=${submit}>
    <label for=${`reason-${row.id}`}>Reason, if you like</label>
    <input id=${`reason-${row.id}`} maxlength=${list.dataset.longestReason!} autocomplete="off" />
    <div class="actions">
      ${row.status === 'proposed' ? html`<button type="submit" class="button" value="interview">Interview ${isolate(name)}</button>` : ''}
      <button type="submit" class="button quiet" value="decline">Decline ${isolate(name)}</button>
    </div>
  </form>`;
}

const listTexts = (reasons: Row['reasons']) => reasons.map(({ text }) => text);

/** Shows a person with the buttons to decide, or with the decision. */
function viewRow(row: Row) {
  const { id, candidate, score, reasons, met, unmet, decision } = row;
  const { name, title, metro, skills = [], shifts = [], availableFrom } = candidate;
  const from = availableFrom ? `from ${formatDate(availableFrom)}` : 'start not stated';
  const about = [title, metro, from, shifts.length > 0 && `works ${shifts.join(', ')}`].filter(Boolean);
  return html`<li class="match" id=${id}>
    <h4>${isolate(name)} · fits ${Math.round(score)} of 100</h4>
    <p class="note">${isolateEach(about, ' · ')}</p>
    <ul class="plain reasons">
      ${met.map(({ phrase, by }) => html`<li><strong>✓ ${isolate(phrase)}: </strong>${isolate(by)}</li>`)}
      ${unmet.map((text) => html`<li class="gap"><strong>✕ </strong>${isolate(text)}</li>`)}
      <li><strong>Why: </strong>${reasons.length > 0 ? isolateEach(listTexts(reasons), '; ') : 'no points'}</li>
      ${skills.length > 0 ? html`<li><strong>Skills: </strong>${isolateEach(skills, ', ')}</li>` : ''}
    </ul>
    ${decision ? html`<p class="decided" tabindex="-1">${describeDecision(row)}</p>` : viewForm(row)}
  </li>`;
}

const draw = () => render(rows.map(viewRow), list);

function show({ status, body }: ApiAnswer): void {
  const { shortlist } = body;
  page.content.hidden = !shortlist;
  showFacts(page.facts, shortlist ? listFacts(shortlist.jobOrder) : []);
  if (!shortlist) {
    page.sayRefusal(status, body);
    return;
  }
  rows = shortlist.placements;
  draw();
  const open = rows.filter(({ decision }) => !decision).length;
  page.say(open > 0 ? `${open} of ${rows.length} to decide.` : 'Nobody is waiting for a decision.');
}

/** Sends a decision, and shows it in place, in view and with the focus. */
async function decide({ id, tag }: Row, decision: string, reason: string) {
  const sent = { placementId: id, decision, tag, ...(reason !== '' && { reason }) };
  const { status, body } = await page.send(sent);
  if (status !== 200) {
    if (status !== 401) await page.read();
    page.sayRefusal(status, body);
    return undefined;
  }
  rows = rows.map((row) => (row.id === id ? body.placement : row));
  draw();
  return need<HTMLElement>(document, `#${id} .decided`);
}
