import { html, type TemplateResult } from 'lit-html';
import { toSentenceCase } from '../../_scripts/format.ts';
import { saveFile } from '../../_scripts/save-file.ts';
import { button } from '../common/parts.ts';
import { attempt } from '../common/toast.ts';
import { readFileText } from '../state/client.ts';
import type { KindFacts, OpenedRecord } from '../state/model.ts';

/** Saves what a path answers as a file. The request carries the access of the page, which a link cannot. */
async function savePath(path: string, name: string): Promise<void> {
  // The byte order mark is lost when a reply is decoded, and Excel needs it.
  const text = await readFileText(path);
  saveFile(name, name.endsWith('.csv') ? `\uFEFF${text}` : text, 'application/octet-stream');
}

/** Buttons that save the records of each kind as CSV. */
export const viewCsvButtons = (kinds: readonly KindFacts[]): TemplateResult[] =>
  kinds.map(({ collection, plural }) => {
    const save = () => savePath(`/workspace/export.csv?kind=${collection}`, `${collection}.csv`);
    return button(`${toSentenceCase(plural)} as CSV`, () => attempt(save));
  });

/** The file of a record in a format of others, by the name of its kind. */
const documents: Readonly<Record<string, { file: string; words: string }>> = {
  jobOrder: { file: 'posting.jsonld', words: 'JobPosting (JSON-LD)' },
  candidate: { file: 'resume.json', words: 'JSON Resume' },
};

/** Leads to a record in the format of others: a link for a public example, and otherwise a button that saves it. */
export function viewDocument({ kind, row }: OpenedRecord): TemplateResult | string {
  const found = documents[kind.name];
  if (!found) return '';
  const { file, words } = found;
  const path = `${kind.path}/${row.id}/${file}`;
  if (!row.createdAt) return html`<p><a href=${path}>${words}</a></p>`;
  return html`<p class="actions">${button(words, () => attempt(() => savePath(path, `${row.id}-${file}`)))}</p>`;
}
