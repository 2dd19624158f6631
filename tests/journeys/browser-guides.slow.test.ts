import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';

const guides = suite('guides in a browser');
const browser = await startBrowser(guides);
const path = '/guides/matching.html';
const phone = { viewport: { width: 390, height: 844 } };

const useGuide = browser.share(() => browser.open(path));

guides('a guide lists all guides beside it, and marks itself', async () => {
  const page = await useGuide();
  const list = page.getByRole('navigation', { name: 'Guides' });
  const { guides: all } = await (await fetch(`${browser.origin}/guides`)).json();
  assert.is(await list.getByRole('link').count(), all.length);
  assert.is(await list.locator('[aria-current=page]').textContent(), 'Matching');
});

guides('the contents of a guide lead to each of its sections', async () => {
  const page = await useGuide();
  const contents = page.getByRole('navigation', { name: 'On this page' });
  const names = await contents.getByRole('link').allTextContents();
  assert.equal(names, await page.locator('.docs-text h2').allTextContents());
  await contents.getByRole('link').nth(2).click();
  await page.waitForFunction(() => {
    const top = document.querySelector(location.hash || 'nothing')?.getBoundingClientRect().top;
    return top !== undefined && top >= 0 && top < innerHeight;
  });
});

guides('the next guides, one after another, are all guides', async () => {
  const page = await browser.open('/guides/getting-started.html');
  const list = page.getByRole('navigation', { name: 'Guides' });
  const names = await list.getByRole('link').allTextContents();
  const seen: string[] = [];
  for (;;) {
    seen.push((await page.locator('h1').textContent())!);
    const next = page.locator('a[rel=next]');
    if ((await next.count()) === 0) break;
    await next.click();
    await page.waitForURL((url) => url.pathname !== '' && !seen.includes(url.pathname));
    await page.locator('h1').waitFor();
  }
  assert.equal(seen, names);
});

guides('on a phone the list is folded before the title, with and without JavaScript', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await browser.open(path, { ...phone, javaScriptEnabled });
    const list = page.getByRole('navigation', { name: 'Guides' });
    assert.is(await list.getByRole('link').count(), 0);
    await list.getByText('All guides').click();
    assert.ok((await list.getByRole('link').count()) > 5);
  }
});

guides('a page whose address is known gives no advice to replace it', async () => {
  const page = await browser.open('/guides/getting-started.html');
  assert.is(await page.getByText('with the address of this service').count(), 0);
  assert.ok(await page.getByText(`curl '${browser.origin}/occupations`).count());
});

guides.run();
