/**
 * Opening a file to import. `watchDrops` takes files that are dropped on an element, and `viewFileButton` is a button that
 * opens one. Both lead to the page of the import.
 */
import { html, type TemplateResult } from 'lit-html';
import { registerWorker } from '../../../hosts/worker/register.ts';
import { toast } from '../common/toast.ts';
import { updateState } from '../state/update.ts';

/** Reads a file, and shows its import. Says why if it cannot be read, or if there are several. */
async function openImport(files: readonly File[]): Promise<void> {
  const [file, ...more] = files;
  if (!file) return;
  try {
    if (more.length > 0) throw new Error('Drop one file at a time.');
    const [{ readFile }, actions, service] = await Promise.all([
      import('./read-file.ts'),
      import('./import-actions.ts'),
      registerWorker(),
    ]);
    const read = await readFile(file);
    if (service === 'none') throw new Error('Nothing can be imported here: that needs the live service.');
    updateState({
      importing: actions.openSession({ name: file.name, ...read, isLocal: service === 'browser' }),
    });
    await actions.beginImport();
  } catch (error) {
    toast((error as Error).message, 'blocked');
  }
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;

/** Opens a file that is dropped on an element. */
export function watchDrops(root: HTMLElement): void {
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
    openImport([...event.dataTransfer!.files]);
  });
}

/** A button that opens a file, for those who do not drag. */
export function viewFileButton(): TemplateResult {
  const open = ({ currentTarget }: Event) => {
    const input = currentTarget as HTMLInputElement;
    const files = [...(input.files ?? [])];
    // The same file can be chosen again after it was corrected.
    input.value = '';
    openImport(files);
  };
  return html`<label class="button quiet file-button">Import a file
    <input type="file" class="unseen" accept=".csv,.tsv,.txt,.json,.jsonld,text/csv,application/json" @change=${open} /></label>
    <span class="note">A CSV file, JSON Resume or JobPosting. Or drop it anywhere here.</span>`;
}
