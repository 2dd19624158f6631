import { el } from '../dom.ts';
import type { Shown } from './change.ts';
import { facts } from './desk.ts';
import { readPage } from './read-page.ts';
import { learnReferred } from './referred.ts';
import { drawRow } from './row.ts';

/** Rows that are shown at most. */
const most = 10;

/** What refers to a record: the placements of a person, or on an order. Undefined where nothing does. */
export async function drawHolders({ kind, row }: Shown): Promise<HTMLElement | undefined> {
  for (const holder of facts.kinds) {
    const [member] = Object.entries(holder.references).find(([, of]) => of === kind.name) ?? [];
    if (!member) continue;
    const { rows, total } = await readPage(holder, { [member]: row.id, limit: String(most) });
    if (rows.length === 0) return undefined;
    await learnReferred(holder, rows);
    const title = `${holder.plural[0]!.toUpperCase()}${holder.plural.slice(1)}`;
    const list = el('ul', { class: 'plain records' }, ...rows.map((one) => drawRow(holder, one)));
    const more =
      total > rows.length ? el('p', { class: 'note' }, `The newest ${rows.length} of ${total}.`) : '';
    return el('section', { 'aria-label': title }, el('h3', {}, title), list, more);
  }
  return undefined;
}
