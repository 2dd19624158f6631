import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { launchBrowser } from '../../../support/browser.ts';
import { chooseCode, csvOfPeople, dropFile } from '../../../support/import-page.ts';
import { startStaticHost, stopProcesses } from '../../../support/static-host.ts';
import { openTab } from '../../../support/workspace-page.ts';

const browser = await launchBrowser();
const imports = suite('importing a file on a static host');
imports.after(async () => {
  await browser.close();
  stopProcesses();
});

imports('shows the records, takes the codes, and creates them in this browser', async () => {
  const { origin } = await startStaticHost();
  const context = await browser.newContext();
  const page = await context.newPage();
  const thrown: string[] = [];
  page.on('pageerror', (error) => thrown.push(String(error)));
  await page.goto(`${origin}/workspace.html`);
  await page.getByRole('button', { name: 'Make one to try' }).click();
  await openTab(page, 'Candidates');
  await page.locator('[data-place=list] tbody tr').first().waitFor();

  const dialog = await dropFile(page, 'people.csv', csvOfPeople);
  await dialog.getByText('does not leave it').waitFor();
  await dialog.getByRole('button', { name: 'A candidate' }).click();
  await chooseCode(dialog, 'row 3', 'farmworker');
  await dialog.getByRole('button', { name: 'Check again' }).click();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('link', { name: 'Bo Sample' }).waitFor();
  assert.equal(thrown, []);
  await context.close();
});

imports.run();
