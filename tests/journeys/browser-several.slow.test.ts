import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';
import { openDesk, rowsOf } from '../support/desk.ts';
import type { Body } from '../support/http.ts';
import { openTab, toDay } from '../support/workspace-page.ts';

const several = suite('several records at once');
const browser = await startBrowser(several);

const bar = (page: Page) => page.getByRole('group', { name: 'Selected' });
const boxOf = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
const move = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true }).click();
const answer = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

/** Chooses records by their names. */
async function choose(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) await boxOf(page, name).check();
  await bar(page).getByText(`${names.length} selected`).waitFor();
}

const statusOf = async (agent: (method: string, path: string) => Promise<{ body: Body }>, { links }: Body) =>
  Object.values<Body>((await agent('GET', links.self)).body).find((value) => value?.status)!.status;

several('are moved by one call', async () => {
  const { page, agent, candidates } = await openDesk(browser);
  const posts: string[] = [];
  page.on('request', (one) => one.method() !== 'GET' && posts.push(`${one.method()} ${one.url()}`));
  await choose(page, 'Person 057', 'Person 058', 'Person 059');
  await move(page, 'Withdraw');
  await answer(page, 'Withdraw');
  await page.getByText('3 candidates: withdrawn.').waitFor();
  assert.equal(posts, [`POST ${browser.origin}/batch`]);
  assert.is(await statusOf(agent, candidates[58]), 'withdrawn');
  await rowsOf(page).filter({ hasText: 'Person 058' }).getByText('withdrawn').waitFor();
  assert.is(await bar(page).count(), 0, 'nothing is selected any more');
});

several('are moved with what the move needs, asked once', async () => {
  const { page, agent, placements } = await openDesk(browser);
  await openTab(page, 'Placements');
  await choose(page, 'Person 001', 'Person 002');
  await move(page, 'Decline');
  await page.getByRole('dialog').getByLabel('Decline reason').selectOption('closed');
  await answer(page, 'Decline');
  await page.getByText('2 placements: declined.').waitFor();
  const { placement } = (await agent('GET', placements[0].links.self)).body;
  assert.is(placement.status, 'declined');
  assert.is(placement.declineReason, 'closed');
});

several('end with a reason and a day', async () => {
  const { page, agent, placements } = await openDesk(browser);
  await openTab(page, 'Placements');
  await choose(page, 'Person 003');
  await move(page, 'End them');
  await page.getByRole('dialog').getByLabel('End reason').selectOption('client-ended');
  await page.getByRole('dialog').getByLabel('End required').fill(toDay(-1));
  await answer(page, 'End them');
  await page.getByText('1 placement: ended.').waitFor();
  assert.is(await statusOf(agent, placements[2]), 'ended-early');
});

several('have only the moves that are legal for all of them', async () => {
  const { page } = await openDesk(browser);
  await openTab(page, 'Placements');
  await choose(page, 'Person 001');
  await bar(page).getByRole('button', { name: 'Interview' }).waitFor();
  await choose(page, 'Person 001', 'Person 003');
  await bar(page).getByText('No move fits all of them.').waitFor();
});

several('are chosen by the box in the head, in ranges by Shift, and let go', async () => {
  const { page } = await openDesk(browser);
  const all = page.getByRole('checkbox', { name: 'Select all on this page' });
  await all.check();
  await bar(page).getByText('50 selected').waitFor();
  await bar(page).getByRole('button', { name: 'Clear' }).click();
  await bar(page).waitFor({ state: 'detached' });
  await boxOf(page, 'Person 059').click();
  await boxOf(page, 'Person 055').click({ modifiers: ['Shift'] });
  await bar(page).getByText('5 selected').waitFor();
  assert.is(await all.evaluate((box: HTMLInputElement) => box.indeterminate), true);
});

several('are chosen and moved by keyboard alone', async () => {
  const { page } = await openDesk(browser);
  await boxOf(page, 'Person 059').focus();
  await page.keyboard.press('Space');
  await bar(page).getByText('1 selected').waitFor();
  assert.is(await boxOf(page, 'Person 059').evaluate((box) => box === document.activeElement), true);
  await bar(page).getByRole('button', { name: 'Withdraw' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('1 candidate: withdrawn.').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.is(await page.evaluate(() => document.activeElement?.id), 'records-name');
});

several('are not moved if one is refused, and the refusal names it', async () => {
  const { page, agent, candidates } = await openDesk(browser);
  await choose(page, 'Person 058', 'Person 059');
  await move(page, 'Withdraw');
  await page.route('**/workspace', (route) => route.abort());
  await agent('DELETE', candidates[58].links.self);
  await answer(page, 'Withdraw');
  const dialog = page.getByRole('dialog', { name: 'Nothing was changed' });
  await dialog.getByText('1 of 2 candidates cannot be moved:').waitFor();
  await dialog.getByRole('listitem').filter({ hasText: 'Person 058' }).waitFor();
  await page.unroute('**/workspace');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByText('Nothing was changed.').waitFor();
  assert.is(await statusOf(agent, candidates[59]), 'available');
  browser.faults.length = 0;
});

several('are shown with what speaks against them before any is moved', async () => {
  const order = { ref: 'o', client: 'Example Clinic', title: 'Nurse', onetCode: '29-1141.00', openings: 1 };
  const { page } = await openDesk(
    browser,
    {},
    {
      candidates: [1, 2].map((at) => ({ ref: `p${at}`, name: `Person ${at}`, onetCode: '29-1141.00' })),
      jobOrders: [order],
      placements: [1, 2].map((at) => ({
        ...{ candidateId: `#p${at}`, jobOrderId: '#o', onetCode: '29-1141.00' },
        ...{ status: 'proposed', startDate: toDay(5) },
      })),
    },
  );
  await openTab(page, 'Placements');
  await choose(page, 'Person 1', 'Person 2');
  await move(page, 'Accept');
  await answer(page, 'Accept');
  const dialog = page.getByRole('dialog', { name: /^Something speaks against \d of \d/ });
  await dialog.getByText('Nothing is changed yet.').waitFor();
  await dialog.getByText('is filled already').first().waitFor();
  await dialog.getByRole('button', { name: 'Accept the 1 without conflicts' }).click();
  await page.getByText('1 placement: scheduled.').waitFor();
});

several('keep their form open if the service refuses what was filled in', async () => {
  const { page, agent, placements } = await openDesk(browser);
  await openTab(page, 'Placements');
  await choose(page, 'Person 003');
  await move(page, 'End them');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('End reason').selectOption('client-ended');
  await dialog.getByLabel('End required').fill('2026-01-01');
  await answer(page, 'End them');
  await dialog.locator('.fault:visible').waitFor();
  assert.is(await statusOf(agent, placements[2]), 'active');
});

several('that somebody else changed meanwhile are shown, and moved only after a question', async () => {
  const { page, agent, candidates } = await openDesk(browser);
  await choose(page, 'Person 058', 'Person 059');
  await move(page, 'Withdraw');
  await page.route('**/workspace', (route) => route.abort());
  await agent('PATCH', candidates[58].links.self, { metro: 'Dayton, OH' });
  await answer(page, 'Withdraw');
  const asked = page.getByRole('dialog', { name: 'Changed by somebody else meanwhile' });
  await asked.getByRole('row', { name: /Person 058 metro: Columbus, OH → Dayton, OH/ }).waitFor();
  assert.is(await statusOf(agent, candidates[59]), 'available', 'nothing is moved before the answer');
  await page.unroute('**/workspace');
  await asked.getByRole('button', { name: 'Move them anyway' }).click();
  await page.getByText('2 candidates: withdrawn.').waitFor();
  const { candidate } = (await agent('GET', candidates[58].links.self)).body;
  assert.is(candidate.status, 'withdrawn');
  assert.is(candidate.metro, 'Dayton, OH');
  browser.faults.length = 0;
});

several.run();
