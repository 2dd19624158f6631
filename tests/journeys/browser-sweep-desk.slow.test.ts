import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import { startBrowser } from '../support/browser.ts';
import { openDesk, showHash } from '../support/desk.ts';
import { csvOfPeople, dropFile, hardFile, openStep } from '../support/import-page.ts';
import { fillDesk } from '../support/live-desk.ts';
import { fitOf, openOrder } from '../support/room-page.ts';
import { checkState, forgetFailedRequests, sweepLook } from '../support/sweep.ts';
import { findNeed, openFilledToday } from '../support/today-page.ts';
import { chooseAction, fillMany, openById, openFilled, openTab, toDay } from '../support/workspace-page.ts';

const sweep = suite('the desk in every state');
const browser = await startBrowser(sweep, { RECORD_CEILING: '2000', METER: 'count' });

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const shows = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();
const searchOf = (page: Page) => page.getByRole('combobox', { name: 'Search people, orders and placements' });
const dialogOf = (page: Page) => page.getByRole('dialog');
/** Keeps the page from hearing what others change. */
const deafen = (page: Page) => page.route('**/workspace', (route) => route.abort());
const failing = { status: 503, json: { type: 'BLOCKED', reason: 'The store does not answer just now.' } };

type Check = (page: Page, state: string) => Promise<void>;

/** Ways through the desk, each of which opens it once. */
const tours: Record<string, (check: Check) => Promise<void>> = {
  async lists(check) {
    const { page } = await openFilled(browser, sweepLook);
    await check(page, 'candidates');
    await press(page, 'Filters');
    await check(page, 'filters');
    await page.getByLabel('Select all on this page').check();
    await shows(page, '2 selected');
    await check(page, 'selected');
    await searchOf(page).fill('example');
    await shows(page, /^\d+ candidates?, 1 job order/);
    await check(page, 'searched');
    await searchOf(page).fill('rivrebend');
    await shows(page, 'Nothing found for');
    await check(page, 'no hit');
    await searchOf(page).fill('');
    await showHash(page, 'candidates?q=zzqxv');
    await shows(page, 'No candidate fits');
    await check(page, 'an empty list');
    await showHash(page, 'placements?view=board');
    await shows(page, 'on the board');
    await check(page, 'the board');
    await showHash(page, 'cand_0000000000000000');
    await shows(page, 'Not here');
    await check(page, 'a record that is gone');
    await page.route('**/job-orders?*', (route) => route.fulfill(failing));
    await openTab(page, 'Job orders');
    await shows(page, 'does not answer just now');
    await check(page, 'a failing list');
    await openTab(page, 'Candidates');
    await page.context().setOffline(true);
    await shows(page, 'The network is gone');
    await check(page, 'offline');
  },
  async 'long lists'(check) {
    const page = await browser.open('/workspace.html', sweepLook);
    await openById(page, await fillMany(browser.origin, 1000));
    await shows(page, '1 to 50 of 1,000');
    await check(page, 'many');
    await showHash(page, 'candidates?sort=name');
    await page
      .getByRole('columnheader', { name: 'Name' })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    await check(page, 'sorted');
  },
  async 'names of any script'(check) {
    const names = ['<img src=x onerror=alert(1)>', 'مرحبا بالعالم (نموذج)', 'W'.repeat(200)];
    const candidates = names.map((name) => ({ name, onetCode: '15-1252.00', skills: ['x'.repeat(80)] }));
    const { page } = await openFilled(browser, sweepLook, { candidates });
    await check(page, 'a list');
  },
  async 'a record'(check) {
    const { page, agent, candidates, jobOrders } = await openFilled(browser, sweepLook);
    const [{ id, onetCode, links }, order] = [candidates[0], jobOrders[0]];
    await agent('POST', '/placements', {
      ...{ candidateId: id, jobOrderId: order.id, onetCode, status: 'proposed' },
    });
    await showHash(page, order.id);
    await shows(page, 'About this job order');
    await check(page, 'an order');
    await showHash(page, id);
    await page.getByRole('heading', { name: 'Ada Exmaple' }).waitFor();
    await check(page, 'a person');
    await press(page, 'Edit');
    await check(page, 'edited');
    const code = dialogOf(page).getByLabel('O*NET-SOC code');
    await code.fill('99-9999.99');
    await press(page, 'Save');
    await page.locator('.fault:visible').waitFor();
    await check(page, 'a refused value');
    await code.fill(onetCode);
    await dialogOf(page).getByLabel('Name').fill('Ada Example');
    await deafen(page);
    await agent('PATCH', links.self, { metro: 'Dayton, OH' });
    await press(page, 'Save');
    await page.getByRole('dialog', { name: 'Changed by somebody else meanwhile' }).waitFor();
    await check(page, 'changed meanwhile');
    await page.unroute('**/workspace');
    await press(page, 'Save mine over it');
    await page.getByRole('heading', { name: 'Ada Example' }).waitFor();
    await chooseAction(page, 'Delete candidate');
    await dialogOf(page).waitFor();
    await check(page, 'deleted?');
  },
  async 'several records'(check) {
    const { page, agent, candidates } = await openDesk(browser, sweepLook);
    const select = (number: string) =>
      page.getByRole('checkbox', { name: `Select Person ${number}` }).check();
    await select('058');
    await select('059');
    await press(page, 'Withdraw');
    await deafen(page);
    await agent('PATCH', candidates[58].links.self, { metro: 'Dayton, OH' });
    await dialogOf(page).getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByRole('dialog', { name: 'Changed by somebody else meanwhile' }).waitFor();
    await check(page, 'changed meanwhile');
    await page.unroute('**/workspace');
    await press(page, 'Move them anyway');
    await shows(page, '2 candidates: withdrawn.');
    await select('056');
    await select('057');
    await press(page, 'Withdraw');
    await deafen(page);
    await agent('DELETE', candidates[57].links.self);
    await dialogOf(page).getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByRole('dialog', { name: 'Nothing was changed' }).waitFor();
    await check(page, 'nothing was changed');
    await page.unroute('**/workspace');
    await press(page, 'Close');
    await showHash(page, 'placements?status=proposed&client=hospital&sort=-updatedAt');
    await shows(page, '1 placement found.');
    await press(page, 'More filters');
    await check(page, 'filters of placements');
    await select('001');
    await press(page, 'Decline');
    await dialogOf(page).getByLabel('Decline reason').selectOption('closed');
    await check(page, 'a form for several');
  },
  async 'several with conflicts'(check) {
    const onetCode = '29-1141.00';
    const order = { ref: 'o', client: 'Example Clinic', title: 'Nurse', onetCode, openings: 1 };
    const people = [1, 2].map((at) => ({ ref: `p${at}`, name: `Person ${at}`, onetCode }));
    const place = { jobOrderId: '#o', onetCode, status: 'proposed', startDate: toDay(5) };
    const { page } = await openDesk(browser, sweepLook, {
      candidates: people,
      jobOrders: [order],
      placements: people.map(({ ref }) => ({ candidateId: `#${ref}`, ...place })),
    });
    await openTab(page, 'Placements');
    const rows = page.getByRole('table', { name: 'placements' });
    for (const { name } of people) await rows.getByRole('checkbox', { name: `Select ${name}` }).check();
    await shows(page, '2 selected');
    await press(page, 'Accept');
    await dialogOf(page).getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByRole('dialog', { name: /^Something speaks against/ }).waitFor();
    await check(page, 'what speaks against them');
  },
  async today(check) {
    const { page } = await openFilledToday(browser, sweepLook);
    await check(page, 'what needs a person');
    const row = findNeed(page, 'ICU nurse');
    await row.locator('.menu summary').click();
    await row.getByRole('button', { name: 'Share shortlist' }).click();
    await page.getByRole('img', { name: 'QR code of this link' }).waitFor();
    await check(page, 'a link to share');
    await press(page, 'Done');
    await page.getByRole('link', { name: 'Fill all' }).click();
    await page.locator('.plan .card').first().waitFor();
    await check(page, 'the plan');
    await openTab(page, 'Settings');
    await page.locator('[data-place=meter] tbody tr').first().waitFor();
    await check(page, 'settings');
  },
  async 'the decision room'(check) {
    const { page } = await openOrder(browser, sweepLook);
    await check(page, 'people');
    const person = fitOf(page, 'Person 1');
    await person.getByRole('button', { name: 'Person 1', exact: true }).click();
    await person.getByText(/^Score \d+ of 100$/).waitFor();
    await check(page, 'a person');
    await page.getByLabel('Compare Person 1').check();
    await page.getByLabel('Compare Person 7').check();
    await page.getByRole('region', { name: 'Side by side' }).waitFor();
    await check(page, 'side by side');
    await openTab(page, 'Today');
    await press(page, /^Review/);
    await fitOf(page, 'Person 1').waitFor();
    await check(page, 'proposals in place');
  },
  async 'an import'(check) {
    const { page } = await openFilled(browser, sweepLook);
    const imported = await dropFile(page, 'people.csv', csvOfPeople);
    await imported.getByRole('button', { name: 'Another occupation for Zzyzx Wrangler' }).waitFor();
    await check(page, 'titles');
    await openStep(imported, 'Import');
    await imported.getByText('1 thing left out, and why').click();
    await check(page, 'rows');
    await imported.getByRole('button', { name: 'Cancel' }).click();
    await imported.waitFor({ state: 'detached' });
    await dropFile(page, 'people.csv', hardFile);
    await imported.getByLabel('What Position Desired means').selectOption('title');
    await imported.getByText('5 of 6 imported').waitFor();
    await check(page, 'columns');
    await imported.getByRole('button', { name: 'Continue' }).click();
    await imported.locator('.settle .offer').first().click();
    await imported.getByLabel('Shift Pref in 4 rows').fill('day');
    await imported.getByRole('button', { name: 'Change in 4 rows' }).click();
    await imported.getByText(/\d+ pay rates look unusual: review/).click();
    await check(page, 'unusual cells');
  },
  async 'a second desk'(check) {
    const page = await browser.open('/', sweepLook);
    await fillDesk(page);
    await page.goto(`${browser.origin}/`);
    await press(page, 'Open an example');
    await page.locator('[data-said]', { hasText: 'This browser has a workspace' }).waitFor();
    await check(page, 'offered');
  },
};

for (const [name, tour] of Object.entries(tours))
  sweep(`${name}, step by step`, async () => {
    await tour((page, state) => checkState(page, `${name}, ${state}`));
    forgetFailedRequests(browser.faults);
  });

sweep.run();
