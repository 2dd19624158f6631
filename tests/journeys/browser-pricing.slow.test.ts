import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';
import { asAgent } from '../support/workspace-page.ts';

const pricing = suite('the page of prices');
const browser = await startBrowser(pricing);
const open = () => browser.open('/pricing.html', { viewport: { width: 1440, height: 900 } });
const factOf = (page: Page, rung: string, name: string) =>
  page.locator(`#rung-${rung} dl div`, { hasText: name }).locator('dd').innerText();

pricing('begins with $0 today', async () => {
  const page = await open();
  assert.is(await page.locator('h1').innerText(), '$0 today');
});

pricing('shows three cards side by side in the first window', async () => {
  const page = await open();
  const boxes = await Promise.all(
    (await page.locator('.rungs .card').all()).map((card) => card.boundingBox()),
  );
  assert.is(boxes.length, 3);
  assert.is(new Set(boxes.map((box) => box!.y)).size, 1);
  assert.ok(boxes.every((box) => box!.y + box!.height <= 900));
});

pricing('says how many records a sandbox holds', async () => {
  const record = JSON.stringify({ name: 'Ann Example', onetCode: '15-1252.00' });
  const created = await fetch(`${browser.origin}/candidates`, { method: 'POST', body: record });
  const { workspace: id } = (await created.json()) as { workspace: string };
  const { workspace } = (await asAgent(browser.origin, id, 'GET', '/workspace')).body;
  const page = await open();
  assert.is(Number((await factOf(page, 'sandbox', 'Records')).replace(',', '')), workspace.ceilings.records);
});

pricing('says how long each rung is kept', async () => {
  const page = await open();
  assert.match(await factOf(page, 'sandbox', 'Kept'), /^24 h after/);
  assert.match(await factOf(page, 'work', 'Kept'), /to 30 days$/);
  assert.match(await factOf(page, 'claim', 'Kept'), /^120 days after/);
});

pricing('has the rate card and the calculator below the cards', async () => {
  const page = await open();
  const tops = await Promise.all(
    ['.rungs', '#rates', '#calculator'].map(async (place) => (await page.locator(place).boundingBox())!.y),
  );
  assert.equal(
    tops,
    tops.toSorted((a, b) => a - b),
  );
});

pricing('explains each 402 once', async () => {
  const page = await open();
  const statements = await page.locator('.boundaries tbody td:nth-child(2)').allInnerTexts();
  assert.is(statements.length, 4);
  const text = await page.locator('main').innerText();
  for (const statement of statements) assert.is(text.split(statement).length, 2, statement);
});

pricing('explains each way on once', async () => {
  const page = await open();
  const ways = await page.locator('main [data-statement]').allInnerTexts();
  assert.is(new Set(ways).size, ways.length);
  assert.ok(ways.length >= 7);
});

pricing.run();
