import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { looks, startBrowser, templates } from '../support/browser.ts';

const pages = suite('every page in a browser');
const browser = await startBrowser(pages);
const entries = Object.entries(templates);

pages('the keyboard reaches the content first, and the focus is visible', async () => {
  const page = await browser.open('/');
  await page.keyboard.press('Tab');
  assert.is(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content');
  await page.keyboard.press('Enter');
  assert.is(await page.evaluate(() => document.activeElement?.id), 'main');
  await page.keyboard.press('Tab');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
  assert.is(outline, 'solid');
});

pages('every page can be read without JavaScript', async () => {
  const page = await browser.open('/404.html', { javaScriptEnabled: false });
  for (const [name, path] of entries) {
    await page.goto(browser.origin + path);
    assert.ok(await page.locator('h1').isVisible(), name);
    assert.ok(await page.locator('main p:visible').count(), name);
    assert.is(await page.locator('button:visible').count(), 0, `${name} shows no button without a function`);
    if (name === 'occupations') assert.is(await page.locator('#groups li a').count(), 1016);
  }
});

/** Returns where an element begins, without its padding. */
const readLeft = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate(
      (element) =>
        element.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(element).paddingLeft),
    );

pages('the logo and the edge of the content are at one place on every page', async () => {
  const page = await browser.open('/404.html');
  const edges = { 390: new Set<string>(), 1440: new Set<string>() };
  for (const [, path] of entries) {
    await page.goto(browser.origin + path);
    for (const width of [390, 1440] as const) {
      await page.setViewportSize({ width, height: 900 });
      edges[width].add(`${await readLeft(page, '.brand')} ${await readLeft(page, 'main.wrap, main .wrap')}`);
    }
  }
  for (const [width, { size }] of Object.entries(edges)) assert.is(size, 1, `${width} pixels wide`);
});

pages('every code block has a copy button', async () => {
  const page = await browser.open('/404.html');
  let seen = 0;
  for (const [, path] of entries) {
    await page.goto(browser.origin + path);
    await page.waitForFunction(
      () => document.querySelectorAll('pre:not(.copyable:has(button.copy) > pre)').length === 0,
    );
    seen += await page.locator('pre').count();
  }
  assert.ok(seen > 50, String(seen));
});

pages('a copy button copies the address of this page', async () => {
  const page = await browser.open('/guides/connecting.html', {
    permissions: ['clipboard-write', 'clipboard-read'],
  });
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.is(await page.evaluate(() => navigator.clipboard.readText()), `${browser.origin}/mcp`);
});

pages('a copy button covers no code', async () => {
  for (const path of ['/guides/getting-started.html', '/briefs/three-openings.html']) {
    const page = await browser.open(path);
    for (const { viewport } of looks) {
      await page.setViewportSize(viewport);
      const covered = await page.locator('.copyable').evaluateAll((boxes) =>
        boxes.flatMap((box) => {
          const button = box.querySelector('.copy')!.getBoundingClientRect();
          const code = box.querySelector('pre')!.getBoundingClientRect();
          return button.bottom > code.top ? [box.textContent] : [];
        }),
      );
      assert.equal(covered, [], path);
    }
  }
});

pages('the calculator follows the rate card', async () => {
  const page = await browser.open('/pricing.html');
  const form = page.locator('[data-calculator]');
  for (const input of await form.locator('input').all()) await input.fill('0');
  assert.is(await form.locator('[data-sum]').textContent(), '$0.00');
  await form.locator('[name=createCandidate]').fill('125');
  assert.is(await form.locator('[data-sum]').textContent(), '$2.00');
  await form.locator('[name=createCandidate]').fill('1276');
  assert.match((await form.locator('[data-verdict]').textContent()) ?? '', /^Above the ceiling/);
});

pages.run();
