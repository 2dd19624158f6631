import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type BrowserOnHost, shots, startBrowser, templates } from '../support/browser.ts';

const layout = suite('how pages look and read');
let browser: BrowserOnHost;
const entries = Object.entries(templates);
const homeBudget = 60_000;

layout.before(async () => {
  browser = await startBrowser();
});
layout.after(() => browser.close());

layout('360 pixels are wide enough: no page scrolls sideways', async () => {
  for (const [name, path] of entries) {
    const { page, close } = await browser.open(path, { viewport: { width: 360, height: 740 } });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.is(width, 360, name);
    await page.screenshot({ path: join(shots, `${name}-narrow.png`), fullPage: true });
    await close();
  }
});

layout('nothing moves while a page loads, wide or narrow', async () => {
  for (const width of [1280, 360]) {
    for (const [name, path] of entries) {
      const { page, close } = await browser.open('/404.html', { viewport: { width, height: 800 } });
      await page.addInitScript(() => {
        const shifted = { sum: 0 };
        Object.assign(globalThis, { shifted });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            shifted.sum += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto(browser.origin + path, { waitUntil: 'networkidle' });
      const sum = await page.evaluate(
        () => (globalThis as unknown as { shifted: { sum: number } }).shifted.sum,
      );
      assert.ok(sum < 0.01, `${name} at ${width}: ${sum}`);
      await close();
    }
  }
});

layout('the home page is at most 60 kB on the wire', async () => {
  const { page, close } = await browser.open('/404.html');
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(`${browser.origin}/`, { waitUntil: 'networkidle' });
  console.log(`\nfigure: home transfers ${bytes} bytes`);
  assert.ok(bytes > 5000 && bytes <= homeBudget, `${bytes} bytes`);
  await close();
});

layout('every page reads without JavaScript', async () => {
  for (const [name, path] of entries) {
    const { page, faults, close } = await browser.open(path, { javaScriptEnabled: false });
    assert.ok(await page.locator('h1').isVisible(), name);
    assert.ok(await page.locator('main p:visible').count(), name);
    assert.is(await page.locator('button:visible').count(), 0, `${name} shows no button that does nothing`);
    assert.equal(faults, []);
    await close();
  }
  const { page, close } = await browser.open('/occupations.html', { javaScriptEnabled: false });
  assert.is(await page.locator('#groups li a').count(), 1016);
  await close();
});

layout.run();
