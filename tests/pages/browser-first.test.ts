import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type BrowserOnHost, startBrowser } from '../support/browser.ts';

const first = suite('a person who has read nothing');
let browser: BrowserOnHost;

first.before(async () => {
  browser = await startBrowser();
});
first.after(() => browser.close());

for (const width of [1280, 360]) {
  first(
    `reaches a first placement, its outcome and the meter from the home page, ${width} wide`,
    async () => {
      const { page, faults, close } = await browser.open('/', { viewport: { width, height: 800 } });
      await page.getByRole('link', { name: 'Workspace', exact: true }).first().click();
      await page.getByRole('button', { name: 'Make one to try' }).click();
      const order = page.locator('[data-place=list]');
      await page.getByRole('button', { name: /^Job orders/ }).click();
      await order.getByRole('link').first().click();
      await page.getByText('Which candidates fit').click();
      const before = await page.locator('.record h3, .record a').count();
      await page.getByRole('button', { name: 'Place', exact: true }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Place', exact: true }).click();
      await page.getByRole('heading', { level: 2, name: /→/ }).waitFor();
      assert.ok(before > 0);
      await page.getByRole('link', { name: 'All placements' }).click();
      await page.locator('[data-place=due]').getByRole('link', { name: 'State the outcome' }).first().click();
      await page.getByRole('button', { name: 'State the outcome' }).click();
      await page
        .getByRole('dialog')
        .getByLabel(/^Result/)
        .selectOption('retained');
      await page.getByRole('dialog').getByRole('button', { name: 'State', exact: false }).click();
      await page.getByRole('button', { name: 'Ask the client to confirm' }).waitFor();
      await page.getByRole('link', { name: 'All placements' }).click();
      await page.getByRole('heading', { name: 'Used this month' }).scrollIntoViewIfNeeded();
      assert.match(
        (await page.locator('[data-place=meter]').textContent()) ?? '',
        /of the ceiling of \$25\.00/,
      );
      assert.equal(faults, []);
      await close();
    },
  );
}

first.run();
