import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type BrowserOnHost, shots, startBrowser, templates, themes } from '../support/browser.ts';

const access = suite('access and looks in both themes');
let browser: BrowserOnHost;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

access.before(async () => {
  browser = await startBrowser();
});
access.after(() => browser.close());

/** What axe holds against the page, each with the elements. */
async function judge(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
  );
}

for (const colorScheme of themes) {
  for (const [name, path] of Object.entries(templates)) {
    access(
      `axe finds no violation on ${name} in the ${colorScheme} theme; it is drawn to look at`,
      async () => {
        const { page, close } = await browser.open(path, { colorScheme, reducedMotion: 'reduce' });
        assert.equal(await judge(page), []);
        await page.screenshot({ path: join(shots, `${name}-${colorScheme}.png`), fullPage: true });
        await close();
      },
    );
  }

  access(`axe finds no violation in an open console with an answer in the ${colorScheme} theme`, async () => {
    const { page, close } = await browser.open('/', { colorScheme });
    await page.locator('[data-choose]').selectOption('createCandidate');
    await page.getByRole('button', { name: 'Send POST' }).click();
    await page.locator('[data-answer] .chip').waitFor();
    await page.getByRole('button', { name: 'Export' }).waitFor();
    await page.locator('.console details').evaluateAll((all) => {
      for (const details of all) (details as HTMLDetailsElement).open = true;
    });
    assert.equal(await judge(page), []);
    await page.locator('.console').screenshot({ path: join(shots, `console-${colorScheme}.png`) });
    await close();
  });

  access(`axe finds no violation in a search and a finished run in the ${colorScheme} theme`, async () => {
    const { page, close } = await browser.open('/occupations.html?q=nurse', { colorScheme });
    await page.locator('#hits li').first().waitFor();
    assert.equal(await judge(page), []);
    await page.screenshot({ path: join(shots, `search-${colorScheme}.png`) });
    await page.goto(`${browser.origin}/verify.html`);
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.locator('[data-suite][data-went]').waitFor();
    assert.equal(await judge(page), []);
    await page.screenshot({ path: join(shots, `verified-${colorScheme}.png`), fullPage: true });
    await close();
  });
}

access('the keyboard reaches the content first, and what has the focus is seen', async () => {
  const { page, close } = await browser.open('/');
  await page.keyboard.press('Tab');
  assert.is(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content');
  await page.keyboard.press('Enter');
  assert.is(await page.evaluate(() => document.activeElement?.id), 'main');
  await page.keyboard.press('Tab');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
  assert.is(outline, 'solid');
  await close();
});

access.run();
