import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';
import { openFilledToday, openToday } from '../support/today-page.ts';
import { asAgent, fillMany, textOf } from '../support/workspace-page.ts';

const feed = suite('the activity on the page Today');
const browser = await startBrowser(feed);

feed('says who did what, under its day', async () => {
  const { page } = await openFilledToday(browser);
  const words = await textOf(page.locator('[data-place=activity]'));
  assert.match(words, /^Today \d\d:\d\d .+ created 4 candidates, 3 job orders and 3 placements/);
  const records = page.locator('.feed .entry-records').first();
  await records.getByText('Which').click();
  await records.getByRole('link', { name: 'Di Example', exact: true }).click();
  await page.getByRole('heading', { name: 'Di Example' }).waitFor();
});

feed('shows a change of an agent by itself, at the top', async () => {
  const { page, agent, candidates, jobOrders } = await openFilledToday(browser);
  const proposal = { candidateId: candidates[3].id, jobOrderId: jobOrders[1].id, status: 'proposed' };
  await agent('POST', '/placements', { ...proposal, onetCode: '29-1141.00' });
  const first = page.locator('.feed li').first();
  await first.getByText('proposed').waitFor();
  assert.match(await textOf(first), /proposed Di Example for ICU nurse$/);
});

feed('links a name to its record until the record is deleted', async () => {
  const { page, agent, candidates } = await openFilledToday(browser);
  const { self } = candidates[3].links;
  await agent('PATCH', self, { metro: 'Columbus, OH' });
  const change = page.locator('.feed li', { hasText: 'changed the metro' });
  await change.getByRole('link', { name: 'Di Example' }).waitFor();
  await agent('DELETE', self);
  await change.getByText('a deleted candidate').waitFor();
  assert.is(await change.getByRole('link').count(), 0);
});

feed('names the client who decides on a shortlist', async () => {
  const { page, agent, jobOrders } = await openFilledToday(browser);
  const { shortlist } = (await agent('POST', `${jobOrders[1].links.self}/shortlist`, {})).body;
  const headers = { 'X-Shortlist': shortlist.token, 'Content-Type': 'application/json' };
  const shown = await (await fetch(`${browser.origin}/shortlist`, { headers })).json();
  const { id: placementId, tag } = shown.shortlist.placements.find(
    (row: { status: string }) => row.status === 'proposed',
  );
  const body = JSON.stringify({ placementId, tag, decision: 'interview' });
  await fetch(`${browser.origin}/shortlist`, { method: 'POST', headers, body });
  await page.getByText('asked to interview').first().waitFor();
  assert.match(
    await textOf(page.locator('.feed li').first()),
    /The client asked to interview Bo Example for ICU nurse$/,
  );
  await page.locator('[data-place=needs]').getByText('The client asked to interview').waitFor();
});

feed('says that it is live, and that it is not while the service is away', async () => {
  const { page } = await openFilledToday(browser);
  const mark = page.locator('.live');
  assert.is(await textOf(mark), 'Live');
  await page.context().setOffline(true);
  await page.locator('.live', { hasText: 'Not up to date' }).waitFor();
  await page.context().setOffline(false);
  await page.getByText('Live', { exact: true }).waitFor();
  // The browser reports the requests that failed while it was offline.
  browser.faults.splice(0);
});

feed('shows older changes on demand', async () => {
  const id = await fillMany(browser.origin, 200);
  for (let at = 0; at < 31; at += 1)
    await asAgent(browser.origin, id, 'POST', '/candidates', { name: `Late ${at}`, onetCode: '29-1141.00' });
  const page = await browser.open('/workspace.html');
  await openToday(page, id);
  assert.is(await page.locator('.feed li').count(), 30);
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByText('created 200 candidates').waitFor();
  assert.is(await page.getByRole('button', { name: 'Show more' }).count(), 0);
});

/** Runs before a page: adds up how far elements move without user input. */
function watchShifts(): void {
  const shifted = { sum: 0 };
  Object.assign(globalThis, { shifted });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
      shifted.sum += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
}

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const)
  feed(`does not move while a workspace is opened again at ${width} pixels on a slow network`, async () => {
    const { page } = await openFilledToday(browser, { viewport: { width, height } });
    await page.addInitScript(watchShifts);
    const delays: [path: RegExp, ms: number][] = [
      [/\/workspace$/, 300],
      [/\/placements\?/, 900],
      [/\/job-orders\?/, 1500],
      [/\/workspace\/activity/, 600],
    ];
    for (const [path, ms] of delays)
      await page.route(path, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, ms));
        await route.continue();
      });
    await page.reload();
    await page.locator('.feed li').first().waitFor();
    await page.locator('.needs li').first().waitFor();
    const sum = await page.evaluate(async () => {
      // The browser reports a shift after the frame.
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      return (globalThis as unknown as { shifted: { sum: number } }).shifted.sum;
    });
    assert.ok(sum < 0.02, `moves by ${sum}`);
    await page.unrouteAll({ behavior: 'wait' });
  });

feed.run();
