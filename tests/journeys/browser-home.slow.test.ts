import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isReached, startBrowser } from '../support/browser.ts';

const home = suite('the home page');
const browser = await startBrowser(home);
const clients = ['Claude Code', 'Cursor', 'VS Code', 'TypeScript', 'Python', 'curl'];
const steps = ['An agent calls tools', 'A person decides', 'A receipt proves it'];

const shownPanels = (page: Page) => page.locator('[role=tabpanel]:visible');
const figure = async (page: Page, name: string) =>
  Number((await page.locator('.figures div', { hasText: name }).locator('dd').innerText()).replace(',', ''));
const readJson = async (path: string) => (await fetch(browser.origin + path)).json();

/** The page in the window of a desktop, of which tests choose only the client that is shown. */
const useHome = browser.share(() => browser.open('/', { viewport: { width: 1440, height: 900 } }));

home('has a lead of two sentences', async () => {
  const page = await useHome();
  assert.is((await page.locator('.lead').innerText()).match(/\./g)?.length, 2);
});

home('shows the loop without JavaScript, on the narrowest screen', async () => {
  const viewport = { width: 320, height: 640 };
  const page = await browser.open('/', { javaScriptEnabled: false, viewport });
  assert.equal(
    (await page.locator('.loop h2').allInnerTexts()).map((text) => text.replace(/^\d\s*/, '')),
    steps,
  );
  assert.ok(await page.locator('.loop').getByText('Meets 3 of 3 must-haves').isVisible());
  assert.ok(await page.locator('.loop').getByText('Signature checked').isVisible());
});

home('shows the loop within the first window of a desktop', async () => {
  const page = await useHome();
  const { y, height } = (await page.locator('.loop .frame').last().boundingBox())!;
  assert.ok(y + height <= 900, `ends at ${y + height}`);
});

home('has no control in the loop that does nothing', async () => {
  const page = await useHome();
  assert.is(await page.locator('.loop :is(button, input, [tabindex])').count(), 0);
});

home('counts the tools', async () => {
  const page = await useHome();
  const { interfaces } = await readJson('/.well-known/agents.json');
  assert.is(await figure(page, 'MCP tools'), interfaces.mcp.tools.length);
});

home('counts the graded briefs', async () => {
  const page = await useHome();
  assert.is(await figure(page, 'graded briefs'), (await readJson('/briefs')).briefs.length);
});

home('counts the occupations', async () => {
  const page = await useHome();
  assert.is(await figure(page, 'occupations'), (await readJson('/occupations?limit=1')).total);
});

home('shows the commands of each client without JavaScript', async () => {
  const page = await browser.open('/', { javaScriptEnabled: false });
  assert.equal(await shownPanels(page).locator('h3').allInnerTexts(), clients);
});

home('shows one client at a time', async () => {
  const page = await useHome();
  await page.getByRole('tab', { name: 'Python' }).click();
  assert.is(await shownPanels(page).count(), 1);
  assert.match(await shownPanels(page).innerText(), /from mcp import Client/);
});

home('moves through the clients by arrow keys', async () => {
  const page = await useHome();
  await page.getByRole('tab', { name: 'Claude Code' }).press('ArrowRight');
  await isReached(page.getByRole('tab', { name: 'Cursor', selected: true }));
  await page.keyboard.press('End');
  await isReached(page.getByRole('tab', { name: 'curl', selected: true }));
  await page.keyboard.press('ArrowRight');
  await isReached(page.getByRole('tab', { name: 'Claude Code', selected: true }));
});

home('moves the focus from the chosen client to its command', async () => {
  const page = await useHome();
  await page.getByRole('tab', { name: 'Cursor' }).click();
  await page.keyboard.press('Tab');
  assert.ok(await page.evaluate(() => document.activeElement?.closest('#panel-cursor') !== null));
});

/** Opens the console with an operation that sends a POST. */
async function tryIt(viewport: { width: number; height: number }, operationId: string): Promise<Page> {
  const page = await browser.open('/#console', { viewport });
  await page.locator('[data-choose]').selectOption(operationId);
  // The form that is shown first sends a GET.
  await page.getByRole('button', { name: 'Send POST' }).waitFor();
  return page;
}

home('has Send beside the operation', async () => {
  const page = await tryIt({ width: 1280, height: 800 }, 'createCandidate');
  const operation = (await page.locator('[data-choose]').boundingBox())!;
  const send = (await page.getByRole('button', { name: 'Send POST' }).boundingBox())!;
  assert.ok(Math.abs(send.y + send.height - operation.y - operation.height) < 4);
});

home('asks for the required members first', async () => {
  const page = await tryIt({ width: 1280, height: 800 }, 'createPlacement');
  const names = await page.locator('[data-form] form > .field label code').allInnerTexts();
  assert.equal(names.slice(0, 3), ['candidateId', 'jobOrderId', 'onetCode']);
});

home('folds members that the example does not need', async () => {
  const page = await tryIt({ width: 1280, height: 800 }, 'createPlacement');
  assert.not.ok(await page.locator('[name=feeModel]').isVisible());
  await page.getByText('More members').click();
  assert.ok(await page.locator('[name=feeModel]').isVisible());
});

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
])
  home(`has the answer in view, ${viewport.width} pixels wide`, async () => {
    const page = await tryIt(viewport, 'createCandidate');
    await page.getByRole('button', { name: 'Send POST' }).click();
    await page.locator('[data-answer] .chip', { hasText: '201 OK' }).waitFor();
    await isReached(page.locator('[data-answer] .status'));
  });

home('keeps Send in view with the answer on a desktop', async () => {
  const page = await tryIt({ width: 1280, height: 800 }, 'createPlacement');
  const send = page.getByRole('button', { name: 'Send POST' });
  await send.click();
  await page.locator('[data-answer] .chip', { hasText: '201 OK' }).waitFor();
  const { y, height } = (await send.boundingBox())!;
  assert.ok(y >= 0 && y + height <= 800, `at ${y}`);
});

home.run();
