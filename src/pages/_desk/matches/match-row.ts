import { html, type TemplateResult } from 'lit-html';
import { formatPay } from '../../_scripts/format.ts';
import { isolate, isolateEach } from '../../_scripts/isolate.ts';
import type { MustHaves } from '../../_scripts/must-haves.ts';
import { viewMustHaves, viewVerdict } from '../../_scripts/shortlist-card.ts';
import { viewTitle } from '../common/names.ts';
import { button, viewBar, viewStatus } from '../common/parts.ts';
import { listHighlights } from '../common/record-parts.ts';
import type { FoundMatch, KindFacts, OpenedRecord, PageRecord } from '../state/model.ts';
import { facts } from '../state/page-facts.ts';
import { canPropose, type Ends, place, propose } from './propose.ts';

/** The kind that connects two kinds, and the kind at its other end. */
export interface Pairing {
  tie: KindFacts;
  other: KindFacts;
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

/** Lists the must-haves of an order that are not met. Their texts are the first of `unmet`, in the same sequence. */
const listMissing = (requires: readonly string[] = [], { met }: FoundMatch): MustHaves['missing'] =>
  requires
    .filter((phrase) => !met.some((one) => one.phrase === phrase))
    .map((phrase) => ({ phrase, why: 'not shown' }));

/** Shows the score, the points that add up to it, and what lowers it or is not known. */
function viewWhy({ score, reasons, gaps, unknown }: FoundMatch): TemplateResult {
  const parts = reasons.map(({ factor, points }) => ({ part: points / 100, tone: `of-${factor}` }));
  return html`<details>
    <summary>Why</summary>
    <div class="score"><strong>${Math.round(score)} of 100</strong>${viewBar(parts, 14)}</div>
    <ul class="plain reasons">
      ${reasons.map(
        ({ factor, points, text }) => html`<li><span class=${`swatch of-${factor}`}></span
          ><strong>${Math.round(points)} of ${facts.points[factor]}, ${factor}: </strong>${isolate(text)}</li>`,
      )}
      ${unknown.map((text) => html`<li class="gap"><strong>? </strong>${isolate(text)}</li>`)}
      ${gaps.map((text) => html`<li class="gap"><span class="swatch"></span>${isolate(text)}</li>`)}
    </ul>
  </details>`;
}

/** Shows the placement that already connects both, or the buttons that create one. */
function viewPairActions({ holders }: OpenedRecord, { tie, other }: Pairing, ends: Ends): unknown {
  const [member] = Object.entries(tie.references).find(([, of]) => of === other.name) ?? [];
  const matched = ends.at(-1)!.row;
  const held = holders?.page.rows.find(
    (holder) => holder[member!] === matched.id && holder.status !== 'declined',
  );
  if (held) return html`<p class="actions"><a href=${`#${held.id}`}>${viewStatus(held.status)}</a></p>`;
  if (!canPropose(ends)) return '';
  return html`<p class="actions">
    ${button('Propose', () => propose(tie, ends))} ${button('Place', () => place(tie, ends))}
  </p>`;
}

/** Shows a match: whether the must-haves are met first, what can be done, and the score inside Why. */
export function viewMatch(shown: OpenedRecord, pairing: Pairing, match: FoundMatch): TemplateResult {
  const { other } = pairing;
  const row = match[other.name] as PageRecord;
  const ends = [shown, { kind: other, row }];
  const order = (other.name === 'jobOrder' ? row : shown.row) as PageRecord & { requires?: string[] };
  const missing = listMissing(order.requires, match);
  const { met, unmet } = match;
  const compared = listCompared(match);
  return html`<li class="match">
    <div>
      <p class="record-name"><a href=${`#${row.id}`} dir="auto">${viewTitle(other, row)}</a>
        ${row.example ? html`<span class="note">public example</span>` : ''}</p>
      <p class="note">${isolateEach([...listHighlights(row), ...compared], ' · ')}</p>
      ${viewVerdict({ missing, others: unmet.slice(missing.length), met })}
      ${viewMustHaves({ missing: [], others: [...unmet], met })}
      ${viewWhy(match)}
    </div>
    ${viewPairActions(shown, pairing, ends)}
  </li>`;
}
