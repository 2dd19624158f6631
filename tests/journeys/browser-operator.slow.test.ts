import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { judge, looks, startBrowser } from '../support/browser.ts';

const operator = suite("the operator's page");
const token = 'a-token-of-24-characters-or-more';
const browser = await startBrowser(operator, { OPERATOR_TOKEN: token });

operator('asks for the token, and says that a wrong one is wrong', async () => {
  const page = await browser.open('/operator.html');
  await page.getByRole('textbox', { name: 'Token' }).fill('a-wrong-token');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('Send the value of OPERATOR_TOKEN').waitFor();
  assert.not.ok(await page.getByRole('heading', { name: 'Refusals' }).isVisible());
});

operator('shows refusals, blocks and unblocks an address', async () => {
  await fetch(`${browser.origin}/candidates?scope=admin`);
  const page = await browser.open('/operator.html');
  await page.getByRole('textbox', { name: 'Token' }).fill(token);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('cell', { name: 'forbidden_scope' }).first().waitFor();
  await page.getByLabel('Address', { exact: true }).fill('203.0.113.7');
  await page.getByLabel('Reason').fill('floods searches');
  await page.getByRole('button', { name: 'Block', exact: true }).click();
  await page.getByRole('cell', { name: 'floods searches' }).waitFor();
  // The one page that needs a setting of the host, which the sweep over all pages lacks.
  for (const { colorScheme, viewport } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await judge(page);
  }
  await page.getByRole('button', { name: 'Unblock 203.0.113.7' }).click();
  await page.getByRole('cell', { name: 'floods searches' }).waitFor({ state: 'detached' });
  const stored = await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]);
  assert.equal(stored, [0, 0, ''], 'the token stays in the memory of the page');
  await page.reload();
  assert.is(await page.getByRole('textbox', { name: 'Token' }).inputValue(), '');
});

operator.run();
