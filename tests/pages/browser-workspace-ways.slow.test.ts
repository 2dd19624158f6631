import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type BrowserOnHost, judge, startBrowser } from '../support/browser.ts';
import type { Body } from '../support/http.ts';
import { asAgent, fillByMcp, openById } from '../support/workspace-page.ts';

const ways = suite('ways through the page of a workspace');
let browser: BrowserOnHost;

ways.before(async () => {
  browser = await startBrowser({ RECORD_CEILING: '10000', METER: 'count' });
});
ways.after(() => browser.close());

/** Presses Tab until what has the focus says the words. */
async function tabTo(page: Page, words: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const said = await page.evaluate(() => {
      const active = document.activeElement as HTMLElement;
      return active.textContent || (active as HTMLInputElement).labels?.[0]?.textContent || '';
    });
    if (words.test(said)) {
      const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
      return assert.is(outline, 'solid', `${words} is seen to have the focus`);
    }
  }
  throw new Error(`Tab never comes to ${words}`);
}

ways('by keyboard alone a person opens it, finds somebody and withdraws them', async () => {
  const filled = await fillByMcp(browser.origin);
  const { page, faults, close } = await browser.open('/workspace.html');
  await tabTo(page, /^Workspace id/);
  await page.keyboard.insertText(filled.workspace);
  await page.keyboard.press('Enter');
  await page.locator('[data-place=list] tbody tr').first().waitFor();
  const added = { name: 'Katherine Example', onetCode: '15-1252.00' };
  const { body } = await asAgent(browser.origin, filled.workspace, 'POST', '/candidates', added);
  await tabTo(page, /^Search candidates by name/);
  await page.keyboard.insertText('katherine');
  await page.keyboard.press('Enter');
  await page.getByText('1 candidate found.').waitFor();
  await tabTo(page, /^Katherine Example/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Katherine Example' }).waitFor();
  await tabTo(page, /^Withdraw/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.is(
    await page.evaluate(() => document.activeElement?.textContent),
    'Withdraw',
    'the focus comes back',
  );
  await page.keyboard.press('Enter');
  await tabTo(page, /^Withdraw/);
  await page.keyboard.press('Enter');
  await page.getByText('From available to withdrawn').waitFor();
  assert.not.equal(await page.evaluate(() => document.activeElement?.tagName), 'BODY');
  const { candidate } = (await asAgent(browser.origin, filled.workspace, 'GET', body.candidate.links.self))
    .body;
  assert.is(candidate.status, 'withdrawn');
  assert.equal(faults, []);
  await close();
});

ways('ten thousand records: a page is read, never all; the oldest is found', async () => {
  let workspace = '';
  for (let batch = 0; batch < 50; batch += 1) {
    const candidates = Array.from({ length: 200 }, (_, at) => ({
      name: batch === 0 && at === 0 ? 'Needle Example' : `Person ${batch}-${at}`,
      onetCode: '15-1252.00',
    }));
    const response = await fetch(`${browser.origin}/batch`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(workspace && { 'X-Workspace': workspace }) },
      body: JSON.stringify({ candidates }),
    });
    assert.is(response.status, 201);
    workspace = ((await response.json()) as Body).workspace;
  }
  const { page, faults, close } = await browser.open('/workspace.html');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await openById(page, workspace);
  await page.waitForLoadState('networkidle');
  assert.is(asked.filter((path) => path === '/candidates').length, 1, String(asked));
  assert.ok(await page.getByText('1 to 20 of 10,000 candidates').isVisible());
  await page.getByRole('button', { name: 'Older' }).click();
  await page.getByText('21 to 40 of 10,000').waitFor();
  assert.is(await page.locator('[data-place=list] tbody tr').count(), 20);
  await page.getByRole('button', { name: 'Newer' }).click();
  await page.getByText('1 to 20 of 10,000').waitFor();
  await page.getByLabel('Search candidates by name').fill('needle');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('1 candidate found.').waitFor();
  assert.is(await page.locator('[data-place=list] tbody tr').count(), 1);
  await page.getByRole('link', { name: 'Needle Example' }).click();
  await page.getByRole('heading', { name: 'Needle Example' }).waitFor();
  assert.equal(faults, []);
  await close();
});

ways('a table is sorted, and keeps its place; names beyond 200 are read; a row opens', async () => {
  const candidates = Array.from({ length: 230 }, (_, at) => ({
    ref: `p${at}`,
    name: `Person ${String(at).padStart(3, '0')}`,
    onetCode: '29-1141.00',
  }));
  const placements = [
    { candidateId: '#p0', jobOrderId: 'job_034', onetCode: '29-1141.00', startDate: '2026-11-01' },
  ];
  const filled = await fillByMcp(browser.origin, { candidates: candidates.slice(0, 100), placements });
  for (const more of [candidates.slice(100, 200), candidates.slice(200)])
    await asAgent(browser.origin, filled.workspace, 'POST', '/batch', { candidates: more });
  const { page, faults, close } = await browser.open(`/workspace.html#${filled.candidates[0].id}`);
  await page.getByText('This address leads to a candidate').waitFor();
  await page.goto(`${browser.origin}/workspace.html#candidates`);
  await openById(page, filled.workspace);
  const first = page.locator('[data-place=list] tbody tr').first();
  await first.getByText('Registered Nurses').waitFor();
  await page.getByRole('button', { name: 'Name' }).click();
  await first.getByText('Person 030').waitFor();
  await page.getByRole('button', { name: 'Name' }).click();
  await first.getByText('Person 229').waitFor();
  await page.reload();
  await first.getByText('Person 229').waitFor();
  await first.getByRole('cell').first().click();
  await page.getByRole('heading', { name: 'Person 229' }).waitFor();
  assert.match(await page.title(), /^Person 229/);
  await page.goBack();
  await first.getByText('Person 229').waitFor();
  await page.getByRole('button', { name: /^Placements/ }).click();
  await first.getByText('Person 000 →').waitFor();
  assert.equal(faults, []);
  await close();
});

ways('nothing moves under a hand: the lists are shown once what stands above them was read', async () => {
  const filled = await fillByMcp(browser.origin);
  const { page, faults, close } = await browser.open('/workspace.html');
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const isDue = (url: URL) => url.searchParams.has('dueBefore');
  await page.route(isDue, async (route) => {
    await isReleased;
    await route.continue();
  });
  const asked = page.waitForRequest((request) => isDue(new URL(request.url())));
  const listed = page.waitForResponse((response) => new URL(response.url()).pathname === '/candidates');
  await page.getByLabel('Workspace id').fill(filled.workspace);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await Promise.all([asked, listed]);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  assert.is(await page.getByRole('button', { name: /^Job orders/ }).count(), 0);
  release();
  await page.getByRole('button', { name: /^Job orders/ }).waitFor();
  assert.equal(faults, []);
  await close();
});

ways('it waits for changes instead of asking again and again, and shows one at once', async () => {
  const filled = await fillByMcp(browser.origin);
  const { page, faults, close } = await browser.open('/workspace.html');
  await openById(page, filled.workspace);
  let asked = 0;
  page.on('request', () => asked++);
  // What the page's own reads were charged answers the first; the last is waiting then.
  const begun = async () => {
    await page.waitForRequest((one) => one.headers().prefer === 'wait=25');
    const before = asked;
    await page.waitForTimeout(4000);
    return asked === before;
  };
  while (!(await begun())) assert.ok(asked < 20, `${asked} requests`);
  const waits = page.waitForResponse((one) => one.request().headers().prefer === 'wait=25');
  const made = await fetch(`${browser.origin}/candidates`, {
    method: 'POST',
    headers: { 'X-Workspace': filled.workspace },
    body: JSON.stringify({ name: 'Zoe Afterwards', onetCode: '15-1252.00' }),
  });
  assert.is(made.status, 201);
  assert.is((await waits).status(), 200);
  await page.getByRole('link', { name: 'Zoe Afterwards' }).waitFor();
  assert.equal(faults, []);
  await close();
});

ways('work is done in a thread of its own, can be stopped, and is handed in', async () => {
  const filled = await fillByMcp(browser.origin);
  const { page, faults, close } = await browser.open('/workspace.html');
  let bits = 40;
  let handed: Body;
  await page.route('**/workspace', async (route) => {
    const response = await route.fetch();
    if (response.status() !== 200) return route.fulfill({ response });
    const body = (await response.json()) as Body;
    await route.fulfill({ response, json: { ...body, workspace: { ...body.workspace, rung: 'sandbox' } } });
  });
  await page.route('**/work', (route) => {
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const challenge = { algorithm: 'SHA-256', salt: 'a salt of this test', bits, expiresAt, signature: 's' };
    if (route.request().method() === 'GET') return route.fulfill({ json: { type: 'OK', challenge } });
    handed = route.request().postDataJSON();
    return route.fulfill({ json: { type: 'OK', credits: 1, workspace: {} } });
  });
  await openById(page, filled.workspace);
  await page.getByRole('button', { name: 'Earn a day' }).click();
  await page.getByText(/tried; about/).waitFor();
  await judge(page);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped.').waitFor();
  bits = 14;
  await page.getByRole('button', { name: 'Earn a day' }).click();
  await page.getByText('Earned: 1 day in all.').waitFor();
  const text = new TextEncoder().encode(`a salt of this test.${handed.nonce}`);
  const digest = new DataView(await crypto.subtle.digest('SHA-256', text));
  assert.is(digest.getUint32(0) >>> (32 - bits), 0, handed.nonce);
  assert.is(handed.challenge.signature, 's');
  assert.equal(faults, []);
  await close();
});

ways.run();
