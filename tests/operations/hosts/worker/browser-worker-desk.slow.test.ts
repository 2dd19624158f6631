import type { BrowserContext, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { judge, launchBrowser } from '../../../support/browser.ts';
import { sendAnswer } from '../../../support/confirm-page.ts';
import { deskBatch, readNames, rowsOf } from '../../../support/desk.ts';
import {
  chooseOccupation,
  csvOfPeople,
  dropFile,
  openStep,
  pressImport,
} from '../../../support/import-page.ts';
import { fillDesk } from '../../../support/live-desk.ts';
import { startStaticHost } from '../../../support/static-host.ts';
import { openWorkerPage } from '../../../support/worker-page.ts';
import { openById, openTab } from '../../../support/workspace-page.ts';

const desk = suite('a desk on a static host');
const browser = await launchBrowser();
const { origin, stop } = await startStaticHost();
/** What the pages of a test have thrown. */
const thrown: string[] = [];

desk.after.each(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  assert.equal(thrown.splice(0), []);
});
desk.after(async () => {
  await browser.close();
  stop();
});

async function openIn(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => thrown.push(String(error)));
  await page.goto(origin + path);
  return page;
}

/** Opens a page in a browser of its own. */
const open = async (path: string) => openIn(await browser.newContext(), path);

/** Opens the sample workspace at Today. */
async function openSample(): Promise<Page> {
  const page = await open('/workspace.html');
  await page.getByRole('button', { name: 'Open an example' }).click();
  await page.locator('[data-place=needs] li').first().waitFor();
  return page;
}

desk('is filled in the browser from the home page', async () => {
  const page = await open('/');
  await page.locator('html[data-service="browser"]').waitFor();
  const workspace = await fillDesk(page);
  const records = await page.evaluate(async (id) => {
    const response = await fetch('/workspace', { headers: { 'X-Workspace': id } });
    return (await response.json()).workspace.records;
  }, workspace);
  assert.equal(records, { candidates: 60, jobOrders: 12, placements: 25 });
  await page.getByText('Preview: this service runs in this browser only.').waitFor();
});

desk('states an outcome on Today, and shows that in the activity', async () => {
  const page = await openSample();
  await page.getByRole('button', { name: /^Show all/ }).click();
  await page
    .getByRole('button', { name: /^State outcome/ })
    .first()
    .click();
  await page.getByRole('dialog').getByLabel('Result').selectOption('retained');
  await page.getByRole('button', { name: 'State it', exact: true }).click();
  const first = page.locator('.feed li').first();
  await first.getByText('stated the outcome of').waitFor();
  await first.getByText('You', { exact: true }).waitFor();
});

desk('shows the plan, and proposes who is ticked', async () => {
  const page = await openSample();
  await page.getByRole('link', { name: 'Fill all' }).click();
  await page.locator('.plan li input').first().check();
  await page.getByRole('button', { name: /^Propose \d+$/ }).click();
  await page.getByText(/^Proposed \d+ (person|people)/).waitFor();
});

desk('shows the records of a file, takes the codes, and creates them in this browser', async () => {
  const page = await openSample();
  await openTab(page, 'Candidates');
  await page.locator('[data-place=list] tbody tr').first().waitFor();
  const imported = await dropFile(page, 'people.csv', csvOfPeople);
  await imported.getByText('does not leave it').waitFor();
  await chooseOccupation(imported, 'Zzyzx Wrangler', 'farmworker');
  await imported.getByText('all clear').waitFor();
  await openStep(imported, 'Import');
  await pressImport(imported, 'Import 2');
  await page.getByRole('link', { name: 'Bo Sample' }).waitFor();
});

desk('offers what works there, and names what does not', async () => {
  const page = await openSample();
  await page.getByRole('button', { name: /^Show all/ }).click();
  const unstated = page.getByRole('button', { name: /^State outcome/ });
  await page.locator('[data-place=needs] li', { has: unstated }).first().getByRole('link').click();
  await page.getByRole('button', { name: 'State the outcome' }).click();
  await page.getByRole('dialog').getByLabel('Result').selectOption('retained');
  await page.getByRole('button', { name: 'State it', exact: true }).click();
  await page.getByRole('button', { name: 'Ask the client to confirm' }).click();
  const { pathname, hash } = new URL(await page.getByLabel('Link for the client').inputValue());
  await page.getByRole('button', { name: 'Done' }).click();

  const other = await openIn(page.context(), pathname + hash);
  await sendAnswer(other);
  await other.getByText('Answered on').waitFor();
  const stranger = await open(pathname + hash);
  await stranger.getByText('This link is not known here').waitFor();
  await Promise.all([other.close(), stranger.close()]);

  await page.getByRole('button', { name: 'Show the receipt' }).click();
  await page.getByText('There are no receipts here').waitFor();
  await openTab(page, 'Job orders');
  await page.getByRole('link', { name: /^Electrician, Substations/ }).click();
  await page.locator('.fit-row').first().waitFor();
  await openTab(page, 'Settings');
  await page.getByRole('button', { name: 'Earn a day' }).click();
  await page.getByText(/This cannot be earned here|static preview/).waitFor();
  // The sweep over all pages has a live service.
  await judge(page);
  await page.reload();
  await page.getByRole('button', { name: 'Delete the workspace' }).click();
  await page.getByRole('button', { name: 'Delete everything' }).click();
  await page.getByText('The workspace is deleted').waitFor();
});

/** Opens the candidates of a workspace with the records of `deskBatch`. */
async function openMany(): Promise<Page> {
  const tab = await openWorkerPage(browser, `${origin}/workspace.html`);
  assert.is(await tab.kind(), 'browser');
  const { status, body, text } = await tab.ask('POST', '/batch', { body: deskBatch });
  assert.is(status, 201, text);
  await openById(tab.page, body.workspace);
  return tab.page;
}

desk('has lists that are sorted, paged and searched by the worker', async () => {
  const page = await openMany();
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

desk('moves several records by the worker', async () => {
  const page = await openMany();
  for (const name of ['Person 058', 'Person 059'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click();
  await page.getByText('2 candidates: withdrawn.').waitFor();
  await rowsOf(page).filter({ hasText: 'Person 058' }).getByText('withdrawn').waitFor();
});

desk.run();
