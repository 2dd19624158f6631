import type { BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';
import { asAgent } from '../support/workspace-page.ts';

const pricing = suite('the page of prices');
const browser = await startBrowser(pricing);
const desktop = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 } };
const open = (options: BrowserContextOptions = desktop) => browser.open('/pricing.html', options);
const usePage = browser.share(() => open());
const tiers = ['sandbox', 'work', 'claim'] as const;

/** Reads a cell of the table by the name of its row. */
const readCell = (page: Page, row: string, tier: (typeof tiers)[number]) =>
  page
    .locator('.tiers tbody tr', { has: page.getByRole('rowheader', { name: row }) })
    .locator('td')
    .nth(tiers.indexOf(tier))
    .innerText();

pricing('begins with $0 today', async () => {
  const page = await usePage();
  assert.is(await page.locator('h1').innerText(), '$0 today');
});

for (const [device, look] of Object.entries({ desktop, phone }))
  pricing(
    `shows three tiers side by side in the first window of a ${device}, with one button each`,
    async () => {
      const page = await open(look);
      const heads = await page.locator('.tiers thead th').all();
      const boxes = await Promise.all(heads.map((head) => head.boundingBox()));
      assert.is(boxes.length, 3);
      assert.is(new Set(boxes.map((box) => box!.y)).size, 1);
      for (const box of boxes) assert.ok(box!.y + box!.height <= look.viewport.height, JSON.stringify(box));
      for (const head of heads) assert.is(await head.getByRole('link').count(), 1);
    },
  );

pricing('says how many records a sandbox holds', async () => {
  const record = JSON.stringify({ name: 'Ann Example', onetCode: '15-1252.00' });
  const created = await fetch(`${browser.origin}/candidates`, { method: 'POST', body: record });
  const { workspace: id } = (await created.json()) as { workspace: string };
  const { workspace } = (await asAgent(browser.origin, id, 'GET', '/workspace')).body;
  const page = await usePage();
  const records = await readCell(page, 'Records', 'sandbox');
  assert.is(Number(records.replace(',', '')), workspace.ceilings.records);
});

pricing('says how long each tier is kept', async () => {
  const page = await usePage();
  assert.is(await readCell(page, 'Kept after the last change', 'sandbox'), '24 hours');
  assert.match(await readCell(page, 'Kept after the last change', 'work'), /to 30 days$/);
  assert.is(await readCell(page, 'Kept after the last change', 'claim'), '120 days');
});

pricing('has the calculator and the questions below the tiers', async () => {
  const page = await usePage();
  const tops = await Promise.all(
    ['.tiers', '#calculator', '#questions'].map(
      async (place) => (await page.locator(place).boundingBox())!.y,
    ),
  );
  assert.equal(
    tops,
    tops.toSorted((a, b) => a - b),
  );
});

pricing('uses no word of the offers for its tiers', async () => {
  const page = await usePage();
  const text = await page.locator('main').innerText();
  assert.is(/\b(rungs?|settlement|metered|inactive)\b/i.exec(text)?.[0], undefined);
});

pricing('says which tier the service at this address does not offer', async () => {
  const page = await open();
  await page.route('**/icp.json', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    for (const way of json.ladder) way.live = way.id !== 'claim';
    await route.fulfill({ response, json });
  });
  await page.reload();
  const claim = page.locator('[data-tier=claim]');
  await claim.getByText('Not offered here').waitFor();
  assert.is(await claim.getByRole('link').count(), 0);
  assert.is(await page.locator('[data-tier=work]').getByRole('link').count(), 1);
});

const useGuide = browser.share(() => browser.open('/guides/metering.html', desktop));

pricing('has a guide with the rate of each operation that costs something', async () => {
  const { rates } = await (await fetch(`${browser.origin}/pricing.json`)).json();
  const page = await useGuide();
  const priced = rates.filter(({ price }: { price: number }) => price > 0);
  assert.is(await page.locator('.rates tbody tr').count(), priced.length);
  for (const { operation, price } of priced) {
    const row = page.locator('.rates tbody tr', { has: page.locator(`[href="/api.html#${operation}"]`) });
    assert.ok((await row.innerText()).includes(`$${price}`), operation);
  }
});

pricing('has a guide that explains each 402 once', async () => {
  const page = await useGuide();
  const statements = await page.locator('.boundaries tbody td:nth-child(2)').allInnerTexts();
  assert.is(statements.length, 4);
  const text = await page.locator('main').innerText();
  for (const statement of statements) assert.is(text.split(statement).length, 2, statement);
});

pricing('has a guide that explains each way on once', async () => {
  const page = await useGuide();
  const ways = await page.locator('main [data-statement]').allInnerTexts();
  assert.is(new Set(ways).size, ways.length);
  assert.ok(ways.length >= 7);
});

pricing.run();
