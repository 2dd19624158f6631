import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ReceiptFacts, signReceipt } from '../../src/placements/sign-receipt.ts';
import { holdToWidth, startBrowser } from '../support/browser.ts';
import { certificate, checkReceipt, malformed, refused, unchecked } from '../support/receipt-page.ts';
import { facts, falsify, makeSigner, signAt } from '../support/receipts.ts';

const receipts = suite('receipts in a browser');
const browser = await startBrowser(receipts);
const receipt = await signAt(browser.dataDir, browser.origin);
const foreign = signReceipt({ ...facts, iss: browser.origin }, await makeSigner());

/** The longest ids, and all that a receipt can say of its parties. */
const longest: Partial<ReceiptFacts> = {
  jti: 'W'.repeat(64),
  sub: 'M'.repeat(64),
  guaranteeDays: 90,
  disputedBy: ['client', 'candidate'],
};

/** The page into which tests paste their texts, one after another. */
const usePage = browser.share(() => browser.open('/receipt.html'));

const markOf = (page: Page) => page.locator('.mark-of-check:visible');

/** Opens the page with a receipt in its address, as a link does. */
const openLink = (text: string, options = {}) => browser.open(`/receipt.html#${text}`, options);

/** A page with a receipt in its address, for tests that change nothing. */
const useLink = (text: string) =>
  browser.share(async () => {
    const page = await openLink(text);
    await markOf(page).waitFor();
    return page;
  });
const useCertificate = useLink(receipt);
const useRefused = useLink(falsify(receipt));
const useUnchecked = useLink(foreign);

receipts('shows a valid receipt as a certificate', async () => {
  assert.is(await certificate(await useCertificate()).isVisible(), true);
});

receipts('a changed receipt looks refused, and is no certificate', async () => {
  const page = await useRefused();
  assert.match(await refused(page).innerText(), /^It does not hold\s+Its signature does not fit/);
  assert.is(await certificate(page).isVisible(), false);
  assert.is(await unchecked(page).isVisible(), false);
});

receipts('a receipt by an unknown key looks neither valid nor refused', async () => {
  const page = await useUnchecked();
  assert.match(await unchecked(page).innerText(), /^Not checked\s+It names a key that is not among those/);
  assert.is(await certificate(page).isVisible(), false);
  assert.is(await refused(page).isVisible(), false);
});

/** What the certificate of a receipt says. */
const statements: Record<string, RegExp> = {
  result: /\sRetained\s/,
  meaning: /The person was still in the placement\.\n/,
  day: /On 31 October 2026, day 90 after the start\./,
  client: /Client\s+A token issued to the client agreed\./,
  candidate: /Candidate\s+A token issued to the candidate agreed\./,
  occupation: /Occupation\s+O\*NET-SOC 15-1252\.00/,
  'time of the confirmation': /Confirmed\s+31 October 2026 at 09:00:05 UTC/,
  issuer: new RegExp(`Issuer\\s+${browser.origin}\\s`),
  key: /Key\s+[\w-]{43}\s/,
  'what it proves': /What it proves\s+What was stated/,
  'what it does not': /What it does not\s+Who the parties are/,
};

for (const [what, words] of Object.entries(statements))
  receipts(`a certificate says: ${what}`, async () => {
    assert.match(await certificate(await useCertificate()).innerText(), words);
  });

receipts(
  'the marks of a certificate, a refusal, a missing key and another text have four colours',
  async () => {
    const colours = new Set<string>();
    for (const use of [useCertificate, useRefused, useUnchecked, useLink('what')]) {
      const mark = markOf(await use());
      colours.add(await mark.evaluate((element) => getComputedStyle(element).borderTopColor));
    }
    assert.is(colours.size, 4, [...colours].join(' '));
  },
);

receipts('says when it was checked, and where the key is published', async () => {
  const page = await browser.open('/receipt.html', { timezoneId: 'UTC' });
  await page.clock.setFixedTime('2026-11-27T05:51:40Z');
  const said = await checkReceipt(page, receipt);
  const where = `${browser.origin}/.well-known/jwks.json`;
  assert.match(said, /Checked here\s/);
  assert.match(said, `On 27 November 2026 at 05:51 UTC, with the key published at ${where}`);
});

receipts('names the length of a guarantee, and who disagreed before', async () => {
  const page = await usePage();
  const said = await checkReceipt(
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
  ['a text that is too long', 'x'.repeat(100_000), 'longer than 4096 characters'],
  ['a text that is no receipt', 'what', 'A receipt is three parts'],
  ['a receipt without its end', receipt.slice(0, -9), 'Its end is missing'],
] as const)
  receipts(`says that it is not a receipt: ${what}`, async () => {
    const page = await usePage();
    const said = await checkReceipt(page, text);
    assert.match(said, /^Not a receipt/);
    assert.match(said, words);
    assert.is(await malformed(page).isVisible(), true);
  });

receipts('does not check a receipt of another issuer', async () => {
  const page = await usePage();
  const said = await checkReceipt(page, await signAt(browser.dataDir, 'https://careers.example'));
  assert.match(said, /^Not checked\s+It is signed .*names another issuer/);
});

receipts('says so if a link is too long for a receipt', async () => {
  const page = await openLink('x'.repeat(70_000));
  await malformed(page).waitFor();
  assert.match(await malformed(page).innerText(), 'This link is too long for a receipt.');
});

receipts('accepts the reply in which a receipt came', async () => {
  const page = await usePage();
  assert.match(await checkReceipt(page, JSON.stringify({ type: 'OK', receipt })), 'Checked here');
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
  const page = await useCertificate();
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

const useLongest = browser.share(async () => {
  const page = await openLink(await signAt(browser.dataDir, browser.origin, longest));
  await certificate(page).waitFor();
  return page;
});

for (const format of ['A4', 'Letter'])
  receipts(`a certificate with the longest ids is one sheet of ${format}`, async () => {
    const page = await useLongest();
    const pdf = (await page.pdf({ format })).toString('latin1');
    assert.is(pdf.match(/\/Type \/Page\b/g)?.length, 1);
  });

receipts('a certificate with the longest ids is as wide as a window of 320 pixels', async () => {
  const page = await useLongest();
  await page.setViewportSize({ width: 320, height: 640 });
  await holdToWidth(page);
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

receipts.run();
