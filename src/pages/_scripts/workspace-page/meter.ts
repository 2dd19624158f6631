import { el } from '../dom.ts';
import { toCount, toDollars } from '../numbers.ts';
import { facts, onWorkspace, place } from './desk.ts';
import { redraw } from './dialog.ts';
import type { Usage } from './facts.ts';
import { drawBar } from './svg.ts';

/** Calls that are included: by the rate card, and earned by work beside that. */
function toIncludedWords(operation: string, included: number | 'unlimited'): string {
  if (included === 'unlimited') return 'as many as you like, included';
  const card = Math.min(included, facts.rates[operation]?.included ?? included);
  const earned = included - card;
  return earned > 0
    ? `${toCount(card)} included, ${toCount(earned)} earned by work`
    : `${toCount(card)} included`;
}

function drawOperation({
  operation,
  calls,
  included,
  billable,
  amount,
}: Usage['operations'][number]): HTMLElement {
  const free = calls - billable;
  const scale = Math.max(included === 'unlimited' ? 0 : included, calls, 1);
  const parts = [{ part: free / scale }, { part: billable / scale, class: 'over' }];
  return el(
    'tr',
    {},
    el('th', { scope: 'row' }, facts.rates[operation]?.summary ?? operation),
    el(
      'td',
      { class: 'metered' },
      drawBar(parts),
      el('span', { class: 'note' }, `${toCount(calls)} of ${toIncludedWords(operation, included)}`),
    ),
    el('td', { class: 'number' }, toDollars(amount)),
  );
}

function drawTotal({ total, hardCeiling, authorised, remaining }: Usage): HTMLElement {
  const most =
    authorised > hardCeiling
      ? `${toDollars(authorised)} that you authorised`
      : `the ceiling of ${toDollars(hardCeiling)}`;
  return el(
    'div',
    { class: 'total' },
    el('p', {}, el('strong', {}, toDollars(total)), ` of ${most}; ${toDollars(remaining)} is left.`),
    drawBar([{ part: authorised === 0 ? 0 : total / authorised }], 12),
  );
}

function draw(usage: Usage): HTMLElement[] {
  const used = usage.operations.filter(({ calls }) => calls > 0);
  const heads = [
    el('th', { scope: 'col' }, 'What'),
    el('th', { scope: 'col' }, 'Calls'),
    el('th', { scope: 'col', class: 'number' }, 'Amount'),
  ];
  return [
    drawTotal(usage),
    used.length > 0
      ? el(
          'div',
          { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Calls this month' },
          el(
            'table',
            {},
            el('thead', {}, el('tr', {}, ...heads)),
            el('tbody', {}, ...used.map(drawOperation)),
          ),
        )
      : el('p', { class: 'note' }, 'Nothing that is counted was called this month.'),
    el(
      'p',
      { class: 'note' },
      `Month ${usage.period}. Settlement is ${usage.settlement}: these are simulated amounts, and nothing is billed. Opening a record on this page counts as one read, as it does for an agent; lists cost nothing.`,
    ),
  ];
}

/** What was used this month, where the service counts it. */
export function attachMeter(): void {
  onWorkspace(({ usage }) => {
    place('meter-part').hidden = usage === undefined;
    if (usage) redraw(place('meter'), ...draw(usage));
  });
}
