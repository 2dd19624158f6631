import { html, type TemplateResult } from 'lit-html';
import { ApiError } from '../../_scripts/api-client.ts';
import { saveExport } from '../../_scripts/export.ts';
import { formatAmount } from '../../_scripts/format.ts';
import { askSure } from '../common/dialog.ts';
import { button, viewPart } from '../common/parts.ts';
import { attempt } from '../common/toast.ts';
import { viewCsvButtons } from '../record/files.ts';
import { read, sendWrite } from '../state/client.ts';
import { type Close, sumRecords } from '../state/model.ts';
import { facts } from '../state/page-facts.ts';
import { state } from '../state/state.ts';
import { updateState } from '../state/update.ts';

async function exportAll(): Promise<void> {
  const report = (words: string, isBusy = true) => updateState({ exporting: { words, isBusy } });
  try {
    report(await saveExport(read, report), false);
  } catch (error) {
    report(`Not exported: ${(error as Error).message}`, false);
  }
}

const explainDeleteError = (error: Error) =>
  error instanceof ApiError && error.code === 'owner_only'
    ? 'This workspace is claimed: only its owner, signed in with their passkey, can delete it.'
    : error.message;

async function deleteAll(close: Close): Promise<void> {
  const records = sumRecords(state.workspace!.records);
  const words = `${formatAmount(records, 'record')}, and every link that was sent to a client or a candidate, are deleted at once and cannot be restored. Export first what you want to keep. Receipts that you have stay valid.`;
  if (!(await askSure('Delete the whole workspace?', words, 'Delete everything'))) return;
  state.polling.isLeaving = true;
  try {
    await sendWrite('DELETE', '/workspace');
  } catch (error) {
    state.polling.isLeaving = false;
    throw error;
  }
  await close('The workspace is deleted, with everything in it.');
}

export function viewExportAndDelete(close: Close): TemplateResult {
  const { words, isBusy } = state.exporting;
  const remove = () => attempt(() => deleteAll(close), explainDeleteError);
  return viewPart(
    'keep',
    'Export, delete',
    html`<p>Everything in the workspace as one file, to keep or to put into another workspace.</p>
      <p class="actions">
        <button type="button" class="button quiet" ?disabled=${isBusy} @click=${exportAll}>Export</button>
      </p>
      <p class="note" role="status">${words}</p>
      <p>Tables that Excel and LibreOffice open. An import takes people and orders back.</p>
      <p class="actions">${viewCsvButtons(facts.kinds)}</p>
      <p>A deleted workspace cannot be restored.</p>
      <p class="actions">${button('Delete the workspace', remove, 'quiet danger')}</p>`,
  );
}
