import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { launchBrowser } from '../../../support/browser.ts';
import { startStaticHost, stopProcesses } from '../../../support/static-host.ts';

const browser = await launchBrowser();
const desk = suite('the page Today on a static host');
desk.after(async () => {
  await browser.close();
  stopProcesses();
});

/** Opens the sample workspace on a new static host. Collects what the page throws. */
async function openSample() {
  const { origin } = await startStaticHost();
  const page = await (await browser.newContext()).newPage();
  const thrown: string[] = [];
  page.on('pageerror', (error) => thrown.push(String(error)));
  await page.goto(`${origin}/workspace.html`);
  await page.getByRole('button', { name: 'Open an example' }).click();
  await page.locator('[data-place=needs] li').first().waitFor();
  return { page, thrown };
}

desk('states an outcome on it, and shows that in the activity', async () => {
  const { page, thrown } = await openSample();
  await page.getByRole('button', { name: /^Show all/ }).click();
  await page
    .getByRole('button', { name: /^State outcome/ })
    .first()
    .click();
  await page.getByRole('dialog').getByLabel('Result').selectOption('retained');
  await page.getByRole('button', { name: 'State it', exact: true }).click();
  const first = page.locator('.feed li').first();
  await first.getByText('stated the outcome of').waitFor();
  await first.getByText('You', { exact: true }).waitFor();
  assert.equal(thrown, []);
});

desk('shows the plan, and proposes who is ticked', async () => {
  const { page, thrown } = await openSample();
  await page.getByRole('link', { name: 'Fill all' }).click();
  await page.locator('.plan li input').first().check();
  await page.getByRole('button', { name: /^Propose \d+$/ }).click();
  await page.getByText(/^Proposed \d+ (person|people)/).waitFor();
  assert.equal(thrown, []);
});

desk.run();
