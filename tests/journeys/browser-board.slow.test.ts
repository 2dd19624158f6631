import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { holdToWidth, startBrowser } from '../support/browser.ts';
import type { Body } from '../support/http.ts';
import { nurseCode as onetCode } from '../support/sandbox.ts';
import { asAgent, fillByMcp, openById, openFilled, toDay } from '../support/workspace-page.ts';

const board = suite('the board of placements');
const browser = await startBrowser(board);

const names = ['Ada Example', 'Grace Example', 'Alan Example', 'Edith Example', 'Mary Example'];
const order = { ref: 'ward', client: 'Riverbend', title: 'ICU nurse', onetCode, openings: 9 };
const place = (index: number, entries: object) => ({
  candidateId: `#p${index}`,
  jobOrderId: '#ward',
  onetCode,
  ...entries,
});
const batch = {
  candidates: names.map((name, index) => ({ ref: `p${index}`, name, onetCode })),
  jobOrders: [order],
  placements: [
    place(0, { status: 'proposed' }),
    place(1, { status: 'proposed' }),
    place(2, { startDate: toDay(6) }),
    place(3, { startDate: toDay(-40) }),
    place(4, { status: 'proposed' }),
  ],
};

/** Opens the board of a workspace that an agent filled. */
async function openBoard(options = {}) {
  const opened = await openFilled(browser, options, batch);
  const declined = { status: 'declined', declineReason: 'other' };
  const { status } = await opened.agent('PATCH', `/placements/${opened.placements[4].id}`, declined);
  assert.is(status, 200);
  await opened.page.goto(`${browser.origin}/workspace.html#placements?view=board`);
  await opened.page.getByRole('heading', { name: 'Proposed 2' }).waitFor();
  return opened;
}

const findColumn = (page: Page, name: string) => page.getByRole('region', { name });
const findMenu = (page: Page, name: string) => page.locator('.slip', { hasText: name }).locator('summary');

/** The board before a move, for tests that change nothing. */
const useBoard = browser.share(() => openBoard());

board('shows each stage with its count', async () => {
  const { page } = await useBoard();
  const headings = await page.locator('.board h3').allInnerTexts();
  assert.equal(
    headings.map((text) => text.replace(/\s+/g, ' ')),
    ['Proposed 2', 'Interviewing 0', 'Offered 0', 'Scheduled 1', 'Active 1', 'Over 1'],
  );
});

board('shows on a card the person, the order, the client, and since when', async () => {
  const { page } = await useBoard();
  const card = page.locator('.slip', { hasText: 'Ada Example' });
  assert.match(await card.innerText(), /Ada Example\s+ICU nurse, Riverbend\s+since \d\d:\d\d\s+Move/);
});

board('says what matters next on a card', async () => {
  const { page } = await useBoard();
  await findColumn(page, 'Active').getByText('Day 40 of 90').waitFor();
  await findColumn(page, 'Scheduled').getByText('Starts').waitFor();
});

board('moves a card by keyboard, and the focus follows it', async () => {
  const { page, agent, placements } = await openBoard();
  await findMenu(page, 'Ada Example').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Interview' }).click();
  await findColumn(page, 'Interviewing').getByRole('link', { name: 'Ada Example' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === 'Ada Example');
  const { placement } = (await agent('GET', `/placements/${placements[0].id}`)).body;
  assert.is(placement.status, 'interviewing');
});

board('a card that is dragged to a column asks as its menu does', async () => {
  const { page } = await openBoard();
  await page.locator('.slip', { hasText: 'Ada Example' }).dragTo(findColumn(page, 'Interviewing'));
  await page.getByRole('dialog').getByRole('button', { name: 'Interview' }).click();
  await findColumn(page, 'Interviewing').getByRole('link', { name: 'Ada Example' }).waitFor();
  await page.locator('.slip', { hasText: 'Grace Example' }).dragTo(findColumn(page, 'Active'));
  assert.is(await page.getByRole('dialog').count(), 0, 'no move leads there');
});

board('asks for a reason before it declines', async () => {
  const { page, agent, placements } = await openBoard();
  await findMenu(page, 'Grace Example').click();
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Decline reason/).selectOption('client');
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('heading', { name: 'Proposed 1' }).waitFor();
  const { placement } = (await agent('GET', `/placements/${placements[1].id}`)).body;
  assert.is(placement.declineReason, 'client');
});

board('closes a menu by Escape, with the focus on its button', async () => {
  const { page } = await openBoard();
  await findMenu(page, 'Ada Example').click();
  await page.keyboard.press('Escape');
  assert.is(await page.locator('.menu[open]').count(), 0);
  assert.match(await page.evaluate(() => document.activeElement!.textContent), /^Move Ada Example/);
});

board('links to those that are over', async () => {
  const { page } = await openBoard();
  await page.getByRole('link', { name: '1 declined' }).click();
  await page.locator('[data-place=list]').getByText('Mary Example').waitFor();
});

board('leads to the table for the cards that it does not show', async () => {
  const many = Array.from({ length: 31 }, (_, index) => ({
    ref: `p${index}`,
    name: `Person ${index}`,
    onetCode,
  }));
  const placements = many.map((_, index) => place(index, { status: 'proposed' }));
  const { workspace }: Body = await fillByMcp(browser.origin, {
    candidates: many,
    jobOrders: [order],
    placements,
  });
  const page = await browser.open('/workspace.html');
  await openById(page, workspace);
  await page.goto(`${browser.origin}/workspace.html#placements?view=board`);
  await page.getByRole('link', { name: 'All 31 in the table' }).click();
  await page.locator('[data-place=list]').getByText('Person 30').waitFor();
});

board('follows what an agent does', async () => {
  const { page, workspace, placements } = await openBoard();
  await asAgent(browser.origin, workspace, 'PATCH', `/placements/${placements[0].id}`, { status: 'offered' });
  await findColumn(page, 'Offered').getByRole('link', { name: 'Ada Example' }).waitFor();
});

board('is a list on a phone, without scrolling sideways', async () => {
  const { page } = await openBoard({ viewport: { width: 390, height: 844 } });
  await holdToWidth(page);
  const edges = await page
    .locator('.board section')
    .evaluateAll((columns) => columns.map((column) => Math.round(column.getBoundingClientRect().left)));
  assert.is(new Set(edges).size, 1);
});

board.run();
