import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type BrowserOnHost, judge, startBrowser } from '../support/browser.ts';
import type { Body } from '../support/http.ts';
import { asAgent, fillByMcp, openById, textOf } from '../support/workspace-page.ts';

const meters = suite('the meter on the page of a workspace');
let browser: BrowserOnHost;

meters.before(async () => {
  browser = await startBrowser({ WORK_BITS: '12' });
});
meters.after(() => browser.close());

meters('the meter shows what was used, what was included, and what was earned', async () => {
  const filled = await fillByMcp(browser.origin);
  const { page, faults, close } = await browser.open('/workspace.html', {
    viewport: { width: 360, height: 740 },
  });
  const usage = {
    period: '2026-11',
    unit: 'usd-per-month',
    settlement: 'inactive',
    operations: [
      { operation: 'createCandidate', calls: 300, included: 275, billable: 25, amount: 0.5 },
      { operation: 'getCandidate', calls: 0, included: 100, billable: 0, amount: 0 },
    ],
    total: 0.5,
    hardCeiling: 25,
    authorised: 25,
    remaining: 24.5,
  };
  await page.route('**/workspace', async (route) => {
    const response = await route.fetch();
    if (response.status() !== 200) return route.fulfill({ response });
    const { workspace } = (await response.json()) as Body;
    await route.fulfill({ response, json: { type: 'OK', workspace: { ...workspace, usage } } });
  });
  await openById(page, filled.workspace);
  const meter = page.locator('[data-place=meter]');
  const text = await textOf(meter);
  assert.match(text, /^\$0\.50 of the ceiling of \$25\.00; \$24\.50 is left\./);
  assert.match(text, /300 of 25 included, 250 earned by work \$0\.50/);
  assert.match(text, /nothing is billed/);
  assert.is(await meter.locator('tbody tr').count(), 1, 'what was not called is left out');
  const widths = await meter
    .locator('tbody .filled')
    .evaluateAll((all) => all.map((bar) => Number.parseFloat(bar.getAttribute('width') ?? '')));
  assert.equal(widths, [91.67, 8.33]);
  await judge(page);
  assert.equal(faults, []);
  await close();
});

meters('is the service’s own; work that is really done earns a day', async () => {
  const filled = await fillByMcp(browser.origin);
  const { page, faults, close } = await browser.open('/workspace.html');
  await openById(page, filled.workspace);
  const row = page.locator('[data-place=meter] tbody tr', { hasText: 'Create a candidate' });
  assert.match(await textOf(row), /2 of 25 included \$0\.00/);
  await page.getByRole('link', { name: 'Ada Exmaple', exact: true }).click();
  await page.getByRole('heading', { name: 'Ada Exmaple' }).waitFor();
  await page.getByRole('link', { name: 'All candidates' }).click();
  await page.getByRole('button', { name: 'Earn a day' }).click();
  await page.getByText('Earned: 1 day in all.').waitFor();
  await row.getByText('2 of 25 included, 250 earned by work').waitFor();
  const { workspace } = (await asAgent(browser.origin, filled.workspace, 'GET', '/workspace')).body;
  assert.is(workspace.rung, 'worked');
  const read = workspace.usage.operations.find(({ operation }: Body) => operation === 'getCandidate');
  assert.is(read.calls, 1, 'a record is read once when it is opened');
  assert.match(await textOf(page.locator('[data-place=kept]')), /^47 h 59 min left|^1 day/);
  assert.equal(faults, []);
  await close();
});

meters.run();
