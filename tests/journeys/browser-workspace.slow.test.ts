import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isReached, startBrowser } from '../support/browser.ts';
import { sendAnswer } from '../support/confirm-page.ts';
import type { Body } from '../support/http.ts';
import { pluck } from '../support/rows.ts';
import { chooseAction, fillByMcp, openFilled, openTab, textOf, toDay } from '../support/workspace-page.ts';

const workspace = suite('a person in a workspace that an agent filled');
const phone = { viewport: { width: 360, height: 740 } };
const browser = await startBrowser(workspace, { WORK_BITS: '12' });

workspace('opens it, corrects, ends a placement, has an outcome confirmed, and erases it', async () => {
  const { page, agent, workspace: id, candidates, placements } = await openFilled(browser);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));

  await page.getByRole('link', { name: 'Ada Exmaple', exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Ada Example');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Ada Example' }).waitFor();
  const mended = await agent('GET', candidates[0].links.self);
  assert.is(mended.body.candidate.name, 'Ada Example');
  assert.is(mended.body.candidate.revision, 2);
  assert.equal(mended.body.candidate.skills, ['TypeScript', 'SQL'], 'nothing else was sent');

  await openTab(page, 'Placements');
  const list = page.locator('[data-place=list]');
  await list.getByRole('link', { name: /^Grace Example/ }).click();
  await chooseAction(page, 'End it');
  await page.getByRole('dialog').getByLabel('End reason').selectOption('client-ended');
  await page.getByRole('dialog').getByLabel('End required').fill(toDay(-1));
  await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
  await page.locator('.record .chip', { hasText: 'ended early' }).waitFor();
  const { status, endDate, endReason } = (await agent('GET', placements[1].links.self)).body.placement;
  assert.is(status, 'ended-early');
  assert.equal(endDate, toDay(-1));
  assert.is(endReason, 'client-ended');
  await page
    .getByText(/Status active to ended early|active to ended-early/i)
    .first()
    .waitFor();
  await chooseAction(page, 'Correct the end');
  await page.getByRole('dialog').getByLabel('End required').fill(toDay(-2));
  await page.getByRole('dialog').getByRole('button', { name: 'Correct it' }).click();
  await page.getByText('the end is recorded.').waitFor();
  const corrected = (await agent('GET', placements[1].links.self)).body.placement;
  assert.equal(corrected.endDate, toDay(-2));
  assert.is(corrected.endReason, 'client-ended');

  await openTab(page, 'Today');
  const needs = page.locator('[data-place=needs]');
  await needs.getByRole('link', { name: 'Ada Example' }).waitFor();
  assert.match(await textOf(needs), /Ada Example Developer, Example Works.*4 days left.*Day 86 of 90/);
  await needs.getByRole('link', { name: 'Ada Example' }).click();
  await page.getByRole('button', { name: 'State the outcome' }).click();
  await page.getByRole('dialog').getByLabel('Result').selectOption('retained');
  await page.getByRole('button', { name: 'State it', exact: true }).click();
  await page.getByRole('button', { name: 'Ask the client to confirm' }).click();
  const url = await page.getByLabel('Link for the client').inputValue();
  assert.match(url, /\/confirm\.html#cnf_/);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('The client has a link until').waitFor();
  await page.getByRole('button', { name: 'Replace the client’s link' }).click();
  await page.getByText('It stops working at once').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();

  const other = await browser.open(new URL(url).pathname + new URL(url).hash, phone);
  await other.getByText('The person was still in the placement.').waitFor();
  await sendAnswer(other);
  await other.getByText('Answered on').waitFor();

  await page.getByRole('button', { name: 'Show the receipt' }).click();
  await page.getByRole('heading', { name: 'Retained' }).waitFor();
  assert.is(new URL(page.url()).hash, '');

  await page.goto(`${browser.origin}/workspace.html#settings`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const copy = await fillByMcp(browser.origin, JSON.parse(readFileSync(await download.path(), 'utf8')));
  assert.equal([copy.candidates.length, pluck(copy.warnings, 'code')], [2, ['not_taken']], 'no outcome');

  await page.getByRole('button', { name: 'Delete the workspace' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  assert.is((await agent('GET', '/workspace')).status, 200);
  await page.getByRole('button', { name: 'Delete the workspace' }).click();
  await page.getByRole('button', { name: 'Delete everything' }).click();
  await page.getByText('The workspace is deleted').waitFor();
  assert.is((await agent('GET', '/workspace')).status, 401);
  assert.equal(
    asked.filter((address) => address.includes(id)),
    [],
  );
});

workspace('uses an order as a shortlist: sees pay and who fits, proposes, and shares once', async () => {
  const { page, agent, candidates, jobOrders } = await openFilled(browser);
  const wanted = { billRateUsdHour: 95, requires: ['TypeScript', 'Forklift license'] };
  assert.is((await agent('PATCH', jobOrders[0].links.self, wanted)).status, 200);
  const { onetCode, metro } = candidates[0];
  await agent('POST', '/candidates', { name: 'Free Example', onetCode, metro, skills: ['TypeScript'] });
  await page.goto(`${browser.origin}/workspace.html#${jobOrders[0].id}`);
  const record = page.locator('.record');
  await record.getByText('2 of 3 filled').waitFor();
  await record.getByText('bill rate $95.00 an hour').waitFor();
  await record.getByText('About this job order').click();
  await record.getByRole('link', { name: 'Software Developers' }).waitFor();
  await record.getByText(/^\$[\d.]+ to \$[\d.]+ an hour, median/).waitFor();
  const best = record.locator('.fit-row', { hasText: 'Free Example' });
  await best.getByText('Missing 1 of 2: Forklift license').waitFor();
  await best.getByRole('button', { name: 'Free Example', exact: true }).click();
  await best.getByText(/^Score \d+ of 100$/).waitFor();
  await best.getByRole('button', { name: 'Propose' }).click();
  await best.getByRole('button', { name: 'Approve' }).waitFor();
  await isReached(best.getByRole('button', { name: 'Free Example', exact: true }));
  await page.getByRole('button', { name: 'Share the shortlist' }).click();
  const url = await page.getByLabel('Link to the shortlist').inputValue();
  assert.match(url, /\/shortlist\.html#sl_/);
  await page.getByRole('button', { name: 'Done' }).click();
  await record.getByText('The client has a link to the shortlist until').waitFor();
  await page.getByRole('button', { name: 'Replace the client’s link' }).click();
  await page.getByRole('button', { name: 'Replace it' }).click();
  assert.not.equal(await page.getByLabel('Link to the shortlist').inputValue(), url);
});

workspace('sees usage on the meter, and earns a day by work', async () => {
  const { page, agent } = await openFilled(browser);
  const row = page.locator('[data-place=meter] tbody tr', { hasText: 'Create a candidate' });
  await openTab(page, 'Settings');
  await row.waitFor();
  assert.match(await textOf(row), /2 of 25 included \$0\.00/);
  await openTab(page, 'Candidates');
  await page.getByRole('link', { name: 'Ada Exmaple', exact: true }).click();
  await page.getByRole('heading', { name: 'Ada Exmaple' }).waitFor();
  await openTab(page, 'Settings');
  await page.getByRole('button', { name: 'Earn a day' }).click();
  await page.getByText('Earned: 1 day in all.').waitFor();
  await row.getByText('2 of 25 included, 250 earned by work').waitFor();
  const { workspace } = (await agent('GET', '/workspace')).body;
  assert.is(workspace.rung, 'worked');
  const read = workspace.usage.operations.find(({ operation }: Body) => operation === 'getCandidate');
  assert.is(read.calls, 1, 'a record is read once when it is opened');
  assert.match(await textOf(page.locator('[data-place=kept]')), /^47 h 59 min left|^1 day/);
});

workspace.run();
