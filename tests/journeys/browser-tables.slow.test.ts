import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';
import { openDesk, readNames, rowsOf, shareDesk, showHash } from '../support/desk.ts';
import { fillMany, openById, openTab, textOf } from '../support/workspace-page.ts';

const tables = suite('tables of the desk');
const browser = await startBrowser(tables);
const desktop = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 } };

const head = (page: Page, name: string) => page.getByRole('columnheader', { name });
const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages of the list' });

const useDesk = shareDesk(browser, desktop);

tables('begin in the upper third of a desktop, and keep their head in view', async () => {
  const { page } = await useDesk();
  const { y } = (await page.getByRole('table').boundingBox())!;
  assert.ok(y < 300, `at ${y}`);
  await rowsOf(page).nth(45).scrollIntoViewIfNeeded();
  assert.ok(await page.evaluate(() => scrollY > 300), 'the page is scrolled');
  const { y: top } = (await head(page, 'Name').boundingBox())!;
  assert.ok(top >= 0 && top < 120, `at ${top}`);
});

tables('have rows of one line, and the whole text of a cell in its tooltip', async () => {
  const metro = 'Los Angeles–Long Beach–Anaheim and everything around it, CA';
  const name = 'Maria Immaculata Castellanos-Bartholomew of the Lower Valley and the Hills beyond it';
  const { page } = await openDesk(browser, desktop, {
    candidates: [{ name, metro, onetCode: '15-1252.00' }],
  });
  const row = rowsOf(page).first();
  const { height } = (await row.boundingBox())!;
  assert.ok(height < 48, `${height} pixels high`);
  assert.is(await row.locator('td.of-metro').getAttribute('title'), metro);
  assert.ok((await row.locator('th').getAttribute('title'))!.startsWith(name));
});

tables('break no word, and show when a record changed, with the exact time on hover', async () => {
  const { page } = await openDesk(browser, { viewport: { width: 800, height: 700 } });
  const spaces = await rowsOf(page)
    .first()
    .locator('th, td')
    .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).whiteSpace));
  assert.equal([...new Set(spaces)], ['nowrap']);
  const time = rowsOf(page).first().locator('time');
  assert.match(await textOf(time), /^\d\d:\d\d$/);
  assert.match((await time.getAttribute('title'))!, /^\d{1,2} \w{3,4} \d{4}, \d\d:\d\d .*UTC/);
});

tables('are sorted on the server, over all pages', async () => {
  const { page } = await useDesk();
  await head(page, 'Name').getByRole('button').click();
  const names = await readNames(page, 'Person 000');
  assert.is(names.at(-1), 'Person 049');
  assert.is(await head(page, 'Name').getAttribute('aria-sort'), 'ascending');
  await head(page, 'Name').getByRole('button').click();
  await readNames(page, 'Person 059');
  assert.is(await head(page, 'Name').getAttribute('aria-sort'), 'descending');
});

tables('can be sorted by each column', async () => {
  const { page } = await useDesk();
  for (const tab of ['Candidates', 'Job orders', 'Placements'] as const) {
    await openTab(page, tab);
    await page.getByRole('table', { name: tab.toLowerCase() }).waitFor();
    for (const button of await page.locator('thead button').all()) {
      const reply = page.waitForResponse((one) => /[?&]sort=/.test(one.url()));
      await button.click();
      assert.is((await reply).status(), 200, (await reply).url());
    }
  }
});

tables('have pages of 50 with the count, and the ways to the others', async () => {
  const workspace = await fillMany(browser.origin, 120);
  const page = await browser.open('/workspace.html');
  await openById(page, workspace);
  await page.getByText('1 to 50 of 120').first().waitFor();
  assert.is(await rowsOf(page).count(), 50);
  const next = pages(page).getByRole('button', { name: 'Next' });
  await next.click();
  await pages(page).getByText('51 to 100 of 120').waitFor();
  await next.click();
  await pages(page).getByText('101 to 120 of 120').waitFor();
  assert.is(await next.getAttribute('aria-disabled'), 'true');
  await pages(page).getByRole('button', { name: 'Previous' }).click();
  await pages(page).getByText('51 to 100 of 120').waitFor();
  await pages(page).getByRole('button', { name: 'First' }).click();
  await pages(page).getByText('1 to 50 of 120').waitFor();
});

tables('show a mark on a row under the pointer', async () => {
  const { page } = await useDesk();
  await openTab(page, 'Placements');
  const row = rowsOf(page).filter({ hasText: 'proposed' }).first();
  await row.hover();
  const readColours = (element: Element) => getComputedStyle(element).backgroundColor;
  assert.not.equal(await row.locator('.chip').evaluate(readColours), await row.evaluate(readColours));
  await openTab(page, 'Candidates');
  const other = rowsOf(page).first();
  await other.hover();
  const border = await other.locator('.chip').evaluate((chip) => getComputedStyle(chip).borderTopColor);
  assert.not.match(border, /rgba\(0, 0, 0, 0\)|\/ 0\)/);
});

tables('fold their filters, and show those in force as chips that take them away', async () => {
  const { page } = await useDesk();
  await page.getByRole('link', { name: 'Placed 1' }).click();
  await page.getByText('1 candidate found.').waitFor();
  await page.getByRole('link', { name: 'All 60' }).click();
  await page.getByText('60 candidates.').waitFor();
  assert.is(await page.getByLabel('Metro').isVisible(), false);
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByLabel('Metro').fill('Dayton, OH');
  await page.getByLabel('Metro').press('Enter');
  const chip = page.getByRole('button', { name: 'Remove the filter Metro: Dayton, OH' });
  await chip.click();
  await chip.waitFor({ state: 'detached' });
  await page.getByText('60 candidates.').waitFor();
  assert.is(await page.evaluate(() => document.activeElement?.id), 'filters-button');
});

tables('have the columns that a recruiter looks for', async () => {
  const { page } = await useDesk();
  const readHeads = () => page.locator('thead th').allTextContents();
  assert.equal(await readHeads(), [
    'Name',
    'Title',
    'Metro',
    'Credentials and skills',
    'Free from',
    'Status',
    'Changed',
  ]);
  await openTab(page, 'Job orders');
  const order = rowsOf(page).filter({ hasText: 'Ward Nurse' });
  await order.locator('.of-openings', { hasText: '1 of 2 filled' }).waitFor();
  await order.locator('.of-client', { hasText: 'Riverbend Hospital' }).waitFor();
  assert.equal(await readHeads(), ['Title', 'Client', 'Metro', 'Start', 'Openings', 'Status', 'Changed']);
  await openTab(page, 'Placements');
  const placement = rowsOf(page).filter({ hasText: 'Person 003' });
  await placement.locator('.of-due', { hasText: /days? left|day: today/ }).waitFor();
  assert.equal(await readHeads(), ['Person', 'Job', 'Client', 'Stage', 'Start', 'Outcome due', 'Changed']);
});

tables('name the person and the job of a placement without a request for each', async () => {
  const { page } = await useDesk();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await openTab(page, 'Placements');
  await readNames(page, 'Person 003');
  assert.equal(
    asked.filter((path) => path !== '/placements' && path !== '/workspace' && !path.startsWith('/_astro/')),
    [],
  );
});

tables('are rows of a name, a mark and one quiet line on a phone, where they can be sorted', async () => {
  const { page } = await openDesk(browser, phone);
  await openTab(page, 'Job orders');
  const row = rowsOf(page).filter({ hasText: 'Ward Nurse' });
  await row.locator('.quiet-line').waitFor();
  assert.match(await textOf(row.locator('.quiet-line')), /Riverbend Hospital · Columbus, OH · 1 of 2 filled/);
  assert.is(await row.locator('td:visible').count(), 2, 'the checkbox and the mark');
  await openTab(page, 'Candidates');
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByLabel('Sort by').selectOption({ label: 'Name' });
  await readNames(page, 'Person 000');
});

tables('take several filters and an order from the address', async () => {
  const { page } = await useDesk();
  await showHash(page, 'placements?status=proposed&client=hospital&sort=-updatedAt');
  await page.getByText('1 placement found.').waitFor();
});

tables.run();
