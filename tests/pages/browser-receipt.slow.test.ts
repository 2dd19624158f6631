import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ReceiptFacts, signReceipt } from '../../src/placements/sign-receipt.ts';
import { judge, looks, startBrowser } from '../support/browser.ts';
import { facts, falsify, makeSigner, signAt } from '../support/receipts.ts';
import { makeFolder } from '../support/server.ts';

const receipts = suite('receipts in a browser');
const browser = await startBrowser(receipts);
const receipt = await signAt(browser.dataDir, browser.origin);
const foreign = await signReceipt({ ...facts, iss: browser.origin }, await makeSigner());

/** The longest ids, and all that a receipt can say of its parties. */
const longest: Partial<ReceiptFacts> = {
  jti: 'W'.repeat(64),
  sub: 'M'.repeat(64),
  guaranteeDays: 90,
  disputedBy: ['client', 'candidate'],
};

const certificate = (page: Page) => page.locator('.certificate');
const refused = (page: Page) => page.locator('[data-refused]');
const unchecked = (page: Page) => page.locator('[data-unchecked]');

/** Pastes a text, checks it, and returns the result as a person sees it. */
async function check(page: Page, text: string): Promise<string> {
  const another = page.getByRole('button', { name: 'Check another' });
  if (await another.isVisible()) await another.click();
  await page.getByLabel('Receipt', { exact: true }).fill(text);
  await page.getByText('Nothing checked yet.').waitFor();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  const result = page.locator(':is(.certificate, [data-refused], [data-unchecked]):visible');
  await result.waitFor();
  return result.innerText();
}

/** Opens the page with a receipt in its address, as a link does. */
const openLink = (text: string, options = {}) => browser.open(`/receipt.html#${text}`, options);

for (const look of looks) {
  receipts(`shows a valid receipt as a certificate, ${look.colorScheme}`, async () => {
    const page = await browser.open('/receipt.html', look);
    const said = await check(page, receipt);
    assert.is(await page.locator('.certificate h2').textContent(), 'Retained');
    assert.match(said, 'The person was still in the placement.\n');
    assert.match(said, 'On 31 October 2026, day 90 after the start.');
    assert.match(said, /Client\s+A token issued to the client agreed\./);
    assert.match(said, /Candidate\s+A token issued to the candidate agreed\./);
    assert.match(said, /Occupation\s+O\*NET-SOC 15-1252\.00/);
    assert.match(said, /Confirmed\s+31 October 2026 at 09:00:05 UTC/);
    assert.match(said, new RegExp(`Issuer\\s+${browser.origin}\\s`));
    assert.match(said, /Key\s+[\w-]{43}\s/);
    assert.match(said, /What it proves\s+What was stated/);
    assert.match(said, /What it does not\s+Who the parties are/);
    await judge(page);
  });

  receipts(`a changed receipt looks refused, and is no certificate, ${look.colorScheme}`, async () => {
    const page = await openLink(falsify(receipt), look);
    await refused(page).waitFor();
    assert.match(await refused(page).innerText(), /^It does not hold\s+Its signature does not fit/);
    assert.is(await certificate(page).isVisible(), false);
    assert.is(await unchecked(page).isVisible(), false);
    await judge(page);
  });

  receipts(`a receipt by an unknown key looks neither valid nor refused, ${look.colorScheme}`, async () => {
    const page = await openLink(foreign, look);
    await unchecked(page).waitFor();
    assert.match(
      await unchecked(page).innerText(),
      /^Not checked: .*\s+It names a key that is not among those/,
    );
    assert.is(await certificate(page).isVisible(), false);
    assert.is(await refused(page).isVisible(), false);
    await judge(page);
  });
}

receipts('the marks of a certificate, a refusal and a missing key have three colours', async () => {
  const colours = new Set<string>();
  for (const text of [receipt, falsify(receipt), foreign]) {
    const page = await openLink(text);
    const mark = page.locator('.mark-of-check:visible');
    await mark.waitFor();
    colours.add(await mark.evaluate((element) => getComputedStyle(element).borderTopColor));
  }
  assert.is(colours.size, 3, [...colours].join(' '));
});

receipts('says when it was checked, and where the key is published', async () => {
  const page = await browser.open('/receipt.html', { timezoneId: 'UTC' });
  await page.clock.setFixedTime('2026-11-27T05:51:40Z');
  const said = await check(page, receipt);
  const where = `${browser.origin}/.well-known/jwks.json`;
  assert.match(said, /Checked here\s/);
  assert.match(said, `On 27 November 2026 at 05:51 UTC, with the key published at ${where}`);
});

receipts('names the length of a guarantee, and who disagreed before', async () => {
  const page = await browser.open('/receipt.html');
  const said = await check(
    page,
    await signAt(browser.dataDir, browser.origin, {
      result: 'converted',
      guaranteeDays: 30,
      disputedBy: ['client'],
    }),
  );
  assert.is(await page.locator('.certificate h2').textContent(), 'Converted');
  assert.match(said, /Guarantee\s+30 days after the start/);
  assert.match(said, 'A token issued to the client agreed, after it disagreed with an earlier statement.');
});

for (const [what, text, words] of [
  ['a receipt of another issuer', await signAt(browser.dataDir, 'https://careers.example'), 'another issuer'],
  ['a text that is too long', 'x'.repeat(100_000), 'longer than 4096 characters'],
  ['a text that is no receipt', 'what', 'It is no receipt'],
] as const)
  receipts(`refuses ${what}`, async () => {
    const page = await browser.open('/receipt.html');
    assert.match(await check(page, text), words);
    assert.is(await refused(page).isVisible(), true);
  });

receipts('accepts the reply in which a receipt came', async () => {
  const page = await browser.open('/receipt.html');
  assert.match(await check(page, JSON.stringify({ type: 'OK', receipt })), 'Checked here');
});

receipts('checks by keyboard alone, and moves the focus to the result', async () => {
  const page = await browser.open('/receipt.html');
  for (const [text, place] of [
    [falsify(receipt), refused(page)],
    [foreign, unchecked(page)],
    [receipt, certificate(page)],
  ] as const) {
    await page.getByLabel('Receipt', { exact: true }).focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(text);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await place.waitFor();
    await place.and(page.locator(':focus')).waitFor();
  }
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Print' }).and(page.locator(':focus')).waitFor();
});

receipts('a screen reader hears the result and its mark', async () => {
  const page = await openLink(receipt);
  await page
    .getByRole('article', { name: 'Retained', description: /^Checked here On \d+ \w+ \d{4} at / })
    .waitFor();
});

receipts('prints when a person presses Print', async () => {
  const page = await openLink(receipt);
  await page.evaluate(() => {
    globalThis.print = () => (document.title = 'printed');
  });
  await page.getByRole('button', { name: 'Print' }).click();
  assert.is(await page.title(), 'printed');
});

receipts('paper has the certificate alone, with the receipt to check it again', async () => {
  const page = await openLink(receipt);
  await certificate(page).waitFor();
  await page.emulateMedia({ media: 'print' });
  const shown = await page.locator('body').innerText();
  assert.match(shown, /^Receipt of a placement outcome\s+Retained/);
  assert.ok(shown.replaceAll(/\s/g, '').endsWith(receipt));
});

for (const format of ['A4', 'Letter'])
  receipts(`a certificate with the longest ids is one sheet of ${format}`, async () => {
    const page = await openLink(await signAt(browser.dataDir, browser.origin, longest));
    await certificate(page).waitFor();
    const pdf = (await page.pdf({ format })).toString('latin1');
    assert.is(pdf.match(/\/Type \/Page\b/g)?.length, 1);
  });

receipts('a certificate with the longest ids is readable at 320 pixels', async () => {
  const long = await signAt(browser.dataDir, browser.origin, longest);
  const page = await openLink(long, { viewport: { width: 320, height: 640 } });
  await certificate(page).waitFor();
  await judge(page);
});

receipts('the copied link opens the certificate, and the host never gets the receipt', async () => {
  const page = await openLink(receipt, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Copy a link to it' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.is(link, `${browser.origin}/receipt.html#${receipt}`);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url() + (request.postData() ?? '')));
  await page.goto('about:blank');
  await page.goto(link);
  await certificate(page).waitFor();
  assert.not.match(asked.map((url) => url.replace(/#.*/, '')).join(' '), receipt);
  assert.is(new URL(page.url()).hash, '');
});

receipts('another receipt can be checked after a certificate', async () => {
  const page = await openLink(receipt);
  await page.getByRole('button', { name: 'Check another' }).click();
  await page.getByLabel('Receipt', { exact: true }).and(page.locator(':focus')).waitFor();
  assert.is(await page.getByLabel('Receipt', { exact: true }).inputValue(), '');
  assert.is(await certificate(page).isVisible(), false);
});

receipts('accepts a file by choice and by drop, and does not read one that is too large', async () => {
  const page = await browser.open('/receipt.html');
  const folder = makeFolder();
  const put = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  await page.locator('[type=file]').setInputFiles(put('receipt.txt', falsify(receipt)));
  await refused(page).waitFor();
  await page.locator('[type=file]').setInputFiles(put('receipt.txt', `${receipt}\n`));
  await certificate(page).waitFor();
  await page.getByRole('button', { name: 'Check another' }).click();
  await page.locator('[data-receipt]').evaluate((form, text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], 'receipt.txt'));
    form.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, receipt);
  await certificate(page).waitFor();
  await page.getByRole('button', { name: 'Check another' }).click();
  await page.locator('[type=file]').setInputFiles(put('large.txt', 'x'.repeat(70_000)));
  await refused(page).waitFor();
  assert.match(await refused(page).innerText(), /too large/);
});

receipts('works offline once it is loaded, and sends the receipt nowhere', async () => {
  const page = await browser.open('/receipt.html');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.context().setOffline(true);
  assert.match(await check(page, falsify(receipt)), /^It does not hold/);
  assert.match(await check(page, receipt), 'Checked here');
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
  assert.match(await check(page, receipt), /^Not checked: .*\s+The published keys could not be read/);
  keys = 'there';
  assert.match(await check(page, receipt), 'Checked here', 'the keys are read once they are available');
  keys = 'none';
  assert.match(await told(), /^No key is published at this/);
  assert.match(await check(page, receipt), /^Not checked: .*\s+The JWK Set holds no key/);
  browser.faults.length = 0;
});

receipts.run();
