import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';
import { showHash } from '../support/desk.ts';
import type { Body } from '../support/http.ts';
import { fillDesk } from '../support/live-desk.ts';
import { asAgent } from '../support/workspace-page.ts';

const desks = suite('a live desk from the home page');
const browser = await startBrowser(desks);

const said = (page: Page, words: string | RegExp) =>
  page.locator('[data-said]').filter({ hasText: words }).waitFor();
const openDesk = (page: Page) => page.getByRole('button', { name: 'Open an example' }).click();

const refuse = (page: Page, status: number, json: object) =>
  page.route('**/batch', (route) => route.fulfill({ status, json }));

/** The id of a desk, for tests that change nothing in it. */
const useDesk = browser.share(async () => fillDesk(await browser.open('/')));

desks('opens with one click', async () => {
  const { body } = await asAgent(browser.origin, await useDesk(), 'GET', '/workspace');
  assert.equal(body.workspace.records, { candidates: 60, jobOrders: 12, placements: 25 });
});

desks('has a validated outcome', async () => {
  const workspace = await useDesk();
  const { body } = await asAgent(browser.origin, workspace, 'GET', '/placements?validated=true');
  assert.equal(
    body.placements.map(({ outcome }: Body) => outcome.result),
    ['retained'],
  );
});

desks('has a shortlist out', async () => {
  const workspace = await useDesk();
  const { body } = await asAgent(browser.origin, workspace, 'GET', '/job-orders?q=icu-nights');
  const [{ id }] = body.jobOrders;
  const again = await asAgent(browser.origin, workspace, 'POST', `/job-orders/${id}/shortlist`, {});
  assert.is(again.body.code, 'pending');
});

/** What only programs read: members by their names, values of enumerations, and days as they are sent. */
const apiWords =
  /\b\d{4}-\d\d-\d\d\b|\b[a-z]+[A-Z]\w*\b|\b(?:candidate-left|client-ended|ended-early|attrited|dryRun)\b/;

/** Returns what is shown of a page, without ids and codes. */
const readWords = (page: Page) =>
  page.evaluate(() => {
    const { body } = document;
    for (const code of body.querySelectorAll<HTMLElement>('.mono, .code-text')) code.style.display = 'none';
    return body.innerText;
  });

async function holdWords(page: Page, place: string) {
  const words = await readWords(page);
  const found = apiWords.exec(words);
  assert.is(found && words.slice(Math.max(0, found.index - 40), found.index + 40), null, place);
}

desks('shows no word of the API on any view, and in no form', async () => {
  const page = await browser.open('/');
  const workspace = await fillDesk(page);
  const read = async (path: string) => (await asAgent(browser.origin, workspace, 'GET', path)).body;
  const { placements } = await read('/placements?limit=200');
  const { candidates } = await read('/candidates?limit=200');
  const { jobOrders } = await read('/job-orders?limit=200');
  const ofEachStatus = Map.groupBy<string, Body>(placements, ({ status }) => status).values();
  const records = [...[...ofEachStatus].map(([row]) => row), candidates.at(-1), jobOrders.at(-1)];
  for (const view of ['today', 'candidates', 'job-orders', 'placements', 'plan', 'settings']) {
    await showHash(page, view);
    await page.waitForLoadState('networkidle');
    await holdWords(page, view);
  }
  for (const { id, status } of records) {
    await showHash(page, id);
    await page.getByText(id).waitFor();
    await page.waitForLoadState('networkidle');
    await holdWords(page, `${id}, ${status}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await holdWords(page, `the form of ${id}`);
    await page.getByRole('button', { name: 'Cancel' }).click();
  }
});

desks('offers the open workspace at the second click', async () => {
  const page = await browser.open('/');
  const workspace = await fillDesk(page);
  await page.goto(`${browser.origin}/`);
  await openDesk(page);
  await said(page, 'This browser has a workspace');
  assert.is(await page.evaluate(() => document.activeElement?.textContent), 'Open it');
  await page.getByRole('link', { name: 'Open it' }).click();
  await page.waitForURL('**/workspace.html#today');
  const { body } = await asAgent(browser.origin, workspace, 'GET', '/workspace');
  assert.is(body.workspace.records.candidates, 60);
});

desks('makes a new one if that is asked for', async () => {
  const page = await browser.open('/');
  const before = await fillDesk(page);
  await page.goto(`${browser.origin}/`);
  await openDesk(page);
  await said(page, 'This browser has a workspace');
  assert.is.not(await fillDesk(page, 'Make a new one'), before);
});

desks('says in place that the device is offline', async () => {
  const page = await browser.open('/');
  await page.context().setOffline(true);
  await openDesk(page);
  await said(page, 'This device is offline.');
  browser.faults.length = 0;
});

desks('says in place how long to wait', async () => {
  const page = await browser.open('/');
  await refuse(page, 429, { type: 'BLOCKED', reason: 'Too many workspaces. Try again in 40 seconds.' });
  await openDesk(page);
  await said(page, 'Try again in 40 seconds.');
  browser.faults.length = 0;
});

desks('says in place that the service is full', async () => {
  const page = await browser.open('/');
  await refuse(page, 402, {
    type: 'OFFER',
    title: 'Full',
    statement: 'The workspace holds as many as it may.',
  });
  await openDesk(page);
  await said(page, 'The workspace holds as many as it may.');
  browser.faults.length = 0;
});

desks('opens what was filled before a refusal', async () => {
  const page = await browser.open('/');
  await page.route('**/job-orders/*/shortlist', (route) =>
    route.fulfill({ status: 503, json: { type: 'BLOCKED', reason: 'The store does not answer just now.' } }),
  );
  await openDesk(page);
  await said(page, 'The store does not answer just now.');
  browser.faults.length = 0;
  await page.getByRole('link', { name: 'Open the workspace of this browser' }).click();
  await page.waitForURL('**/workspace.html#today');
});

desks('goes on after a refusal', async () => {
  const page = await browser.open('/');
  await refuse(page, 503, { type: 'BLOCKED', reason: 'The store does not answer just now.' });
  await openDesk(page);
  await said(page, 'The store does not answer just now.');
  browser.faults.length = 0;
  await page.unroute('**/batch');
  await fillDesk(page);
});

desks.run();
