import { html, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import { formatPay } from '../format.ts';
import { isolate, isolateEach } from '../isolate.ts';
import { askForm, button, toast, viewLoaded } from './dialog.ts';
import type { FoundMatch, KindFacts, OpenedRecord, PageRecord } from './model.ts';
import { learnNames, viewTitle } from './names.ts';
import { facts, findKind } from './page-facts.ts';
import { viewBar, viewStatus } from './parts.ts';
import { read, sendWrite } from './session.ts';
import { hasFailed, load, refresh, state } from './store.ts';

const atOnce = 5;

/** The kind that connects two kinds, and the kind at its other end. */
interface Pairing {
  tie: KindFacts;
  other: KindFacts;
}

function findPairing(kind: KindFacts): Pairing | undefined {
  for (const tie of facts.kinds) {
    const ends = Object.values(tie.references);
    const other = ends.find((name) => name !== kind.name);
    if (ends.includes(kind.name) && other) return { tie, other: findKind(other) };
  }
  return undefined;
}

/** Asks for what a placement needs in addition to its two records, and proposes or creates it. */
async function place(
  tie: KindFacts,
  ends: readonly { kind: KindFacts; row: PageRecord }[],
  status?: 'proposed',
): Promise<void> {
  const endOf = (name: string) => ends.find(({ kind }) => kind.name === name);
  const ids = Object.fromEntries(
    Object.entries(tie.references).map(([member, of]) => [member, endOf(of)!.row.id]),
  );
  const titles = ends.map(({ kind, row }) => viewTitle(kind, row));
  let isProposed = false;
  await askForm(html`A ${tie.noun}: ${isolateEach(titles, ' and ')}`, {
    fields: tie.fields.filter(({ name }) => !(name in ids)),
    values: { onetCode: endOf('jobOrder')?.row.onetCode },
    submit: status ? 'Propose' : 'Place',
    async run(values) {
      const { body } = await sendWrite('POST', tie.path, { ...ids, ...values, ...(status && { status }) });
      const warnings = (body.warnings ?? []) as { message: string }[];
      if (!status) location.hash = body[tie.name].id;
      await refresh();
      isProposed = Boolean(status);
      const words = [status ? 'Proposed.' : 'Placed.', ...warnings.map(({ message }) => message)].join(' ');
      toast(words, warnings.length > 0 ? 'blocked' : 'ok');
    },
  });
  if (isProposed) document.getElementById('holders-name')?.focus();
}

/** Reads a page of matches of a record, best first. */
const readMatches = ({ row }: OpenedRecord, { other }: Pairing, cursor?: string) =>
  load('matches', async () => {
    const { matches } = state;
    const before = cursor && matches && !hasFailed(matches) ? matches.rows : [];
    const query = new URLSearchParams({ limit: String(atOnce), minScore: '1', ...(cursor && { cursor }) });
    const { body } = await read(`${row.links.self}/matches?${query}`);
    const rows = [...before, ...((body.matches ?? []) as FoundMatch[])];
    learnNames(rows.map((match) => match[other.name] as PageRecord));
    const none = /minScore/.test(body.message) ? 'None fits.' : body.message;
    return { rows, next: body.nextCursor, words: rows.length === 0 ? none : (body.statement ?? '') };
  });

/** Loads the best matches of a record. */
export function loadMatches(shown: OpenedRecord): void {
  const tie = findPairing(shown.kind);
  if (tie) readMatches(shown, tie);
}

/** Shows a link to the record that already connects a record and a match, with its stage, if there is one. */
function viewTied({ holders }: OpenedRecord, { tie, other }: Pairing, { id }: PageRecord): unknown {
  const [member] = Object.entries(tie.references).find(([, of]) => of === other.name) ?? [];
  const row = holders?.page.rows.find((holder) => holder[member!] === id && holder.status !== 'declined');
  return row && html`<a href=${`#${row.id}`}>${viewStatus(row.status)}</a>`;
}

/** Lists the pay and the shift that were compared and fit. If they do not fit, the match says so as unmet. */
function listCompared({ pay, shift }: FoundMatch): string[] {
  const member = pay?.per === 'year' ? 'salaryUsdYear' : 'payRateUsdHour';
  const isEnough = pay !== undefined && pay.asks <= pay.most;
  const isWorked = shift?.candidate.includes(shift.order);
  return [
    isEnough && `asks ${formatPay(member, pay.asks)}; the order pays at most ${formatPay(member, pay.most)}`,
    isWorked && `works ${shift!.candidate.join(', ')}; the shift is ${shift!.order}`,
  ].filter((part) => typeof part === 'string');
}

/** Shows a match: its score as a bar of its parts, and the reasons in words. */
function viewMatch(shown: OpenedRecord, { tie, other }: Pairing, match: FoundMatch): TemplateResult {
  const row = match[other.name] as PageRecord;
  const { score, reasons, gaps, met, unmet, unknown } = match;
  const compared = listCompared(match);
  const ends = [shown, { kind: other, row }];
  const parts = reasons.map(({ factor, points }) => ({ part: points / 100, tone: `of-${factor}` }));
  return html`<li class="match">
    <p class="record-name"><a href=${`#${row.id}`} dir="auto">${viewTitle(other, row)}</a>
      <span class="note">${row.example ? 'public example' : ''}</span></p>
    ${compared.length > 0 ? html`<p class="note">${isolateEach(compared, ' · ')}</p>` : ''}
    <div class="score"><strong>${Math.round(score)} of 100</strong>${viewBar(parts, 14)}</div>
    <ul class="plain reasons">
      ${met.map(({ phrase, by }) => html`<li><strong>✓ ${isolate(phrase)}: </strong>${isolate(by)}</li>`)}
      ${unmet.map((text) => html`<li class="gap"><strong>✕ </strong>${isolate(text)}</li>`)}
      ${reasons.map(
        ({ factor, points, text }) => html`<li><span class=${`swatch of-${factor}`}></span
          ><strong>${Math.round(points)} of ${facts.points[factor]}, ${factor}: </strong>${isolate(text)}</li>`,
      )}
      ${unknown.map((text) => html`<li class="gap"><strong>? </strong>${isolate(text)}</li>`)}
      ${gaps.map((text) => html`<li class="gap"><span class="swatch"></span>${isolate(text)}</li>`)}
    </ul>
    <p class="actions">${viewTied(shown, { tie, other }, row) ?? html`${button('Propose', () => place(tie, ends, 'proposed'))}${button('Place', () => place(tie, ends))}`}</p>
  </li>`;
}

function viewRead(shown: OpenedRecord, tie: Pairing): unknown {
  const more = (cursor?: string) => readMatches(shown, tie, cursor);
  return viewLoaded(
    state.matches,
    () => more(),
    ({ rows, next, words }) =>
      html`<ol class="plain matches">${rows.map((match) => viewMatch(shown, tie, match))}</ol>
        ${next ? html`<p class="actions">${button('Show more', () => more(next))}</p>` : ''}
        <p class="note">${words}</p>`,
  );
}

/** Shows who fits an order, or which orders fit a person. The matches are read when the person opens this part. */
export function viewMatches(shown: OpenedRecord): unknown {
  const tie = findPairing(shown.kind);
  if (!tie) return '';
  if (shown.kind.name === 'jobOrder')
    return html`<section class="matching" aria-labelledby="matching-name">
      <h3 id="matching-name" tabindex="-1">Which ${tie.other.plural} fit</h3>${viewRead(shown, tie)}
    </section>`;
  const open = ({ currentTarget }: Event) => {
    if ((currentTarget as HTMLDetailsElement).open && !state.matches) readMatches(shown, tie);
  };
  const { id, revision } = shown.row;
  return keyed(
    `${id} ${revision}`,
    html`<details class="matching" @toggle=${open}>
      <summary><h3>Which ${tie.other.plural} fit</h3></summary>
      ${viewRead(shown, tie)}
    </details>`,
  );
}
