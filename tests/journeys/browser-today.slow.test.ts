import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';
import { findNeed, openFilledToday } from '../support/today-page.ts';
import { openTab, textOf } from '../support/workspace-page.ts';

const today = suite('what needs a person today');
const browser = await startBrowser(today);

/** The page before a decision, for tests that change nothing. */
const useToday = browser.share(() => openFilledToday(browser));

today('lists what needs a person, the most urgent first', async () => {
  const { page } = await useToday();
  const names = await page.locator('[data-place=needs] .need a').allTextContents();
  assert.equal(names, ['Ada Example', 'Cy Example', 'ICU nurse']);
});

today('counts what needs a person', async () => {
  const { page } = await useToday();
  await page.getByRole('heading', { name: 'Needs you 3' }).waitFor();
});

today('says of each record what is the matter', async () => {
  const { page } = await useToday();
  assert.match(await textOf(findNeed(page, 'Ada Example')), /1 day left to validate it\. Day 89 of 90\./);
  assert.match(await textOf(findNeed(page, 'Cy Example')), /Interviewing, noted/);
  assert.match(
    await textOf(findNeed(page, 'ICU nurse')),
    /Starts in 6 days, 2 of 2 openings left, .*proposed/,
  );
});

today('states an outcome without leaving the page, and then asks for the confirmation', async () => {
  const { page, agent, placements } = await openFilledToday(browser);
  const row = findNeed(page, 'Ada Example');
  await row.getByRole('button', { name: 'State outcome' }).click();
  await page.getByRole('dialog').getByLabel('Result').selectOption('retained');
  await page.getByRole('button', { name: 'State it', exact: true }).click();
  await row.getByRole('button', { name: 'Ask to confirm' }).click();
  assert.match(await page.getByLabel('Link for the client').inputValue(), /\/confirm\.html#cnf_/);
  await page.getByRole('button', { name: 'Done' }).click();
  const { placement } = (await agent('GET', placements[0].links.self)).body;
  assert.is(placement.outcome.result, 'retained');
});

today('makes an offer, and then takes the answer', async () => {
  const { page, agent, placements } = await openFilledToday(browser);
  const row = findNeed(page, 'Cy Example');
  await row.getByRole('button', { name: 'Make offer' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make offer' }).click();
  await row.getByText('and not accepted or declined yet').waitFor();
  await row.locator('.menu summary').click();
  await row.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('dialog').getByLabel('Decline reason').selectOption('candidate');
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await row.waitFor({ state: 'detached' });
  assert.is((await agent('GET', placements[2].links.self)).body.placement.status, 'declined');
});

today('shares the shortlist of an order', async () => {
  const { page } = await openFilledToday(browser);
  const row = findNeed(page, 'ICU nurse');
  await row.locator('.menu summary').click();
  await row.getByRole('button', { name: 'Share shortlist' }).click();
  assert.match(await page.getByLabel('Link to the shortlist').inputValue(), /\/shortlist\.html#sl_/);
  await page.getByRole('button', { name: 'Done' }).click();
  await row.getByRole('button', { name: /^Review/ }).waitFor();
});

today('keeps the focus on the page after the last button of a row', async () => {
  const { page } = await openFilledToday(browser);
  const row = findNeed(page, 'Cy Example');
  await row.locator('.menu summary').click();
  await row.getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
  await row.waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement !== document.body);
});

today('shows eight records, and all of them on demand', async () => {
  const onetCode = '29-1141.00';
  const jobOrders = Array.from({ length: 10 }, (_, at) => ({
    ...{ ref: `j${at}`, client: 'Acme', title: `Nurse ${at}`, onetCode },
    startDate: new Date().toISOString().slice(0, 10),
  }));
  const { page } = await openFilledToday(browser, {}, { jobOrders });
  const rows = page.locator('[data-place=needs] li');
  assert.is(await rows.count(), 8);
  await page.getByRole('button', { name: 'Show all 10' }).click();
  await rows.nth(9).waitFor();
});

today('says so if nothing needs a person', async () => {
  const batch = { candidates: [{ ref: 'a', name: 'Ada Example', onetCode: '29-1141.00' }] };
  const { page } = await openFilledToday(browser, {}, batch);
  await page.getByText('Nothing needs you now.').waitFor();
});

today('leads to a record and back', async () => {
  const { page } = await openFilledToday(browser);
  await findNeed(page, 'Ada Example').getByRole('link', { name: 'Ada Example' }).click();
  await page.getByRole('heading', { name: /^Ada Example/ }).waitFor();
  await page.goBack();
  await findNeed(page, 'Ada Example').waitFor();
});

today('is there again after another tab', async () => {
  const { page } = await useToday();
  await openTab(page, 'Settings');
  await openTab(page, 'Today');
  await findNeed(page, 'Ada Example').waitFor();
});

today.run();
