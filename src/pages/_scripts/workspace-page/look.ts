import { el } from '../dom.ts';
import { toCount } from '../numbers.ts';
import { kindOfId } from './desk.ts';
import { button } from './dialog.ts';
import type { KindFacts, Row } from './facts.ts';
import { readPage } from './read-page.ts';
import { learnReferred } from './referred.ts';
import { drawRow, toRowTitle } from './row.ts';

/** Records that are read at once, and hits that are shown at most. */
const [atOnce, mostHits] = [200, 20];
/** Which search is the last: an earlier one ends. */
let last = 0;

const toPlain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether a row says all the words, in its name or in what it holds. */
function says(kind: KindFacts, row: Row, words: readonly string[]): boolean {
  const { links: _, transitions: __, ...rest } = row;
  const text = toPlain(`${toRowTitle(kind, row)} ${Object.values(rest).flat().join(' ')}`);
  return words.every((word) => text.includes(word));
}

/**
 * Looks through the workspace's records of a kind for words, newest first, a page at a time; what does not fit is not
 * kept. An id is opened at once.
 */
export async function lookFor(
  text: string,
  kind: KindFacts,
  place: HTMLElement,
  leave: () => void,
): Promise<void> {
  last += 1;
  const mine = last;
  if (kindOfId(text) && /^[a-z]+_\w+$/.test(text)) {
    location.hash = text;
    return;
  }
  const words = toPlain(text).split(/\s+/);
  const list = el('ul', { class: 'plain records' });
  const told = el('p', { class: 'note', role: 'status' }, 'Looking …');
  const end = () => {
    last += 1;
    leave();
  };
  place.replaceChildren(
    told,
    list,
    el('p', { class: 'actions' }, button('Show all again', end, 'quiet', 'all')),
  );
  let [cursor, looked, hits] = ['' as string | undefined, 0, 0];
  try {
    while (cursor !== undefined && hits < mostHits) {
      const page = await readPage(kind, { limit: String(atOnce), ...(cursor && { cursor }) });
      await learnReferred(kind, page.rows);
      if (mine !== last) return;
      const found = page.rows.filter((row) => says(kind, row, words)).slice(0, mostHits - hits);
      list.append(...found.map((row) => drawRow(kind, row)));
      [cursor, looked, hits] = [page.next, looked + page.rows.length, hits + found.length];
      const of = `${toCount(looked)} of ${toCount(page.total)} ${kind.plural} looked at`;
      told.textContent =
        cursor === undefined ? `${toCount(hits)} found; ${of}.` : `${toCount(hits)} found so far; ${of} …`;
    }
    if (hits >= mostHits) told.textContent = `The newest ${mostHits} that fit. Say more to find others.`;
  } catch (error) {
    told.textContent = (error as Error).message;
  }
}
