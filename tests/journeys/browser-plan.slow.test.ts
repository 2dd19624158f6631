import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { holdToWidth, startBrowser } from '../support/browser.ts';
import { nurseCode as onetCode } from '../support/sandbox.ts';
import { openFilledToday } from '../support/today-page.ts';
import { openTab, textOf, toDay } from '../support/workspace-page.ts';

const plan = suite('the plan for all open orders');
const browser = await startBrowser(plan);

const nurse = { onetCode, skills: ['ICU'], metro: 'Columbus, OH', availableFrom: toDay(-5) };
/** Two nurses, one of whom states all that the order asks for, and an order that nobody fits. */
const batch = {
  candidates: [
    { ref: 'ada', name: 'Ada Example', ...nurse },
    { ref: 'bo', name: 'Bo Example', ...nurse, availableFrom: undefined },
  ],
  jobOrders: [
    {
      ref: 'icu',
      client: 'Riverbend',
      title: 'ICU nurse',
      openings: 2,
      startDate: toDay(20),
      ...nurse,
      availableFrom: undefined,
    },
    { ref: 'driver', client: 'Acme Works', title: 'Truck driver', onetCode: '53-3032.00' },
  ],
};

async function openPlan() {
  const opened = await openFilledToday(browser, {}, batch);
  await opened.page.getByRole('link', { name: 'Fill all' }).click();
  await opened.page.locator('.plan .card').first().waitFor();
  return opened;
}

plan('is opened from the list of orders', async () => {
  const { page } = await openFilledToday(browser, {}, batch);
  await openTab(page, 'Job orders');
  await page.getByRole('link', { name: 'Fill all' }).click();
  await page.getByRole('heading', { name: 'Fill all open orders' }).waitFor();
  await page.locator('.plan .card').first().waitFor();
});

/** The plan before a proposal, for tests that change nothing. */
const usePlan = browser.share(openPlan);

plan('moves the focus to its heading', async () => {
  const { page } = await usePlan();
  assert.is(await page.evaluate(() => document.activeElement?.id), 'plan-name');
});

plan('shows who fits each order, and what is unknown', async () => {
  const { page } = await usePlan();
  const order = page.locator('.plan .card', { hasText: 'ICU nurse' });
  assert.match(await textOf(order), /Riverbend · starts/);
  assert.match(await textOf(order.locator('li', { hasText: 'Ada Example' })), /\d+ of 100/);
  assert.match(
    await textOf(order.locator('li', { hasText: 'Bo Example' })),
    /but availability not stated|Not sure: availability not stated/,
  );
});

plan('says why an opening stays empty', async () => {
  const { page } = await usePlan();
  const order = page.locator('.plan .card', { hasText: 'Truck driver' });
  assert.match(await textOf(order), /1 opening stays empty\. No candidate reaches the score\./);
});

plan(
  'ticks those of whom all is certain, below the bar of the desk, and each score opens its reasons',
  async () => {
    const { page } = await openPlan();
    assert.ok(await page.getByLabel('Propose Ada Example').isChecked());
    assert.not.ok(await page.getByLabel('Propose Bo Example').isChecked());
    await page.getByRole('button', { name: 'Ada Example' }).click();
    await page.getByText(/^Score \d+ of 100$/).waitFor();
    await page.setViewportSize({ width: 1280, height: 400 });
    await page.mouse.wheel(0, 2000);
    const propose = page.getByRole('button', { name: 'Propose 1' });
    // A click on a button that is covered waits until it is not.
    await propose.click({ trial: true });
  },
);

plan('proposes who is ticked in one batch, and links what was proposed', async () => {
  const { page, agent } = await openPlan();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
  });
  await page.getByLabel('Propose Bo Example').check();
  await page.getByRole('button', { name: 'Propose 2' }).click();
  const result = page.locator('#plan-result');
  await result.getByText('Proposed 2 people').waitFor();
  assert.equal(sent, ['/batch']);
  const { placements } = (await agent('GET', '/placements')).body;
  assert.equal(
    placements.map(({ status, startDate }: Record<string, string>) => [status, startDate]),
    [
      ['proposed', toDay(20)],
      ['proposed', toDay(20)],
    ],
  );
  await page.getByRole('link', { name: 'Proposed already' }).first().waitFor();
  await page.getByRole('button', { name: 'Share 1 shortlist' }).click();
  assert.match(await page.getByLabel('Link for Riverbend: ICU nurse').inputValue(), /shortlist\.html#sl_/);
  await agent('PATCH', `/placements/${placements[0].id}`, { status: 'offered' });
  await page.getByRole('link', { name: 'Offered already' }).waitFor();
  await result.getByRole('link', { name: 'Ada Example' }).click();
  await page.getByRole('heading', { level: 2, name: /^Ada Example/ }).waitFor();
});

plan('proposes nobody if one cannot be proposed, and says whom', async () => {
  const { page, agent, candidates } = await openPlan();
  await page.getByLabel('Propose Bo Example').check();
  await page.route('**/batch', async (route) => {
    await agent('DELETE', candidates[1].links.self);
    await route.continue();
  });
  await page.getByRole('button', { name: 'Propose 2' }).click();
  await page.locator('#plan-result', { hasText: 'Nobody was proposed.' }).waitFor();
  await page.locator('#plan-result', { hasText: 'Bo Example, who is not in the plan any more' }).waitFor();
  assert.is((await agent('GET', '/placements')).body.total, 0);
});

plan('takes what is not stated as not met on demand, and keeps that over a reload', async () => {
  const { page } = await openPlan();
  await page.getByLabel('Only what is stated to fit').check();
  await page.locator('.plan li', { hasText: 'Bo Example' }).waitFor({ state: 'detached' });
  await page.reload();
  await page.locator('.plan li', { hasText: 'Ada Example' }).waitFor();
  assert.ok(await page.getByLabel('Only what is stated to fit').isChecked());
});

plan('says why there is no plan', async () => {
  const { page } = await openFilledToday(browser, {}, { candidates: batch.candidates });
  await page.evaluate(() => (location.hash = '#plan'));
  await page.getByText('No job order of this workspace is open.').waitFor();
});

plan('fits 320 pixels', async () => {
  const { page } = await usePlan();
  await page.setViewportSize({ width: 320, height: 640 });
  await holdToWidth(page);
});

plan.run();
