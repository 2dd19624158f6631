import { html, type TemplateResult } from 'lit-html';
import { Refused } from '../api-client.ts';
import { saveExport } from '../export.ts';
import { toAmount } from '../format.ts';
import { askSure, attempt, button } from './dialog.ts';
import { viewPart } from './overview.ts';
import { read, write } from './session.ts';
import { state, update } from './store.ts';

async function exportAll(): Promise<void> {
  const report = (words: string) => update({ exporting: { words, isBusy: true } });
  try {
    update({ exporting: { words: await saveExport(read, report), isBusy: false } });
  } catch (error) {
    update({ exporting: { words: `Not exported: ${(error as Error).message}`, isBusy: false } });
  }
}

const toRefusalWords = (error: Error) =>
  error instanceof Refused && error.code === 'owner_only'
    ? 'This workspace is claimed: only its owner, signed in with their passkey, can delete it.'
    : error.message;

async function deleteAll(close: (words: string) => unknown): Promise<void> {
  const records = Object.values(state.workspace!.records).reduce((sum, count) => sum + count, 0);
  const words = `${toAmount(records, 'record')}, and every link that was sent to a client or a candidate, are deleted at once and cannot be restored. Export first what you want to keep. Receipts that you have stay valid.`;
  if (!(await askSure('Delete the whole workspace?', words, 'Delete everything'))) return;
  await write('DELETE', '/workspace');
  await close('The workspace is deleted, with everything in it.');
}

/** Export and delete. `close` is called once nothing is left. */
export function viewExportAndDelete(close: (words: string) => unknown): TemplateResult {
  const { words, isBusy } = state.exporting;
  return viewPart(
    'keep',
    'Export, delete',
    html`<p>Everything in the workspace as one file, to keep or to put into another workspace.</p>
      <p class="actions">
        <button type="button" class="button quiet" ?disabled=${isBusy} @click=${exportAll}>Export</button>
      </p>
      <p class="note" role="status">${words}</p>
      <p>A deleted workspace cannot be restored.</p>
      <p class="actions">
        ${button('Delete the workspace', () => attempt(() => deleteAll(close), toRefusalWords))}
      </p>`,
  );
}
