import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { signReceipt } from '../../src/placements/sign-receipt.ts';
import { judge, looks, startBrowser } from '../support/browser.ts';
import { facts, falsify, makeSigner, signAt } from '../support/receipts.ts';
import { makeFolder } from '../support/server.ts';

const receipts = suite('receipts in a browser');
const browser = await startBrowser(receipts);
const receipt = await signAt(browser.dataDir, browser.origin);

const verdictOf = async (page: Page) => (await page.locator('[data-verdict]').textContent()) ?? '';

/** Pastes a text, checks it, and returns the verdict. */
async function check(page: Page, text: string): Promise<string> {
  await page.getByLabel('Receipt', { exact: true }).fill(text);
  assert.is(await verdictOf(page), 'Nothing checked yet.', 'a changed text has no verdict');
  await page.getByRole('button', { name: 'Check' }).click();
  await page.locator('.verdict[class*=is-]').waitFor();
  return verdictOf(page);
}

for (const look of looks) {
  receipts(`shows valid, changed and foreign receipts as such, ${look.colorScheme}`, async () => {
    const page = await browser.open('/receipt.html', look);
    assert.match((await page.locator('[data-keys]').textContent()) ?? '', /^One key is published here/);
    assert.match(await check(page, receipt), /^It holds\./);
    const said = (await page.locator('[data-said]').textContent()) ?? '';
    assert.match(said, /retained: the person was still in the placement.*15-1252\.00.*to the client and one/);
    await judge(page);
    assert.match(await check(page, falsify(receipt)), /^It does not hold\. Its signature does not fit/);
    assert.is(await page.locator('[data-said]').isHidden(), true);
    await judge(page);
    const foreign = await signReceipt({ ...facts, iss: browser.origin }, await makeSigner());
    assert.match(await check(page, foreign), /names a key that is not among those given/);
    const elsewhere = await signAt(browser.dataDir, 'https://careers.example');
    assert.match(await check(page, elsewhere), /names another issuer.*https:\/\/careers\.example/);
    assert.match(await check(page, 'x'.repeat(100_000)), /longer than 4096 characters/);
    assert.match(await check(page, JSON.stringify({ type: 'OK', receipt })), /^It holds\./);
  });
}

receipts('accepts a file by choice and by drop, and does not read one that is too large', async () => {
  const page = await browser.open('/receipt.html');
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
});

receipts('works offline once it is loaded, and sends the receipt nowhere', async () => {
  const page = await browser.open('/receipt.html');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.context().setOffline(true);
  assert.match(await check(page, receipt), /^It holds\./);
  assert.match(await check(page, falsify(receipt)), /^It does not hold/);
  assert.equal(asked, []);
});

receipts('without published keys, no receipt is called valid', async () => {
  const page = await browser.open('/404.html');
  let keys: 'away' | 'none' | 'there' = 'away';
  await page.route('**/.well-known/jwks.json', (route) => {
    if (keys === 'away') return route.abort();
    return keys === 'none' ? route.fulfill({ json: { keys: [] } }) : route.continue();
  });
  const told = async () => {
    await page.goto(`${browser.origin}/404.html`);
    await page.goto(`${browser.origin}/receipt.html`, { waitUntil: 'networkidle' });
    return (await page.locator('[data-keys]').textContent()) ?? '';
  };
  assert.match(await told(), /could not be read/);
  assert.match(await check(page, receipt), /^Not checked: the published keys could not be read/);
  keys = 'there';
  assert.match(await check(page, receipt), /^It holds\./, 'the keys are read once they are available');
  keys = 'none';
  assert.match(await told(), /^No key is published at this/);
  assert.match(await check(page, receipt), /holds no key, so nothing can be checked/);
  browser.faults.length = 0;
});

receipts.run();
