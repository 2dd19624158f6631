import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toReceipt } from '../../src/outcomes/receipt.ts';
import { type BrowserOnHost, judge, shots, startBrowser, themes } from '../support/browser.ts';
import { facts, falsify, makeSigner, signAt, toUnsigned } from '../support/receipts.ts';
import { makeFolder } from '../support/server.ts';

const receipts = suite('receipts in a browser');
let browser: BrowserOnHost;
let receipt = '';

receipts.before(async () => {
  browser = await startBrowser();
  receipt = await signAt(browser.dataDir, browser.origin);
});
receipts.after(() => browser.close());

const verdictOf = async (page: Page) => (await page.locator('[data-verdict]').textContent()) ?? '';

/** Pastes a text, checks it, and answers what it comes to. */
async function check(page: Page, text: string): Promise<string> {
  await page.getByLabel('Receipt', { exact: true }).fill(text);
  assert.is(await verdictOf(page), 'Nothing checked yet.', 'no verdict stands beside another text');
  await page.getByRole('button', { name: 'Check' }).click();
  await page.locator('.verdict[class*=is-]').waitFor();
  return verdictOf(page);
}

for (const colorScheme of themes) {
  for (const width of [1280, 360]) {
    receipts(`valid, changed and foreign ones are told apart, ${colorScheme}, ${width} wide`, async () => {
      const options = { colorScheme, viewport: { width, height: 800 } };
      const { page, faults, close } = await browser.open('/receipt.html', options);
      assert.match((await page.locator('[data-keys]').textContent()) ?? '', /^One key is published here/);
      assert.match(await check(page, receipt), /^It holds\./);
      const said = (await page.locator('[data-said]').textContent()) ?? '';
      assert.match(
        said,
        /retained: the person was still in the placement.*15-1252\.00.*to the client and one/,
      );
      await judge(page);
      await page.screenshot({
        path: join(shots, `receipt-holds-${colorScheme}-${width}.png`),
        fullPage: true,
      });
      assert.match(await check(page, falsify(receipt)), /^It does not hold\. Its signature does not fit/);
      assert.is(await page.locator('[data-said]').isHidden(), true);
      await judge(page);
      await page.screenshot({ path: join(shots, `receipt-broken-${colorScheme}-${width}.png`) });
      const foreign = await toReceipt({ ...facts, iss: browser.origin }, await makeSigner());
      assert.match(await check(page, foreign), /names a key that is not among those given/);
      const elsewhere = await signAt(browser.dataDir, 'https://careers.example');
      assert.match(await check(page, elsewhere), /names another issuer.*https:\/\/careers\.example/);
      assert.match(await check(page, 'x'.repeat(100_000)), /longer than 4096 characters/);
      assert.match(await check(page, JSON.stringify({ type: 'OK', receipt })), /^It holds\./);
      assert.equal(faults, []);
      await close();
    });
  }
}

receipts('a file is taken by choice and by drop, and one too large is not read', async () => {
  const { page, faults, close } = await browser.open('/receipt.html');
  const folder = makeFolder();
  const put = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  await page.locator('[type=file]').setInputFiles(put('receipt.txt', `${receipt}\n`));
  await page.locator('.verdict.is-ok').waitFor();
  await page.locator('[type=file]').setInputFiles(put('receipt.txt', falsify(receipt)));
  await page.locator('.verdict.is-blocked').waitFor();
  await page.locator('[data-receipt]').evaluate((form, text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], 'receipt.txt'));
    form.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, receipt);
  await page.locator('.verdict.is-ok').waitFor();
  await page.locator('[type=file]').setInputFiles(put('large.txt', 'x'.repeat(70_000)));
  await page.locator('.verdict.is-blocked').waitFor();
  assert.match(await verdictOf(page), /too large/);
  assert.equal(faults, []);
  await close();
});

receipts('it works offline once it is loaded, and sends the receipt nowhere', async () => {
  const { page, close } = await browser.open('/receipt.html');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.context().setOffline(true);
  assert.match(await check(page, receipt), /^It holds\./);
  assert.match(await check(page, falsify(receipt)), /^It does not hold/);
  assert.equal(asked, []);
  await close();
});

receipts('without the keys nothing is said to hold; they are read once they can be', async () => {
  const { page, close } = await browser.open('/404.html');
  let isAway = true;
  await page.route('**/.well-known/jwks.json', (route) => (isAway ? route.abort() : route.continue()));
  await page.goto(`${browser.origin}/receipt.html`, { waitUntil: 'networkidle' });
  assert.match((await page.locator('[data-keys]').textContent()) ?? '', /could not be read/);
  assert.match(await check(page, receipt), /^Not checked: the published keys could not be read/);
  isAway = false;
  assert.match(await check(page, receipt), /^It holds\./);
  await close();
});

receipts('where no key is published, as on a static host, it says that nothing can be checked', async () => {
  const { page, close } = await browser.open('/404.html');
  await page.route('**/.well-known/jwks.json', (route) => route.fulfill({ json: { keys: [] } }));
  await page.goto(`${browser.origin}/receipt.html`, { waitUntil: 'networkidle' });
  assert.match((await page.locator('[data-keys]').textContent()) ?? '', /^No key is published at this/);
  assert.match(await check(page, receipt), /holds no key, so nothing can be checked/);
  await close();
});

receipts('a signature of none, a key that expired and another under its name are refused', async () => {
  const { page, faults, close } = await browser.open('/receipt.html');
  assert.match(await check(page, toUnsigned(receipt)), /^It does not hold\. It is not signed by EdDSA/);
  const published = await (await fetch(`${browser.origin}/.well-known/jwks.json`)).json();
  const { x } = (await makeSigner()).keys().keys[0]!;
  for (const [more, says] of [
    [{ exp: Date.now() / 1000 + 3600 }, /^It holds\./],
    [{ exp: Date.now() / 1000 - 1 }, /^It does not hold\..* has expired/],
    [{ kid: 'A'.repeat(43) }, /names a key that is not among those given/],
    [{ x }, /Its signature does not fit/],
  ] as const) {
    const json = { keys: [{ ...published.keys[0], ...more }] };
    await page.route('**/.well-known/jwks.json', (route) => route.fulfill({ json }));
    await page.goto(`${browser.origin}/receipt.html`, { waitUntil: 'networkidle' });
    assert.match(await check(page, receipt), says);
  }
  assert.equal(faults, []);
  await close();
});

receipts('its own script alone is enough', async () => {
  const { page, close } = await browser.open('/404.html');
  const others = /_astro\/Page\.astro/;
  await page.route(others, (route) => route.abort());
  await page.goto(`${browser.origin}/receipt.html`, { waitUntil: 'networkidle' });
  assert.match(await check(page, receipt), /^It holds\./);
  await close();
});

receipts('without JavaScript it says how to check, and what a receipt proves', async () => {
  const { page, close } = await browser.open('/receipt.html', { javaScriptEnabled: false });
  await page.locator('summary').click();
  const text = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
  assert.match(
    text,
    /needs JavaScript.*npm run verify-receipt -- FILE --keys ORIGIN\/\.well-known\/jwks\.json/,
  );
  assert.match(text, /What was stated and confirmed.*Who the parties are, or that they are different people/);
  assert.is(await page.locator('[data-receipt]').isVisible(), false);
  await close();
});

receipts.run();
