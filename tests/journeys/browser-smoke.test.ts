import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { judge, startBrowser } from '../support/browser.ts';
import { sendAnswer } from '../support/confirm-page.ts';
import { countBytes, mostPageBytes } from '../support/page-weight.ts';
import { openTab } from '../support/workspace-page.ts';

const smoke = suite('a person without instructions');
const browser = await startBrowser(smoke);

smoke(`the home page is at most ${mostPageBytes} bytes on the wire without its font`, async () => {
  const page = await browser.open('/404.html');
  const readBytes = await countBytes(page);
  await page.goto(`${browser.origin}/`, { waitUntil: 'networkidle' });
  const bytes = readBytes();
  assert.ok(bytes > 5000 && bytes <= mostPageBytes, `${bytes} bytes`);
});

smoke('the console of the home page creates a workspace', async () => {
  const page = await browser.open('/#console');
  await page.locator('[data-choose]').selectOption('createCandidate');
  await page.getByRole('button', { name: 'Send POST' }).click();
  await page.locator('[data-answer] .chip', { hasText: '201 OK' }).waitFor();
  await page.locator('[data-workspace-text]', { hasText: 'left' }).waitFor();
});

smoke('on a phone: fills a sample workspace, places a person, states and confirms an outcome', async () => {
  const page = await browser.open('/', { viewport: { width: 360, height: 800 } });
  await page.getByRole('link', { name: 'Workspace', exact: true }).first().click();
  await page.getByRole('button', { name: 'Open an example' }).click();
  await openTab(page, 'Job orders');
  await page
    .locator('[data-place=list]')
    .getByRole('link', { name: /^Electrician, Substations/ })
    .click();
  await page.locator('[aria-labelledby=group-fitting] .fit-open').first().click();
  await page.getByRole('button', { name: 'Place without a proposal' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Place', exact: true }).click();
  await page.getByRole('heading', { level: 2, name: /→/ }).waitFor();
  await openTab(page, 'Today');
  await page.getByRole('button', { name: /^Show all/ }).click();
  const unstated = page.getByRole('button', { name: /^State outcome/ });
  await page.locator('[data-place=needs] > ul > li', { has: unstated }).first().getByRole('link').click();
  await page.getByRole('button', { name: 'State the outcome' }).click();
  await page
    .getByRole('dialog')
    .getByLabel(/^Result/)
    .selectOption('retained');
  await page.getByRole('dialog').getByRole('button', { name: 'State it', exact: true }).click();
  await page.getByRole('button', { name: 'Ask the client to confirm' }).click();
  const { pathname, hash } = new URL(await page.getByLabel('Link for the client').inputValue());
  await judge(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await openTab(page, 'Settings');
  await page.locator('[data-place=meter]', { hasText: 'of the ceiling of $25.00' }).waitFor();
  await judge(page);

  await page.goto(`${browser.origin}${pathname}${hash}`);
  await sendAnswer(page);
  await page.getByText('Answered on').waitFor();
  assert.is(new URL(page.url()).hash, '', 'the token left the address bar');
});

smoke.run();
