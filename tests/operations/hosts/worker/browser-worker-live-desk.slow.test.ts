import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { launchBrowser } from '../../../support/browser.ts';
import { fillDesk } from '../../../support/live-desk.ts';
import { startStaticHost } from '../../../support/static-host.ts';

const desks = suite('a live desk on a static host');
const host = await startStaticHost();
const browser = await launchBrowser();
desks.after(async () => {
  await browser.close();
  host.stop();
});

desks('is filled in the browser', async () => {
  const page = await browser.newPage();
  await page.goto(`${host.origin}/`);
  await page.locator('html[data-service="browser"]').waitFor();
  const workspace = await fillDesk(page);
  const records = await page.evaluate(async (id) => {
    const response = await fetch('/workspace', { headers: { 'X-Workspace': id } });
    return (await response.json()).workspace.records;
  }, workspace);
  assert.equal(records, { candidates: 60, jobOrders: 12, placements: 25 });
  await page.getByText('Preview: this service runs in this browser only.').waitFor();
});

desks.run();
