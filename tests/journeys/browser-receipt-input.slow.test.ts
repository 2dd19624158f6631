import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';
import { certificate, checkReceipt, malformed, refused } from '../support/receipt-page.ts';
import { falsify, signAt } from '../support/receipts.ts';
import { makeFolder } from '../support/server.ts';

const receipts = suite('files of receipts, and keys, in a browser');
const browser = await startBrowser(receipts);
const receipt = await signAt(browser.dataDir, browser.origin);

/** Opens the page, and returns a function that chooses a file with a text. */
async function openToChoose() {
  const page = await browser.open('/receipt.html');
  const path = join(makeFolder(), 'receipt.txt');
  const choose = async (text: string) => {
    writeFileSync(path, text);
    await page.locator('[type=file]').setInputFiles(path);
  };
  return { page, choose };
}

receipts('accepts a file by choice', async () => {
  const { page, choose } = await openToChoose();
  await choose(`${receipt}\n`);
  await certificate(page).waitFor();
});

receipts('accepts the same file again after it changed', async () => {
  const { page, choose } = await openToChoose();
  await choose(falsify(receipt));
  await refused(page).waitFor();
  await choose(receipt);
  await certificate(page).waitFor();
});

receipts('accepts a file by drop', async () => {
  const page = await browser.open('/receipt.html');
  await page.locator('[data-receipt]').evaluate((form, text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], 'receipt.txt'));
    form.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, receipt);
  await certificate(page).waitFor();
});

receipts('does not read a file that is too large', async () => {
  const { page, choose } = await openToChoose();
  await choose('x'.repeat(70_000));
  await malformed(page).waitFor();
  assert.match(await malformed(page).innerText(), /too large/);
});

/** Opens the page, waits until its keys are read, and goes offline. Returns the addresses that it asks for then. */
async function openOffline() {
  const page = await browser.open('/receipt.html');
  await page.getByText('As long as this page stays open, it needs no network.').waitFor();
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.context().setOffline(true);
  return { page, addresses };
}

const useOffline = browser.share(openOffline);

receipts('certifies a receipt offline', async () => {
  const { page } = await useOffline();
  assert.match(await checkReceipt(page, receipt), 'Checked here');
});

receipts('refuses a changed receipt offline', async () => {
  const { page } = await useOffline();
  assert.match(await checkReceipt(page, falsify(receipt)), /^It does not hold/);
});

receipts('sends the receipt nowhere', async () => {
  const { page, addresses } = await useOffline();
  await checkReceipt(page, receipt);
  assert.equal(addresses, []);
});

/** Opens the page while its keys are away, or while none is published. `publish` publishes them. */
async function openWithoutKeys(keys: 'away' | 'none') {
  const page = await browser.open('/favicon.ico');
  const address = '**/.well-known/jwks.json';
  await page.route(address, (route) =>
    keys === 'away' ? route.abort() : route.fulfill({ json: { keys: [] } }),
  );
  await page.goto(`${browser.origin}/receipt.html`);
  const note = page.locator('[data-keys]');
  await note.filter({ hasNotText: 'Reading the published keys' }).waitFor();
  // The request for the keys that failed.
  browser.faults.length = 0;
  return { page, said: (await note.textContent()) ?? '', publish: () => page.unroute(address) };
}

const withoutKeys = {
  away: { note: /could not be read/, why: /^Not checked\s+The published keys could not be read/ },
  none: { note: /^No key is published at this/, why: /^Not checked\s+The JWK Set holds no key/ },
};

for (const [keys, { note, why }] of Object.entries(withoutKeys)) {
  const useKeyless = browser.share(() => openWithoutKeys(keys as keyof typeof withoutKeys));

  receipts(`says that no receipt can be checked while the keys are: ${keys}`, async () => {
    const { said } = await useKeyless();
    assert.match(said, note);
  });

  receipts(`does not check a receipt while the keys are: ${keys}`, async () => {
    const { page } = await useKeyless();
    assert.match(await checkReceipt(page, receipt), why);
    browser.faults.length = 0;
  });
}

receipts('reads the keys once they can be read', async () => {
  const { page, publish } = await openWithoutKeys('away');
  await publish();
  assert.match(await checkReceipt(page, receipt), 'Checked here');
});

receipts.run();
