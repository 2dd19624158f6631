import { formatAmount, formatCount } from './format.ts';
import { saveFile } from './save-file.ts';

/** A page of `GET /workspace/export`. */
interface ExportPage {
  type?: 'OK';
  warnings?: unknown[];
  total: number;
  nextCursor?: string;
}

/**
 * Reads every page of a workspace's export, and saves them as one file. `POST /batch` takes each page. Reports
 * progress, and resolves with what was saved. Rejects if `read` rejects.
 */
export async function saveExport(
  read: (path: string) => Promise<{ body: ExportPage }>,
  report: (words: string) => void,
): Promise<string> {
  const pages: ExportPage[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const query: string = cursor && `?cursor=${encodeURIComponent(cursor)}`;
    const { type: _, nextCursor, warnings: __, ...page } = (await read(`/workspace/export${query}`)).body;
    pages.push(page);
    const lists = pages.flatMap((one) => Object.values(one)).filter((one) => Array.isArray(one));
    const count = lists.reduce((sum, { length }) => sum + length, 0);
    report(`${formatCount(count)} of ${formatAmount(page.total, 'record')} read …`);
    cursor = nextCursor;
  }
  const [first] = pages;
  const text = JSON.stringify(pages.length === 1 ? first : { pages }, null, 2);
  saveFile(`workspace-${new Date().toISOString().slice(0, 10)}.json`, text, 'application/json');
  return pages.length === 1
    ? 'Saved as a file that POST /batch takes as it is, in another workspace too.'
    : `Saved as a file of ${formatCount(pages.length)} pages; POST /batch takes each as it is, one after the other.`;
}
