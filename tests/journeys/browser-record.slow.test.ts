import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';
import { deskBatch, openDesk } from '../support/desk.ts';

const records = suite('the page of a record, and the way back from it');
const browser = await startBrowser(records);

/** Scrolls the page, and waits until its place is stored with the entry of the history. */
async function scrollDown(page: Page): Promise<void> {
  await page.evaluate(() => scrollTo(0, 700));
  await page.waitForFunction(() => history.state?.y === 700);
}

const waitForPlace = (page: Page) => page.waitForFunction(() => Math.abs(scrollY - 700) < 2);

/** A desk of which tests change only what is in view. */
const useDesk = browser.share(() => openDesk(browser));

records('the list is where it was when one comes back to it', async () => {
  const { page } = await openDesk(browser);
  await scrollDown(page);
  await page.getByRole('link', { name: 'Person 030' }).click();
  await page.getByRole('heading', { name: 'Person 030' }).waitFor();
  await page.goBack();
  await waitForPlace(page);
});

records('the list is where it was after the page is loaded again', async () => {
  const { page } = await openDesk(browser);
  await scrollDown(page);
  await page.reload();
  await waitForPlace(page);
});

records('a record that is opened begins at its top', async () => {
  const { page } = await openDesk(browser);
  await scrollDown(page);
  await page.getByRole('link', { name: 'Person 030' }).click();
  await page.getByRole('heading', { name: 'Person 030' }).waitFor();
  await page.waitForFunction(() => scrollY === 0);
});

records('its history says who changed what', async () => {
  const { page, agent, candidates } = await useDesk();
  await agent('PATCH', `/candidates/${candidates[4].id}`, { metro: 'Dayton, OH' });
  await page.goto(`${browser.origin}/workspace.html#${candidates[4].id}`);
  await page.getByRole('region', { name: 'History' }).getByText('changed the metro of Person 004').waitFor();
});

records('its history marks what came with an import, and says why', async () => {
  const [person] = deskBatch.candidates;
  const entry = {
    ...{ at: '2026-01-02T03:04:05.678Z', via: 'owner', operation: 'updateCandidate', members: ['metro'] },
    ...{ reason: 'She moved', changes: [{ member: 'metro', from: 'Reno, NV', to: 'Dayton, OH' }] },
  };
  const candidates = [{ ...person, history: [entry] }, ...deskBatch.candidates.slice(1)];
  const opened = await openDesk(browser, undefined, { ...deskBatch, candidates });
  await opened.page.goto(`${browser.origin}/workspace.html#${opened.candidates[0].id}`);
  const history = opened.page.getByRole('region', { name: 'History' });
  await history.getByText('The owner changed the metro of Person 000 (imported)').waitFor();
  await history.getByText('Metro Reno, NV to Dayton, OH, because She moved').waitFor();
});

records('a person shows which credentials end soon, and which have ended', async () => {
  const toDay = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const [person] = deskBatch.candidates;
  const credentials = [
    `ACLS until ${toDay(12)}`,
    `BLS (exp ${toDay(-3)})`,
    `TNCC until ${toDay(90)}`,
    'CCRN',
  ];
  const candidates = [{ ...person, credentials }, ...deskBatch.candidates.slice(1)];
  const opened = await openDesk(browser, undefined, { ...deskBatch, candidates });
  await opened.page.goto(`${browser.origin}/workspace.html#${opened.candidates[0].id}`);
  const chips = opened.page.locator('.record-line .chip');
  await chips.nth(2).waitFor();
  assert.equal(await chips.allTextContents(), ['available', 'BLS ended 3 days ago', 'ACLS ends in 12 days']);
});

records('its menu is in the window on a phone', async () => {
  const { page, placements } = await openDesk(browser, { viewport: { width: 390, height: 844 } });
  await page.goto(`${browser.origin}/workspace.html#${placements[2].id}`);
  await page.getByText('More', { exact: true }).click();
  const box = (await page.locator('.menu[open] ul').boundingBox())!;
  assert.ok(box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
});

records('an order with proposals offers first to share them', async () => {
  const { page, jobOrders } = await useDesk();
  await page.goto(`${browser.origin}/workspace.html#${jobOrders[0].id}`);
  await page.locator('.record .button:not(.quiet)', { hasText: 'Share the shortlist' }).waitFor();
});

records('a filled order offers nobody to propose', async () => {
  const [ward] = deskBatch.jobOrders;
  const batch = { ...deskBatch, jobOrders: [{ ...ward, openings: 1 }, deskBatch.jobOrders[1]] };
  const { page, jobOrders } = await openDesk(browser, undefined, batch);
  await page.goto(`${browser.origin}/workspace.html#${jobOrders[0].id}`);
  await page.locator('.fit-row').first().waitFor();
  assert.is(await page.getByRole('button', { name: 'Propose', exact: true }).count(), 0);
});

records.run();
