import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { launchBrowser } from '../../../support/browser.ts';
import { sendAnswer } from '../../../support/confirm-page.ts';
import { startStaticHost, stopProcesses } from '../../../support/static-host.ts';
import { openTab } from '../../../support/workspace-page.ts';

const browser = await launchBrowser();
const worker = suite('the page of a workspace on a static host');
worker.after(async () => {
  await browser.close();
  stopProcesses();
});

worker('offers what works there, and names what does not', async () => {
  const { origin } = await startStaticHost();
  const context = await browser.newContext();
  const page = await context.newPage();
  const thrown: string[] = [];
  page.on('pageerror', (error) => thrown.push(String(error)));
  await page.goto(`${origin}/workspace.html`);
  await page.getByRole('button', { name: 'Open an example' }).click();
  await page.getByRole('button', { name: /^Show all/ }).click();
  const unstated = page.getByRole('button', { name: /^State outcome/ });
  await page.locator('[data-place=needs] li', { has: unstated }).first().getByRole('link').click();
  await page.getByRole('button', { name: 'State the outcome' }).click();
  await page.getByRole('dialog').getByLabel('Result').selectOption('retained');
  await page.getByRole('button', { name: 'State it', exact: true }).click();
  await page.getByRole('button', { name: 'Ask the client to confirm' }).click();
  const url = new URL(await page.getByLabel('Link for the client').inputValue());
  await page.getByRole('button', { name: 'Done' }).click();

  const other = await context.newPage();
  await other.goto(origin + url.pathname + url.hash);
  await sendAnswer(other);
  await other.getByText('Answered on').waitFor();
  await other.close();
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(origin + url.pathname + url.hash);
  await stranger.getByText('This link is not known here').waitFor();
  await stranger.context().close();

  await page.getByRole('button', { name: 'Show the receipt' }).click();
  await page.getByText('There are no receipts here').waitFor();
  await openTab(page, 'Job orders');
  await page.getByRole('link', { name: /^Electrician, Substations/ }).click();
  await page.locator('.fit-row').first().waitFor();
  await openTab(page, 'Settings');
  await page.getByRole('button', { name: 'Earn a day' }).click();
  await page.getByText(/This cannot be earned here|static preview/).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Delete the workspace' }).click();
  await page.getByRole('button', { name: 'Delete everything' }).click();
  await page.getByText('The workspace is deleted').waitFor();
  assert.equal(thrown, []);
  await context.close();
});

worker.run();
