import { el } from '../dom.ts';
import { toAmount, toCount } from '../numbers.ts';
import { Refused, read, write } from './ask.ts';
import { current, facts, place } from './desk.ts';
import { askSure, button } from './dialog.ts';
import { say } from './say.ts';

/** Reads every page of the export and offers them as one file that POST /batch takes, in parts where it is large. */
async function exportAll(told: HTMLElement): Promise<void> {
  const pages: object[] = [];
  let [cursor, total, count] = ['' as string | undefined, 0, 0];
  while (cursor !== undefined) {
    const { body } = await read(`/workspace/export${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''}`);
    const { type: _, nextCursor, warnings: __, ...page } = body;
    pages.push(page);
    total = body.total;
    count += facts.kinds.reduce((sum, { collection }) => sum + (page[collection]?.length ?? 0), 0);
    told.textContent = `${toCount(count)} of ${toAmount(total, 'record')} read …`;
    cursor = nextCursor;
  }
  const text = pages.length === 1 ? JSON.stringify(pages[0], null, 2) : JSON.stringify({ pages }, null, 2);
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  el('a', { href, download: `workspace-${new Date().toISOString().slice(0, 10)}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
  told.textContent =
    pages.length === 1
      ? 'Saved as a file that POST /batch takes as it stands, in another workspace too.'
      : `Saved as a file of ${toCount(pages.length)} pages; POST /batch takes each as it stands, one after the other.`;
}

/** Export and erase. `leave` is called once nothing is left. */
export function attachKeep(leave: (words: string) => unknown): void {
  const told = el('p', { class: 'note', role: 'status' });
  const exporting = button('Export', async () => {
    exporting.disabled = true;
    try {
      await exportAll(told);
    } catch (error) {
      told.textContent = `Not exported: ${(error as Error).message}`;
    }
    exporting.disabled = false;
  });
  const erasing = button('Erase the workspace', async () => {
    const records = Object.values(current()?.records ?? {}).reduce((sum, count) => sum + count, 0);
    const words = `${toAmount(records, 'record')}, and every link that was sent to a client or a candidate, are gone at once and for good. Export first what you want to keep. Receipts that you hold go on being good.`;
    if (!(await askSure('Erase the whole workspace?', words, 'Erase it all'))) return;
    try {
      await write('DELETE', '/workspace');
      await leave('The workspace is erased, with all that it held.');
    } catch (error) {
      const isTheirs = error instanceof Refused && error.code === 'owner_only';
      const owned =
        'A person holds this workspace: who signs in with their passkey can erase it, nobody else.';
      say(isTheirs ? owned : (error as Error).message, 'blocked');
    }
  });
  place('keep').replaceChildren(
    el('p', {}, 'Everything in the workspace as one file, to keep or to put into another workspace.'),
    el('p', { class: 'actions' }, exporting),
    told,
    el('p', {}, 'Erasing cannot be taken back.'),
    el('p', { class: 'actions' }, erasing),
  );
}
