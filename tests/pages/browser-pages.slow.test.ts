import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { occupationFacts } from '../../scripts/onet/occupation-facts.ts';
import { startBrowser, templates } from '../support/browser.ts';

const pages = suite('every page in a browser');
const browser = await startBrowser(pages);
const entries = Object.entries(templates);

const rated = occupationFacts.filter(({ skills }) => skills);
const unrated = occupationFacts.filter(({ skills }) => !skills);
const spread = <T>(rows: T[], count: number) =>
  Array.from({ length: count }, (_, index) => rows[Math.floor((index * rows.length) / count)]!);

pages('the API page: short at rest, one operation open, found by a filter, printed whole', async () => {
  const page = await browser.open('/api.html#getWorkspace', { viewport: { width: 1440, height: 900 } });
  const opened = () =>
    page.locator('details.entry[open] > article').evaluateAll((all) => all.map(({ id }) => id));
  assert.equal(await opened(), ['getWorkspace']);
  await page.getByRole('searchbox', { name: 'Filter' }).fill('post batch');
  assert.is(await page.locator('.contents li:visible').count(), 1);
  await page.locator('.contents li:visible a').click();
  await page.locator('#createBatch').waitFor({ state: 'visible' });
  assert.equal(await opened(), ['createBatch']);
  await page.emulateMedia({ media: 'print' });
  assert.ok(await page.locator('#listCandidates').isVisible());
  await page.emulateMedia({ media: 'screen' });
  await page.goto('about:blank');
  await page.goto(`${browser.origin}/api.html`);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  assert.ok(height <= 6000, `${height} pixels`);
});

pages('the keyboard reaches the content first, and what has the focus is seen', async () => {
  const page = await browser.open('/');
  await page.keyboard.press('Tab');
  assert.is(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content');
  await page.keyboard.press('Enter');
  assert.is(await page.evaluate(() => document.activeElement?.id), 'main');
  await page.keyboard.press('Tab');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
  assert.is(outline, 'solid');
});

pages('every page reads without JavaScript', async () => {
  for (const [name, path] of entries) {
    const page = await browser.open(path, { javaScriptEnabled: false });
    assert.ok(await page.locator('h1').isVisible(), name);
    assert.ok(await page.locator('main p:visible').count(), name);
    assert.is(await page.locator('button:visible').count(), 0, `${name} shows no button that does nothing`);
    if (name === 'occupations') assert.is(await page.locator('#groups li a').count(), 1016);
    await page.context().close();
  }
});

pages('every code block has a button that copies it, with the address of the page', async () => {
  let seen = 0;
  for (const [name, path] of [...entries, ['connecting', '/guides/connecting.html'] as const]) {
    const page = await browser.open(path, {
      permissions: ['clipboard-write', 'clipboard-read'],
    });
    await page.waitForFunction(
      () => document.querySelectorAll('pre:not(.copyable > pre:has(+ button.copy))').length === 0,
    );
    seen += await page.locator('pre').count();
    if (name === 'connecting') {
      await page.getByRole('button', { name: 'Copy' }).first().click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      assert.is(await page.evaluate(() => navigator.clipboard.readText()), `${browser.origin}/mcp`);
    }
  }
  assert.ok(seen > 50, String(seen));
});

pages('a dozen occupation pages have what their record has, and say what it lacks', async () => {
  const page = await browser.open('/occupations.html');
  for (const { id, title, skills, jobZone } of [...spread(rated, 8), ...spread(unrated, 4)]) {
    await page.goto(`${browser.origin}/occupations/${id}.html`);
    assert.is(await page.locator('h1').textContent(), title);
    assert.is(await page.locator('.skills tbody tr').count(), skills?.length ?? 0, id);
    const hrefs = await page
      .locator('section:has(#carriers) a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')!));
    assert.ok(hrefs.length > 0 && hrefs.every((href) => /^\/\w+\.html#/.test(href)), hrefs.join());
    const text = (await page.locator('main').textContent()) ?? '';
    assert.is(text.includes('has no skill ratings'), !skills, id);
    assert.is(text.includes('in no job zone'), jobZone === undefined, id);
    const bars = page.locator('.skills tbody tr:first-child .filled');
    const widths = await bars.evaluateAll((all) =>
      all.map((bar) => Math.round(Number(bar.getAttribute('width')))),
    );
    const { importance = 1, level } = skills?.[0] ?? {};
    if (level !== undefined)
      assert.equal(widths, [Math.round((importance - 1) * 25), Math.round((level / 7) * 100)], id);
  }
});

pages('the calculator works out what the rate card says', async () => {
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
