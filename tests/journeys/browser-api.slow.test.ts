import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';

const api = suite('the API page in a browser');
const browser = await startBrowser(api);
const path = '/api.html#createCandidate';
const phone = { viewport: { width: 390, height: 844 } };

/** The page as it is opened, for tests that change nothing. */
const usePage = browser.share(() => browser.open(path));

api('an operation opens with tabs, of which curl is chosen', async () => {
  const page = await usePage();
  const operation = page.locator('#createCandidate');
  assert.equal(await operation.getByRole('tab').allTextContents(), ['curl', 'TypeScript', 'Python', 'MCP']);
  assert.match((await operation.getByRole('tabpanel').textContent()) ?? '', /curl -i -X POST/);
});

api('the arrow keys choose a tab', async () => {
  const page = await browser.open(path);
  const operation = page.locator('#createCandidate');
  await operation.getByRole('tab', { name: 'curl' }).focus();
  await page.keyboard.press('ArrowRight');
  assert.is(await page.evaluate(() => document.activeElement?.textContent), 'TypeScript');
  assert.match((await operation.getByRole('tabpanel').textContent()) ?? '', /await fetch/);
  await page.keyboard.press('End');
  assert.match((await operation.getByRole('tabpanel').textContent()) ?? '', /"name": "createCandidate"/);
});

api('a chosen language is that of the next operation too', async () => {
  const page = await browser.open(path);
  await page.locator('#createCandidate').getByRole('tab', { name: 'Python' }).click();
  await page.locator('.entry:has(#createJobOrder) > summary').click();
  const shown = page.locator('#createJobOrder').getByRole('tabpanel');
  assert.match((await shown.textContent()) ?? '', /urlopen/);
});

api('without JavaScript each language is shown', async () => {
  const page = await browser.open('/api.html', { javaScriptEnabled: false });
  await page.locator('.entry:has(#createCandidate) > summary').click();
  assert.is(await page.locator('#createCandidate [data-languages] pre:visible').count(), 4);
});

api('required members are shown, and optional ones are folded', async () => {
  const page = await browser.open(path);
  const members = page.locator('#createCandidate .members dt code');
  const names = async () => (await members.filter({ visible: true }).allTextContents()).join(' ');
  assert.is(await names(), 'name onetCode');
  await page.locator('#createCandidate .more > summary').first().click();
  assert.match(await names(), /payRateUsdHour/);
});

api('a request is sent from the page, with the required members first in its form', async () => {
  const page = await browser.open(path);
  const form = page.locator('#createCandidate .try');
  await form.locator('> summary').click();
  await form.getByRole('button', { name: 'Send POST' }).waitFor();
  const inputs = form.locator('form .field :is(input, textarea, select)');
  assert.is(await inputs.first().getAttribute('name'), 'name');
  assert.is(await inputs.nth(1).getAttribute('name'), 'onetCode');
  await form.getByRole('button', { name: 'Send POST' }).click();
  await form.locator('.chip').getByText('201 OK').waitFor();
});

api('on a phone the operations are listed only when a person asks for it', async () => {
  const page = await browser.open('/api.html', phone);
  const list = page.getByRole('navigation', { name: 'Operations' });
  assert.is(await list.getByRole('link').count(), 0);
  await list.getByText('All operations').click();
  await list.getByRole('link', { name: /^Create a candidate/ }).click();
  await page.locator('#createCandidate').getByRole('tab').first().waitFor();
  assert.is(await list.getByRole('link').count(), 0, 'the list is folded again');
});

api.run();
