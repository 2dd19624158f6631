import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { launchBrowser } from '../support/browser.ts';
import { deskBatch, readNames, rowsOf } from '../support/desk.ts';
import { startStaticHost } from '../support/static-host.ts';
import { openWorkerPage } from '../support/worker-page.ts';
import { openById } from '../support/workspace-page.ts';

const desk = suite('the lists of the desk on a static host');
const browser = await launchBrowser();
const host = await startStaticHost();

desk.after(async () => {
  await browser.close();
  host.stop();
});

/** Fills a workspace in the browser, and opens its candidates. */
async function open() {
  const tab = await openWorkerPage(browser, `${host.origin}/workspace.html`);
  assert.is(await tab.kind(), 'browser');
  const { status, body, text } = await tab.ask('POST', '/batch', { body: deskBatch });
  assert.is(status, 201, text);
  await openById(tab.page, body.workspace);
  return tab.page;
}

desk('are sorted, paged and searched by the worker', async () => {
  const page = await open();
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await readNames(page, 'Person 000');
  const pages = page.getByRole('navigation', { name: 'Pages of the list' });
  await pages.getByRole('button', { name: 'Next' }).click();
  await pages.getByText('51 to 60 of 60').waitFor();
  await readNames(page, 'Person 050');
  await page.getByRole('combobox').fill('riverbend');
  await page.getByRole('option', { name: /^Ward Nurse/ }).click();
  await page.getByRole('heading', { name: /^Ward Nurse/ }).waitFor();
});

desk('move several records by the worker', async () => {
  const page = await open();
  for (const name of ['Person 058', 'Person 059'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click();
  await page.getByText('2 candidates: withdrawn.').waitFor();
  await rowsOf(page).filter({ hasText: 'Person 058' }).getByText('withdrawn').waitFor();
});

desk.run();
