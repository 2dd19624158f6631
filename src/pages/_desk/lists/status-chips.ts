import { html, nothing, type TemplateResult } from 'lit-html';
import { statusesByTime } from '../../../placements/stages.ts';
import { formatCount, toSentenceCase } from '../../_scripts/format.ts';
import { read } from '../state/client.ts';
import type { KindFacts, ListPage } from '../state/model.ts';
import { formatHash } from '../state/route.ts';
import { state } from '../state/state.ts';
import { pickFilters } from './list-query.ts';

/** Counts the records of a list by status. The other filters of the list hold. */
export async function countByStatus(
  { path, statuses }: KindFacts,
  query: Record<string, string>,
): Promise<Record<string, number>> {
  const count = async (status: string): Promise<[string, number]> => {
    const search = new URLSearchParams({ ...pickFilters(query), status, limit: '1', fields: 'status' });
    return [status, (await read(`${path}?${search}`)).body.total ?? 0];
  };
  return Object.fromEntries(await Promise.all(statuses.map(count)));
}

/** Shows a link to the records of each status, with how many there are. Statuses without records are left out. */
export function viewStatusChips(kind: KindFacts, page: ListPage | undefined): TemplateResult | string {
  const { query } = state.route;
  const { status: current = '' } = query;
  const { counts } = page ?? {};
  if (!counts) return '';
  const all = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const rank = (status: string) => statusesByTime.indexOf(status);
  const shown = Object.entries(counts)
    .filter(([status, count]) => count > 0 || status === current)
    .toSorted(([a], [b]) => rank(a) - rank(b));
  const viewChip = (status: string, words: string, count: number) =>
    html`<li><a href=${formatHash(kind, { ...query, status, cursor: '' })}
      aria-current=${status === current ? 'true' : nothing}>${words} <span class="count">${formatCount(count)}</span></a></li>`;
  return html`<nav class="status-chips" aria-label=${`${toSentenceCase(kind.plural)} by status`}><ul class="plain">
    ${viewChip('', 'All', all)}
    ${shown.map(([status, count]) => viewChip(status, toSentenceCase(status.replaceAll('-', ' ')), count))}
  </ul></nav>`;
}
