import type { Page } from 'playwright-core';

/** Returns the id of the workspace that the pages of this browser remember. */
const readRememberedId = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const settle = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await settle(indexedDB.open('careers-pages'));
    const kept = database.transaction('kept').objectStore('kept').get('workspace');
    return ((await settle(kept)) as { id: string }).id;
  });

/** Presses a button of the home page that fills a desk. Returns the id of its workspace when the desk is open. */
export async function fillDesk(page: Page, name = 'Open an example'): Promise<string> {
  await page.getByRole('button', { name }).click();
  await page.waitForURL('**/workspace.html#today');
  return readRememberedId(page);
}
