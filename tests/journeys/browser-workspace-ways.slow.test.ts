import type { Page, Request } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';
import { asAgent, fillByMcp, openById, openFilled, openTab } from '../support/workspace-page.ts';

const ways = suite('ways to use the workspace page');
const browser = await startBrowser(ways);

/** Presses Tab until the focused element has these words. */
async function tabTo(page: Page, words: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const said = await page.evaluate(() => {
      const active = document.activeElement as HTMLElement;
      return active.textContent || (active as HTMLInputElement).labels?.[0]?.textContent || '';
    });
    if (words.test(said)) {
      const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
      return assert.is(outline, 'solid', `${words} has a visible focus`);
    }
  }
  throw new Error(`Tab never comes to ${words}`);
}

ways('with the keyboard alone: opens it, finds a person and withdraws them', async () => {
  const filled = await fillByMcp(browser.origin);
  const page = await browser.open('/workspace.html');
  await tabTo(page, /^Workspace id/);
  await page.keyboard.insertText(filled.workspace);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Candidates/);
  await page.keyboard.press('Enter');
  await page.locator('[data-place=list] tbody tr').first().waitFor();
  const added = { name: 'Katherine Example', onetCode: '15-1252.00' };
  const { body } = await asAgent(browser.origin, filled.workspace, 'POST', '/candidates', added);
  await page.keyboard.press('/');
  await page.keyboard.insertText('katherine');
  await page.keyboard.press('Enter');
  await page.getByText('1 candidate found.').waitFor();
  await tabTo(page, /^Katherine Example/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Katherine Example' }).waitFor();
  await tabTo(page, /^More/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Withdraw candidate/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.is(await page.evaluate(() => document.activeElement?.textContent), 'More', 'the focus comes back');
  await page.keyboard.press('Enter');
  await tabTo(page, /^Withdraw candidate/);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Withdraw candidate/);
  await page.keyboard.press('Enter');
  // The page may hear of the change before the dialog does.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText(/^Status available to withdrawn/).waitFor();
  assert.not.equal(await page.evaluate(() => document.activeElement?.tagName), 'BODY');
  const { candidate } = (await asAgent(browser.origin, filled.workspace, 'GET', body.candidate.links.self))
    .body;
  assert.is(candidate.status, 'withdrawn');
});

ways('sorts tables, keeps the scroll position, shows more than 200 rows and opens one', async () => {
  const candidates = Array.from({ length: 230 }, (_, at) => ({
    ref: `p${at}`,
    name: `Person ${String(at).padStart(3, '0')}`,
    onetCode: '29-1141.00',
  }));
  const placements = [
    { candidateId: '#p0', jobOrderId: 'job_034', onetCode: '29-1141.00', startDate: '2026-11-01' },
  ];
  const filled = await fillByMcp(browser.origin, { candidates: candidates.slice(0, 100), placements });
  for (const more of [candidates.slice(100, 200), candidates.slice(200)])
    await asAgent(browser.origin, filled.workspace, 'POST', '/batch', { candidates: more });
  const page = await browser.open(`/workspace.html#${filled.candidates[0].id}`);
  await page.getByText('This address leads to a candidate').waitFor();
  await page.goto(`${browser.origin}/workspace.html#candidates`);
  await openById(page, filled.workspace);
  const first = page.locator('[data-place=list] tbody tr').first();
  await first.locator('.of-title', { hasText: 'Registered Nurses' }).waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await first.getByText('Person 179').waitFor();
  await page.reload();
  await first.getByText('Person 179').waitFor();
  await page.getByRole('navigation', { name: 'Pages of the list' }).getByText('51 to 100 of 230').waitFor();
  await page.goBack();
  await first.getByText('Person 229').waitFor();
  await page.getByRole('link', { name: /^Placed/ }).click();
  await first.getByText('Person 000').waitFor();
  await page.reload();
  await first.getByText('Person 000').waitFor();
  await first.getByText('placed').waitFor();
  await page.goto(`${browser.origin}/workspace.html#candidates`);
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await first.getByText('Person 000').waitFor();
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await first.getByText('Person 229').waitFor();
  await page.reload();
  await first.getByText('Person 229').waitFor();
  await first.locator('.of-title', { hasText: 'Registered Nurses' }).click();
  await page.getByRole('heading', { name: 'Person 229' }).waitFor();
  assert.match(await page.title(), /^Person 229/);
  await page.goBack();
  await first.getByText('Person 229').waitFor();
  await first.getByRole('link').press('Enter');
  await page.getByRole('heading', { name: 'Person 229' }).waitFor();
  await page.goBack();
  await openTab(page, 'Placements');
  await first.getByRole('link', { name: 'Person 000' }).waitFor();
});

ways('shows times in the zone of the reader, with UTC in the tooltip, and days as days', async () => {
  const { page, placements } = await openFilled(browser, { timezoneId: 'Asia/Kolkata' });
  await openTab(page, 'Settings');
  const time = page.locator('[data-place=kept] time').first();
  const [own, inUtc, exact] = await time.evaluate((at: HTMLTimeElement) => [
    at.textContent,
    at.title,
    at.dateTime,
  ]);
  assert.match(own!, /^\d{1,2} \w{3,4} \d{4}, \d\d:\d\d GMT\+5:30$/);
  assert.match(inUtc!, /^\d{1,2} \w{3,4} \d{4}, \d\d:\d\d UTC$/);
  const [toMs, zone] = [(text: string) => Date.parse(text.replace('Sept', 'Sep')), 19_800_000];
  assert.is(toMs(own!.replace('GMT+5:30', 'UTC')) - toMs(inUtc!), zone);
  assert.is(Math.floor(Date.parse(exact!) / 60_000) * 60_000, toMs(inUtc!));
  await page.goto(`${browser.origin}/workspace.html#${placements[0].id}`);
  const day = new Date(placements[0].startDate).toUTCString().slice(5, 16).replace(/^0/, '');
  await page.locator('dd', { hasText: day.replace('Sep', 'Sept') }).waitFor();
});

const isWait = (one: Request) => one.headers().prefer === 'wait=25';

ways('waits for changes from the start, and shows one at once', async () => {
  const { workspace } = await fillByMcp(browser.origin);
  const agent = (method: string, path: string, body?: object) =>
    asAgent(browser.origin, workspace, method, path, body);
  const page = await browser.open('/workspace.html');
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1000);
  const isWaiting = page.waitForRequest(isWait);
  await openById(page, workspace);
  // No time passes but this: the page may not wait ten seconds first.
  await page.clock.runFor(2000);
  await isWaiting;
  await page.clock.resume();
  const waits = page.waitForResponse((one) => isWait(one.request()));
  const added = { name: 'Zoe Afterwards', onetCode: '15-1252.00' };
  assert.is((await agent('POST', '/candidates', added)).status, 201);
  assert.is((await waits).status(), 200);
  await page.getByRole('link', { name: 'Zoe Afterwards' }).waitFor();
});

ways.run();
