import { html, type TemplateResult } from 'lit-html';
import { dayFromNow } from '../format.ts';
import { describeCourse, formatDaysLeft, nextWords } from './course.ts';
import { viewLoaded } from './dialog.ts';
import type { Placement } from './model.ts';
import { readList } from './names.ts';
import { facts, findKind } from './page-facts.ts';
import { viewNote, viewPart, viewRow } from './parts.ts';
import { load, state } from './store.ts';

/** How many days ahead the page looks, and how many placements it shows at most. */
const [daysAhead, mostShown] = [7, 8];

/** Reads the placements whose outcome must be validated within a week. */
export async function loadDue(): Promise<void> {
  if (state.route.view !== 'today' || !state.workspace) return;
  await load('due', async () => {
    const dueBefore = dayFromNow(daysAhead + 1);
    const query = { validated: 'false', dueBefore, limit: String(facts.maxLimit) };
    return (await readList(findKind('placement'), query)).rows as Placement[];
  });
}

function viewDueRows(due: Placement[]): TemplateResult {
  const rows = due
    .map((row) => ({ row, ...describeCourse(row, dayFromNow()) }))
    .flatMap(({ row, daysLeft, next }) => (daysLeft !== undefined && next ? [{ row, daysLeft, next }] : []))
    .toSorted((a, b) => a.daysLeft - b.daysLeft);
  if (rows.length === 0) return html`<p>Nothing is due in the next ${daysAhead} days.</p>`;
  const more = rows.length - mostShown;
  return html`<ul class="plain records">
      ${rows.slice(0, mostShown).map(({ row, daysLeft, next }) => {
        const words = { left: formatDaysLeft(daysLeft), next: nextWords[next] };
        return viewRow(findKind('placement'), row, words);
      })}
    </ul>
    ${more > 0 ? viewNote(`And ${more} more: filter placements by “Due before”.`) : ''}`;
}

/** Draws what is due this week, the most urgent first. */
export const viewDue = (): TemplateResult =>
  viewPart(
    'due',
    'Due this week',
    viewLoaded(state.due, loadDue, viewDueRows),
    viewNote(`Outcomes that can be validated for ${daysAhead} more days at most.`),
  );
