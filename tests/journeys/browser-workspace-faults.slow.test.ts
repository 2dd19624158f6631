import type { Page, Response } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { holdToWidth, startBrowser } from '../support/browser.ts';
import { fillByMcp, openById, openFilled, openTab, textOf } from '../support/workspace-page.ts';

const bad = suite('the workspace page when something goes wrong');
const browser = await startBrowser(bad);

/** Waits until the page has loaded the code of all views, as it does while it rests. This file is the last. */
const waitForCode = (page: Page) =>
  page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/need-actions.')),
  );

const gate = (page: Page) => page.locator('[data-place=gate-said]');

bad('says what is wrong with an id, and removes an id from the address', async () => {
  const page = await browser.open('/workspace.html');
  for (const [id, words] of [
    ['what', /^This is not a workspace id/],
    [`ws_${'0'.repeat(38)}`, /^This is not a workspace id/],
    [`ws_${'0'.repeat(39)}`, /^No workspace is known by this id/],
  ] as const) {
    await page.getByLabel('Workspace id').fill(id);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await gate(page).filter({ hasText: words }).waitFor();
  }
  const { workspace } = await fillByMcp(browser.origin);
  await page.goto(`${browser.origin}/404.html`);
  await page.goto(`${browser.origin}/workspace.html#${workspace}`);
  await gate(page).filter({ hasText: 'in the address' }).waitFor();
  assert.not.match(page.url(), /ws_/);
  await openById(page, `X-Workspace: ${workspace}`);
  assert.is(await gate(page).isVisible(), false);
});

bad('closes when the workspace is erased elsewhere, and forgets its id', async () => {
  const { page, agent } = await openFilled(browser);
  await agent('DELETE', '/workspace');
  await gate(page).filter({ hasText: 'No workspace is known' }).waitFor();
  await page.reload({ waitUntil: 'networkidle' });
  assert.is(await page.getByLabel('Workspace id').isVisible(), true);
});

bad('says that the workspace is deleted, also if it finds out before the reply arrives', async () => {
  const { page } = await openFilled(browser);
  const isUnknown = (reply: Response) => /\/workspace$/.test(reply.url()) && reply.status() === 401;
  await page.route('**/workspace', async (route) => {
    if (route.request().method() !== 'DELETE') return route.fallback();
    const response = await route.fetch();
    // The page asks twice each time, to wait for a change and to read it. Four replies show that it went on after two.
    for (let replies = 0; replies < 4; replies += 1) await page.waitForResponse(isUnknown);
    await route.fulfill({ response });
  });
  await openTab(page, 'Settings');
  await page.getByRole('button', { name: 'Delete the workspace' }).click();
  await page.getByRole('button', { name: 'Delete everything' }).click();
  await gate(page).filter({ hasText: 'The workspace is deleted' }).waitFor();
});

bad('the second of two tabs shows what changed, and asks', async () => {
  const { page, agent, candidates } = await openFilled(browser);
  const { id, links } = candidates[0];
  const read = async () => (await agent('GET', links.self)).body.candidate;
  const second = await page.context().newPage();
  await second.goto(`${browser.origin}/workspace.html#${id}`);
  await second.getByRole('button', { name: 'Edit' }).click();
  await second.getByRole('dialog').getByLabel('Name').fill('Ada of the second tab');

  await page.getByRole('link', { name: 'Ada Exmaple', exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Metro').fill('Dayton, OH');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Dayton, OH', { exact: true }).waitFor();

  await second.getByRole('button', { name: 'Save' }).click();
  const asked = second.getByRole('dialog', { name: 'Changed by somebody else meanwhile' });
  await asked.waitFor();
  assert.match(await textOf(asked), /metro Columbus, OH ?Dayton, OH as it is now/);
  assert.is((await read()).name, 'Ada Exmaple', 'nothing is saved before the answer');
  await asked.getByRole('button', { name: 'Save mine over it' }).click();
  await second.getByRole('heading', { name: 'Ada of the second tab' }).waitFor();
  const both = await read();
  assert.equal([both.name, both.metro], ['Ada of the second tab', 'Dayton, OH'], 'neither change is lost');

  await page.getByRole('heading', { name: 'Ada of the second tab' }).waitFor();
});

bad('says that the service is away, keeps what was typed, and continues by itself', async () => {
  const { page } = await openFilled(browser);
  await page.getByRole('link', { name: 'Ada Exmaple', exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Ada Example');
  let isAway = true;
  const reason = 'The workspace store does not answer as it should, so nothing was acknowledged.';
  await page.route('**/*', (route) =>
    isAway && route.request().resourceType() === 'fetch'
      ? route.fulfill({ status: 503, json: { type: 'BLOCKED', code: 'store_unavailable', reason } })
      : route.continue(),
  );
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').filter({ hasText: 'store does not answer' }).waitFor();
  await page.locator('[data-place=away]:visible').waitFor();
  assert.is(await page.getByRole('dialog').getByLabel('Name').inputValue(), 'Ada Example');
  isAway = false;
  await page.locator('[data-place=away]').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Ada Example' }).waitFor();
});

bad('a record that could not be read does not count as deleted, and can be read again', async () => {
  const { page, candidates } = await openFilled(browser);
  const path = `**/candidates/${candidates[0].id}`;
  for (const status of [429, 500, 503]) {
    const json = { type: 'BLOCKED', reason: `It answered ${status}.` };
    await page.route(path, (route) => route.fulfill({ status, json }));
    await page.getByRole('link', { name: 'Ada Exmaple', exact: true }).click();
    await page.getByRole('heading', { name: 'Could not be read' }).waitFor();
    await page
      .getByRole('alert')
      .filter({ hasText: `It answered ${status}.` })
      .waitFor();
    await page.unroute(path);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { name: 'Ada Exmaple' }).waitFor();
    await page.goBack();
  }
  browser.faults.length = 0;
  await page.goto(`${browser.origin}/workspace.html#cand_0000000000000000`);
  await page.getByRole('heading', { name: 'Not here' }).waitFor();
  assert.is(await page.getByRole('button', { name: 'Retry' }).count(), 0);
});

bad('a failed list is loaded again by Retry, and by itself', async () => {
  const { page } = await openFilled(browser);
  let isDown = true;
  await page.route('**/job-orders?*', (route) =>
    isDown ? route.fulfill({ status: 503, json: { reason: 'The store is away.' } }) : route.continue(),
  );
  const list = page.locator('[data-place=list]');
  const failed = list.getByRole('alert').filter({ hasText: 'The store is away.' });
  const order = list.getByRole('link', { name: 'Developer', exact: true });
  await openTab(page, 'Job orders');
  await failed.waitFor();
  isDown = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await order.waitFor();
  assert.is(await page.evaluate(() => document.activeElement?.id), 'records-name', 'the focus stays');
  isDown = true;
  await openTab(page, 'Candidates');
  await page.getByRole('link', { name: 'Ada Exmaple', exact: true }).waitFor();
  await openTab(page, 'Job orders');
  await failed.waitFor();
  isDown = false;
  await order.waitFor();
});

bad('says that the device is offline, and shows what is new once it is online', async () => {
  const { page, agent } = await openFilled(browser);
  await page.context().setOffline(true);
  await page.getByText('The network is gone').waitFor();
  const added = { name: 'Zoe Meanwhile', onetCode: '15-1252.00' };
  await agent('POST', '/candidates', added);
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Zoe Meanwhile' }).waitFor();
  await page.locator('[data-place=away]').waitFor({ state: 'hidden' });
  browser.faults.length = 0;
});

bad(
  'offline, keeps what it has read, opens what it has not once it can, and never names an error of code',
  async () => {
    const { page } = await openFilled(browser);
    await waitForCode(page);
    await openTab(page, 'Placements');
    await page.locator('[data-place=list] tbody tr').first().waitFor();
    await page.context().setOffline(true);
    await page.locator('[data-place=away]', { hasText: 'The network is gone.' }).waitFor();
    await openTab(page, 'Candidates');
    await page.getByRole('link', { name: 'Ada Exmaple', exact: true }).waitFor();
    await openTab(page, 'Job orders');
    await page.getByRole('alert').filter({ hasText: 'The network is gone.' }).waitFor();
    await openTab(page, 'Settings');
    await page.getByRole('button', { name: 'Delete the workspace' }).waitFor();
    assert.not.match(await page.locator('body').innerText(), /fetch|module/i);
    await openTab(page, 'Job orders');
    await page.context().setOffline(false);
    await page.locator('[data-place=list]').getByRole('link', { name: 'Developer', exact: true }).waitFor();
    await page.locator('[data-place=away]').waitFor({ state: 'hidden' });
    browser.faults.length = 0;
  },
);

bad('opens offline with the words for it, and the desk by itself once the network is back', async () => {
  const { page } = await openFilled(browser);
  await waitForCode(page);
  await page.goto(`${browser.origin}/404.html`);
  await page.context().setOffline(true);
  await page.goto(`${browser.origin}/workspace.html#candidates`);
  // A page that was opened after the browser went offline may not know that.
  const isOnline = await page.evaluate(() => navigator.onLine);
  const words = isOnline ? 'The service does not answer just now.' : 'The network is gone.';
  await page.locator('[data-place=away]', { hasText: `${words} Your workspace opens by itself.` }).waitFor();
  assert.is(await page.getByText('Read only').isVisible(), false);
  assert.is(await page.getByLabel('Workspace id').count(), 0);
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Ada Exmaple', exact: true }).waitFor();
  browser.faults.length = 0;
});

bad('drops unsaved edits only after a question', async () => {
  const { page } = await openFilled(browser);
  await page.getByRole('link', { name: 'Ada Exmaple', exact: true }).click();
  const edit = page.getByRole('button', { name: 'Edit' });
  const name = page.getByRole('dialog', { name: 'Edit' }).getByLabel('Name');
  await edit.click();
  await page.keyboard.press('Escape');
  await name.waitFor({ state: 'detached' });
  await edit.click();
  await name.fill('Ada Changed');
  const asked = page.getByRole('dialog', { name: 'Drop your changes?' });
  await page.keyboard.press('Escape');
  await asked.getByRole('button', { name: 'Cancel' }).click();
  assert.is(await name.inputValue(), 'Ada Changed');
  await page.keyboard.press('Escape');
  await asked.getByRole('button', { name: 'Drop them' }).click();
  await name.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Ada Exmaple' }).waitFor();
});

bad('shows a refused value at its field', async () => {
  const { page } = await openFilled(browser);
  await page.getByRole('link', { name: 'Ada Exmaple', exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('O*NET-SOC code').fill('99-9999.99');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.fault:visible').waitFor();
  assert.is(await page.evaluate(() => (document.activeElement as HTMLInputElement).name), 'onetCode');
  await page.getByRole('dialog').getByLabel('O*NET-SOC code').fill('phlebotomist');
  await page.getByRole('button', { name: 'Phlebotomists 31-9097.00' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.record').getByRole('link', { name: 'Phlebotomists' }).waitFor();
});

bad('shows names with markup, right-to-left text or 200 letters without a space as plain text', async () => {
  const names = [
    '<img src=x onerror=alert(1)>',
    'مرحبا بالعالم (نموذج)',
    'W'.repeat(200),
    '"><script>1</script>',
  ];
  const batch = {
    candidates: names.map((name) => ({ name, onetCode: '15-1252.00', skills: ['x'.repeat(80)] })),
  };
  const phone = { viewport: { width: 360, height: 740 } };
  const { page, candidates } = await openFilled(browser, phone, batch);
  assert.equal(await page.locator('[data-place=list] tbody a').allTextContents(), names.toReversed());
  await holdToWidth(page);
  for (const [index, name] of names.entries()) {
    await page.goto(`${browser.origin}/workspace.html#${candidates[index].id}`);
    await page.getByRole('heading', { name, exact: true }).waitFor();
  }
});

bad.run();
