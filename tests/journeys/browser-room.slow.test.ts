import type { Locator, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';
import { fitOf, openOrder, proposeSix } from '../support/room-page.ts';
import { openToday } from '../support/today-page.ts';

const room = suite('the decision room');
const browser = await startBrowser(room);

/** An order with its people, for tests that change nothing. */
const useOrder = browser.share(() => openOrder(browser, { viewport: { width: 1440, height: 900 } }));

room('an order has one ranked list of people, those who are proposed first', async () => {
  const { page } = await useOrder();
  const names = await page.locator('.fit-name').allTextContents();
  assert.equal(names.map((name) => name.trim()).slice(0, 7), [
    ...['Person 1', 'Person 2', 'Person 3', 'Person 4', 'Person 5', 'Person 6'],
    'Person 7',
  ]);
});

room('a row has about 72 pixels, and its height does not change with the person', async () => {
  const { page } = await useOrder();
  const heights = await page
    .locator('.fit-line')
    .evaluateAll((lines) => lines.map((line) => line.clientHeight));
  assert.ok(
    heights.every((height) => height >= 64 && height <= 80),
    String(heights),
  );
});

room('a click on a row opens it, and another closes it', async () => {
  const { page } = await openOrder(browser);
  const row = fitOf(page, 'Person 2');
  const name = row.getByRole('button', { name: 'Person 2', exact: true });
  await row.locator('.fit-verdict').click();
  await row.getByText(/^Score/).waitFor();
  assert.is(await name.getAttribute('aria-expanded'), 'true');
  await row.locator('.fit-verdict').click();
  await row.getByText(/^Score/).waitFor({ state: 'detached' });
});

room('puts two people side by side', async () => {
  const { page } = await openOrder(browser);
  await page.getByLabel('Compare Person 1').check();
  await page.getByLabel('Compare Person 7').check();
  const panel = page.getByRole('region', { name: 'Side by side' });
  assert.is(await panel.locator('.fit-row').count(), 2);
});

room('proposes in place, and takes it back', async () => {
  const { page, agent } = await openOrder(browser);
  const row = fitOf(page, 'Person 7');
  await row.getByRole('button', { name: 'Propose' }).click();
  await row.getByRole('button', { name: 'Approve' }).waitFor();
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await row.getByRole('button', { name: 'Propose' }).waitFor();
  assert.is((await agent('GET', '/placements?status=proposed')).body.total, 6);
});

room('a decision can be undone before it is sent', async () => {
  const { page, agent } = await openOrder(browser);
  const row = fitOf(page, 'Person 1');
  await row.getByRole('button', { name: 'Decline' }).click();
  await row.getByRole('button', { name: 'Undo' }).click();
  await row.getByRole('button', { name: 'Decline' }).waitFor();
  await page.getByRole('link', { name: /^Today/ }).click();
  await page.getByRole('heading', { name: /^Needs you/ }).waitFor();
  assert.is((await agent('GET', '/placements?status=proposed')).body.total, 6);
});

/** Waits until as many placements have a status. */
async function waitForTotal(
  agent: Awaited<ReturnType<typeof openOrder>>['agent'],
  status: string,
  total: number,
) {
  for (;;) {
    const { body } = await agent('GET', `/placements?status=${status}`);
    if (body.total === total) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

room('a decision without a network is kept, and sent once the network is back', async () => {
  const { page, agent } = await openOrder(browser);
  const row = fitOf(page, 'Person 1');
  await page.context().setOffline(true);
  await row.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('link', { name: /^Today/ }).click();
  await page.locator('.toast', { hasText: 'The network is gone. Person 1: declined.' }).waitFor();
  await page.context().setOffline(false);
  await waitForTotal(agent, 'declined', 1);
  browser.faults.length = 0;
});

room('a decision is sent when the person goes elsewhere', async () => {
  const { page, agent } = await openOrder(browser);
  await fitOf(page, 'Person 1').getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('link', { name: /^Today/ }).click();
  await waitForTotal(agent, 'declined', 1);
});

room('a decision is sent when the page is closed', async () => {
  const { page, agent } = await openOrder(browser);
  await fitOf(page, 'Person 1').getByRole('button', { name: 'Approve' }).click();
  await page.goto('about:blank');
  await waitForTotal(agent, 'scheduled', 1);
});

room('shows what speaks against a person before the approval', async () => {
  const { page, agent } = await openOrder(browser, {}, { isMissing: true });
  await fitOf(page, 'Person 6').getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog', { name: /^Approve Person 6 as ICU nurse at Riverbend\?$/ });
  await dialog.getByText('BLS: not shown').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.is((await agent('GET', '/placements?status=proposed')).body.total, 6);
});

/** Adds to each match that the credential of a person ends before the work does. */
const endSoon = (page: Page) =>
  page.route('**/matches?*', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    for (const match of json.matches) match.endsDuring = [{ requirement: 'BLS', until: '2027-01-03' }];
    await route.fulfill({ response, json });
  });

room('a verdict is amber, and says what ends, if a licence ends during the work', async () => {
  const { workspace } = await proposeSix(browser.origin);
  const page = await browser.open('/workspace.html');
  await endSoon(page);
  await openToday(page, workspace);
  await page.getByRole('button', { name: /^Review/ }).click();
  const verdict = fitOf(page, 'Person 1').locator('.fit-verdict .chip');
  await verdict.getByText('BLS on 3 Jan 2027').waitFor();
  assert.match((await verdict.getAttribute('class')) ?? '', /is-offer/);
  await fitOf(page, 'Person 1').getByText('ends on 3 Jan 2027, during the work').waitFor();
  assert.is(await page.getByRole('button', { name: /without conflicts|Approve all/ }).count(), 0);
});

/** Opens Today with six proposals, and shows them. */
async function review(changes: Parameters<typeof proposeSix>[1] = {}) {
  const { workspace, agent } = await proposeSix(browser.origin, changes);
  const page = await browser.open('/workspace.html');
  await openToday(page, workspace);
  await page.getByRole('button', { name: /^Review/ }).click();
  await fitOf(page, 'Person 1').waitFor();
  return { page, agent };
}

room('Today shows proposals in place', async () => {
  const { page } = await review();
  await page.getByRole('heading', { name: 'Needs you 6' }).waitFor();
});

room('Today says who proposed how many', async () => {
  const { workspace } = await proposeSix(browser.origin);
  const page = await browser.open('/workspace.html');
  await openToday(page, workspace);
  await page.getByText(/^rota-agent proposed 6, 6 of 6 openings left\./).waitFor();
});

room('approves those without conflicts, at most as many as there are openings', async () => {
  const { page, agent } = await review({ openings: 4, isMissing: true });
  await page.getByRole('button', { name: 'Approve the 4 without conflicts' }).click();
  await page.locator('.held').nth(3).waitFor();
  await page.getByRole('link', { name: /^Candidates/ }).click();
  await waitForTotal(agent, 'scheduled', 4);
});

const keyOn = async (row: Locator, key: string) => {
  await row.getByRole('button', { name: /^Person \d$/ }).focus();
  await row.page().keyboard.press(key);
};

room('decides with the keys', async () => {
  const { page, agent } = await review();
  await keyOn(fitOf(page, 'Person 1'), 'a');
  await fitOf(page, 'Person 1').getByText('Approved').waitFor();
  await keyOn(fitOf(page, 'Person 2'), 'd');
  await keyOn(fitOf(page, 'Person 3'), 'd');
  await keyOn(fitOf(page, 'Person 3'), 'u');
  await fitOf(page, 'Person 3').getByRole('button', { name: 'Approve' }).waitFor();
  await page.getByRole('link', { name: /^Candidates/ }).click();
  await waitForTotal(agent, 'declined', 1);
  await waitForTotal(agent, 'scheduled', 1);
});

room('says at the row why a decision was not saved', async () => {
  const { page, agent } = await review();
  const [first] = (await agent('GET', '/placements?q=Person%201')).body.placements;
  await fitOf(page, 'Person 1').getByRole('button', { name: 'Decline' }).click();
  await agent('PATCH', first.links.self, { note: 'Changed meanwhile.' });
  await fitOf(page, 'Person 1').getByText('Not saved: Changed meanwhile: look again').waitFor();
});

room('a dialog says whom it is about and what follows, and Enter does not confirm it', async () => {
  const { page, agent } = await openOrder(browser);
  await fitOf(page, 'Person 1').locator('.menu summary').click();
  await page.getByRole('button', { name: 'Make offer' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Offer ICU nurse at Riverbend to Person 1?' });
  await dialog.getByText(/It holds no opening until it is accepted\. Nobody is emailed\./).waitFor();
  await page.keyboard.press('Enter');
  assert.is((await agent('GET', '/placements?status=offered')).body.total ?? 0, 0);
  await dialog.getByRole('button', { name: 'Make offer' }).click();
  await page.getByText('Person 1: offered.').waitFor();
});

room('Back closes a dialog', async () => {
  const { page, agent } = await openOrder(browser);
  await fitOf(page, 'Person 1').locator('.menu summary').click();
  await page.getByRole('button', { name: 'Make offer' }).first().click();
  await page.getByRole('dialog').waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  assert.is((await agent('GET', '/placements?status=offered')).body.total ?? 0, 0);
});

room.run();
