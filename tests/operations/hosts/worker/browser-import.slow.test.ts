import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { launchBrowser } from '../../../support/browser.ts';
import {
  chooseOccupation,
  csvOfPeople,
  dropFile,
  openStep,
  pressImport,
} from '../../../support/import-page.ts';
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
  await page.getByRole('button', { name: 'Open an example' }).click();
  await openTab(page, 'Candidates');
  await page.locator('[data-place=list] tbody tr').first().waitFor();

  const imported = await dropFile(page, 'people.csv', csvOfPeople);
  await imported.getByText('does not leave it').waitFor();
  await chooseOccupation(imported, 'Zzyzx Wrangler', 'farmworker');
  await imported.getByText('all clear').waitFor();
  await openStep(imported, 'Import');
  await pressImport(imported, 'Import 2');
  await page.getByRole('link', { name: 'Bo Sample' }).waitFor();
  assert.equal(thrown, []);
  await context.close();
});

imports.run();
