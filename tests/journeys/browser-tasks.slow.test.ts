import type { Locator, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';
import { proposeSix } from '../support/room-page.ts';
import { openToday } from '../support/today-page.ts';
import { asAgent, fillByMcp, fillMany, openById, toDay } from '../support/workspace-page.ts';

const tasks = suite('tasks of people, counted in clicks');
const browser = await startBrowser(tasks, { RECORD_CEILING: '2000', METER: 'count' });

/** Counts the clicks and the seconds of a task. */
function watch(name: string) {
  const started = performance.now();
  let clicks = 0;
  return {
    async click(control: Locator): Promise<void> {
      clicks += 1;
      await control.click();
    },
    end(most: number): void {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`\nfigure: ${name}: ${clicks} clicks, ${seconds} s`);
      assert.ok(clicks <= most, `${clicks} clicks, ${most} at most`);
    },
  };
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

tasks('a manager chooses from a shortlist: one click for an interview, two to decline', async () => {
  const { workspace, candidates, jobOrders } = await fillByMcp(browser.origin);
  const order = jobOrders[0].id;
  for (const { id, onetCode } of candidates) {
    const proposed = { candidateId: id, jobOrderId: order, onetCode, status: 'proposed' };
    await asAgent(browser.origin, workspace, 'POST', '/placements', proposed);
  }
  const { body } = await asAgent(browser.origin, workspace, 'POST', `/job-orders/${order}/shortlist`, {});
  const { pathname, hash } = new URL(body.shortlist.url);
  const page = await browser.open(pathname + hash);
  await page.getByText('2 of 2 to decide').waitFor();
  const { click, end } = watch('a manager chooses');
  await click(button(page, 'Interview Grace Example'));
  await page.getByText('You asked for an interview.').waitFor();
  await click(button(page, 'Decline Ada Exmaple'));
  await page.getByLabel('Reason, if you like').waitFor();
  await click(button(page, 'Decline Ada Exmaple'));
  await page.getByText('You declined.').waitFor();
  end(3);
});

tasks('an owner approves six proposals with the evidence in view: two clicks', async () => {
  const { workspace, agent } = await proposeSix(browser.origin);
  const page = await browser.open('/workspace.html');
  await openToday(page, workspace);
  const { click, end } = watch('an owner approves six');
  await click(page.getByRole('button', { name: /^Review/ }));
  await page.locator('.review .must-haves').nth(5).waitFor();
  await click(button(page, 'Approve all 6'));
  await page.getByText('6 people: scheduled.').waitFor();
  end(4);
  assert.is((await agent('GET', '/placements?status=scheduled')).body.total, 6);
});

for (const [device, width] of [
  ['a phone', 390],
  ['a desktop', 1440],
] as const)
  tasks(`a manager decides on six people on ${device}: six clicks`, async () => {
    const { orderId, agent } = await proposeSix(browser.origin);
    const { shortlist } = (await agent('POST', `/job-orders/${orderId}/shortlist`, {})).body;
    const { pathname, hash } = new URL(shortlist.url);
    const page = await browser.open(pathname + hash, { viewport: { width, height: 844 } });
    await page.getByText('6 of 6 to decide').waitFor();
    const { click, end } = watch(`a manager decides on six on ${device}`);
    for (const number of [1, 2, 3, 4, 5, 6]) {
      await click(button(page, `Interview Person ${number}`));
      await page
        .getByText('You asked for an interview.')
        .nth(number - 1)
        .waitFor();
    }
    await page.getByText('All are decided.').waitFor();
    end(6);
  });

tasks('a recruiter finds one of 1,000 by occupation and proposes: three clicks', async () => {
  const workspace = await fillMany(browser.origin, 1000);
  const order = { client: 'Example Hospital', title: 'Nurse', onetCode: '29-1141.00' };
  await asAgent(browser.origin, workspace, 'POST', '/job-orders', order);
  const page = await browser.open('/workspace.html');
  await openById(page, workspace);
  const rows = page.locator('[data-place=list] tbody tr');
  const { click, end } = watch('a recruiter finds and proposes');
  await click(page.getByText('Filters'));
  const occupation = page.getByLabel('Occupation');
  await occupation.fill('Registered Nurses');
  await occupation.press('Enter');
  await page.waitForFunction(() => /occupation=29-1141.00/.test(location.hash));
  await click(rows.filter({ hasText: 'Needle Example' }).getByRole('link'));
  await click(button(page, 'Propose Needle Example for Nurse'));
  await page.getByText('Needle Example: proposed.').waitFor();
  end(3);
  await page.goBack();
  await rows.filter({ hasText: 'Needle Example' }).waitFor();
  assert.is(await rows.count(), 1);
  assert.is(await page.getByLabel('Occupation').inputValue(), 'Registered Nurses');
});

const trades = {
  'Registered Nurse': '29-1141.00',
  Welder: '51-4121.00',
  Paralegal: '23-2011.00',
  'Truck Driver': '53-3032.00',
  Electrician: '47-2111.00',
  Carpenter: '47-2031.00',
};
const titlesOfFile = [...Object.keys(trades), 'any'];

/** A file of 60 people as another system writes it: a column that is not known, and texts that cannot be read. */
const sixtyPeople = [
  'Cand. First,Cand. Last,Wanted Work,Shift Pref,Avail,Phone',
  ...Array.from({ length: 60 }, (_, at) =>
    [
      `First${at}`,
      `Last${at}`,
      titlesOfFile[at % 7],
      at % 5 ? 'Days' : 'whenever',
      toDay(3),
      '555-0100',
    ].join(','),
  ),
].join('\n');

tasks('a recruiter imports 60 people and fills six orders: eleven clicks', async () => {
  const jobOrders = Object.entries(trades).map(([title, onetCode], at) => ({
    ...{ client: `Client ${at}`, title, onetCode, openings: 3, shift: 'day', startDate: toDay(20) },
  }));
  const { workspace } = await fillByMcp(browser.origin, { jobOrders });
  const page = await browser.open('/workspace.html');
  await openToday(page, workspace);
  const { click, end } = watch('a recruiter imports 60 people and fills six orders');
  const choosing = page.waitForEvent('filechooser');
  await click(page.getByText('Import a file'));
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(sixtyPeople) };
  await (await choosing).setFiles(file);
  const meaning = page.getByLabel('What Wanted Work means');
  await click(meaning);
  await meaning.selectOption('title');
  await page.getByText('5 of 6 imported').waitFor();
  await click(button(page, 'Continue'));
  await click(page.locator('.settle', { hasText: 'any' }).getByRole('button', { name: /^Leave out/ }));
  await page.getByText('all clear').waitFor();
  const shift = page.getByLabel(/^Shift Pref in/);
  await click(shift);
  await shift.fill('day');
  await shift.press('Enter');
  await page.getByText('Everything else in the file can be read.').waitFor();
  await click(button(page, 'Continue'));
  await click(button(page, 'Import 52'));
  await page.getByText('52 candidates imported').waitFor();
  await click(page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: /^Job orders/ }));
  await click(page.getByRole('link', { name: 'Fill all' }));
  await click(button(page, 'Propose 18'));
  await click(button(page, 'Share 6 shortlists'));
  await page.locator('.shared-links li').nth(5).waitFor();
  end(11);
});

tasks('a visitor finds a misspelt job title: two clicks', async () => {
  const page = await browser.open('/');
  const { click, end } = watch('a visitor looks a job up');
  await click(page.getByRole('link', { name: 'Occupations' }).first());
  await page.getByLabel('Job title').fill('flebotomist');
  await click(page.locator('#hits').getByRole('link', { name: 'Phlebotomists' }));
  await page.getByRole('heading', { level: 1, name: 'Phlebotomists' }).waitFor();
  await page.getByRole('heading', { name: 'Pay' }).waitFor();
  end(2);
});

tasks.run();
