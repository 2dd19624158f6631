import type { Locator, Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { launchBrowser, looks, startBrowser } from '../support/browser.ts';
import { startStaticHost } from '../support/static-host.ts';
import { findNeed, openFilledToday } from '../support/today-page.ts';

const share = suite('a shortlist from the desk to a phone');
const browser = await startBrowser(share);

/** Shares the shortlist of the order. Returns the link that the dialog shows. */
async function shareShortlist(page: Page): Promise<string> {
  const row = findNeed(page, 'ICU nurse');
  await row.locator('.menu summary').click();
  await row.getByRole('button', { name: 'Share shortlist' }).click();
  return page.getByLabel('Link to the shortlist').inputValue();
}

/** Reads a QR code as a camera does: from the pixels on the screen. */
async function scan(code: Locator): Promise<string> {
  const picture = (await code.screenshot()).toString('base64');
  const { width, height, pixels } = await code.page().evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, image.width, image.height);
    return { width: image.width, height: image.height, pixels: [...data] };
  }, picture);
  return decodeQR({ width, height, data: Uint8Array.from(pixels) });
}

share('a camera reads the link from the dialog, in both themes and on a phone', async () => {
  const { page } = await openFilledToday(browser);
  const link = await shareShortlist(page);
  for (const { colorScheme, viewport } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    assert.is(await scan(page.getByRole('img', { name: 'QR code of this link' })), link, colorScheme);
  }
});

share('the dialog has the link if the code cannot be loaded', async () => {
  const { page } = await openFilledToday(browser);
  await page.route(/\/qr\.[^/]*\.js$/, (route) => route.abort());
  assert.match(await shareShortlist(page), /\/shortlist\.html#sl_/);
  assert.is(await page.getByRole('img', { name: 'QR code of this link' }).count(), 0);
  browser.faults.length = 0;
});

share('the desk waits for the decision of the client, and shows it when it is made', async () => {
  const { page } = await openFilledToday(browser);
  const { hash } = new URL(await shareShortlist(page));
  await page.getByRole('button', { name: 'Done' }).click();
  const waiting = await page.waitForRequest((request) => request.headers().prefer === 'wait=25');
  const headers = { 'X-Shortlist': hash.slice(1), 'Content-Type': 'application/json' };
  const { shortlist } = await (await fetch(`${browser.origin}/shortlist`, { headers })).json();
  const { id: placementId, tag } = shortlist.placements.find(
    ({ status }: { status: string }) => status === 'proposed',
  );
  const body = JSON.stringify({ placementId, tag, decision: 'interview' });
  await fetch(`${browser.origin}/shortlist`, { method: 'POST', headers, body });
  assert.is((await waiting.response())?.headers()['preference-applied'], 'wait=25');
  await page.locator('[data-place=needs]').getByText('The client asked to interview').waitFor();
});

share(
  'on a static host the desk shows the decision of another tab when it is made, and no code',
  async () => {
    const host = await startStaticHost();
    const own = await launchBrowser();
    const context = await own.newContext();
    context.setDefaultTimeout(90_000);
    const page = await context.newPage();
    await page.goto(`${host.origin}/index.html`);
    await page.getByRole('button', { name: 'Open an example' }).click();
    await page.locator('.feed li').first().waitFor();
    const row = findNeed(page, 'Data Scientist, Retention');
    await row.locator('.menu summary').click();
    await row.getByRole('button', { name: 'Share shortlist' }).click();
    const link = await page.getByLabel('Link to the shortlist').inputValue();
    assert.is(await page.getByRole('img', { name: 'QR code of this link' }).count(), 0);
    await page.getByRole('button', { name: 'Done' }).click();
    const client = await context.newPage();
    await client.goto(link);
    const notice = page.evaluate(
      () =>
        new Promise((resolve) =>
          navigator.serviceWorker.addEventListener('message', ({ data }) => resolve(data), { once: true }),
        ),
    );
    await client.getByRole('button', { name: /^Interview/ }).click();
    assert.equal(await notice, { changed: true });
    await page.locator('.feed li', { hasText: 'asked to interview Noa Friedman' }).waitFor();
    await own.close();
    host.stop();
  },
);

share.run();
