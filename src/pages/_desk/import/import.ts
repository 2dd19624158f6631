/**
 * Importing a file on a page. `watchDrops` takes files that are dropped on an element, and `viewFileButton` is a button
 * that opens one. Both show the file in a dialog of its own.
 */
import { html, type TemplateResult } from 'lit-html';
import { registerWorker } from '../../../hosts/worker/register.ts';
import type { ImportApi } from './import-model.ts';

export type { ImportApi } from './import-model.ts';

/** Shows a file in a dialog. Calls `fail` with the reason if it cannot be read, or if there are several. */
async function openImport(files: readonly File[], api: ImportApi, fail: (words: string) => void) {
  const [file, ...more] = files;
  if (!file) return;
  if (more.length > 0) {
    fail('Drop one file at a time.');
    return;
  }
  try {
    const { readFile } = await import('./read-file.ts');
    const [read, service] = await Promise.all([readFile(file), registerWorker()]);
    if (service === 'none') throw new Error('Nothing can be imported here: that needs the live service.');
    const { ImportDialog } = await import('./import-dialog.ts');
    const dialog = new ImportDialog({ name: file.name, ...read, isLocal: service === 'browser' }, api);
    await dialog.open();
  } catch (error) {
    fail((error as Error).message);
  }
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;

/** Opens a file that is dropped on an element. Calls `fail` with the reason if it cannot be read. */
export function watchDrops(root: HTMLElement, api: ImportApi, fail: (words: string) => void): void {
  const mark = (isOver: boolean) => root.classList.toggle('is-drop', isOver);
  root.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(true);
  });
  root.addEventListener('dragleave', (event) => {
    if (!root.contains(event.relatedTarget as Node | null)) mark(false);
  });
  root.addEventListener('drop', (event) => {
    mark(false);
    if (!hasFiles(event)) return;
    event.preventDefault();
    openImport([...event.dataTransfer!.files], api, fail);
  });
}

/** A button that opens a file, for those who do not drag. */
export function viewFileButton(api: ImportApi, fail: (words: string) => void): TemplateResult {
  const open = ({ currentTarget }: Event) => {
    const input = currentTarget as HTMLInputElement;
    const files = [...(input.files ?? [])];
    // The same file can be chosen again after it was corrected.
    input.value = '';
    openImport(files, api, fail);
  };
  return html`<label class="button quiet file-button">Import a file
    <input type="file" class="unseen" accept=".csv,.tsv,.txt,.json,.jsonld,text/csv,application/json" @change=${open} /></label>
    <span class="note">A CSV file, JSON Resume or JobPosting. Or drop it anywhere here.</span>`;
}
