import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';
import { nurseCode as onetCode } from '../support/sandbox.ts';
import { chooseAction, openFilled, openTab } from '../support/workspace-page.ts';

const forms = suite('forms of the workspace page');
const browser = await startBrowser(forms);

const licence = 'RN license, PA until 2030-08-31';

/** A nurse, an order that the nurse fits, and an order that is proposed to her. */
const batch = {
  candidates: [
    {
      ...{ ref: 'nina', name: 'Nina Example', onetCode, credentials: [licence] },
      ...{ workplaces: ['remote', 'onsite'], salaryUsdYear: 85_000, hoursPerWeek: 36, shifts: ['day'] },
    },
    { ref: 'omar', name: 'Omar Example', onetCode },
  ],
  jobOrders: [
    {
      ...{ ref: 'ward', client: 'Example Clinic', title: 'Ward Nurse', onetCode, workplace: 'onsite' },
      ...{ payRateUsdHour: 40, payRateMaxUsdHour: 48, hoursPerWeek: 36, shift: 'day', openings: 3 },
    },
  ],
  placements: [{ ref: 'own', candidateId: '#omar', jobOrderId: '#ward', onetCode, status: 'proposed' }],
};

const open = () => openFilled(browser, {}, batch);

async function edit(page: Page, id: string) {
  await page.goto(`${browser.origin}/workspace.html#${id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  return page.getByRole('dialog');
}

const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

forms('have one line for each entry of a list, so that an entry keeps its comma', async () => {
  const { page, agent, candidates } = await open();
  const dialog = await edit(page, candidates[0].id);
  const credentials = dialog.getByLabel('Credentials');
  assert.is(await credentials.inputValue(), licence);
  await credentials.fill(`${licence}\n\n BLS, adult `);
  await save(page);
  const { candidate } = (await agent('GET', candidates[0].links.self)).body;
  assert.equal(candidate.credentials, [licence, 'BLS, adult']);
});

forms('have a checkbox for each choice of a list', async () => {
  const { page, agent, candidates } = await open();
  const dialog = await edit(page, candidates[0].id);
  const workplaces = dialog.getByRole('group', { name: 'Workplaces' });
  assert.is(await workplaces.getByRole('checkbox').count(), 3);
  assert.ok(await workplaces.getByLabel('remote').isChecked());
  assert.not.ok(await workplaces.getByLabel('hybrid').isChecked());
  await workplaces.getByLabel('hybrid').check();
  await save(page);
  const { workplaces: chosen, shifts } = (await agent('GET', candidates[0].links.self)).body.candidate;
  assert.equal(chosen, ['remote', 'onsite', 'hybrid'], 'what was chosen before keeps its order');
  assert.equal(shifts, ['day'], 'nothing else was sent');
});

forms('remove a list of which nothing is chosen', async () => {
  const { page, agent, candidates } = await open();
  const dialog = await edit(page, candidates[0].id);
  const shifts = dialog.getByRole('group', { name: 'Shifts' });
  await shifts.getByLabel('day').uncheck();
  await save(page);
  const { candidate } = (await agent('GET', candidates[0].links.self)).body;
  assert.is(candidate.shifts, undefined);
});

forms('have a list to choose a workplace from', async () => {
  const { page, agent, jobOrders } = await open();
  const dialog = await edit(page, jobOrders[0].id);
  await dialog.getByLabel('Workplace').selectOption('remote');
  await save(page);
  assert.is((await agent('GET', jobOrders[0].links.self)).body.jobOrder.workplace, 'remote');
});

forms('change a placement and leave its status to its buttons', async () => {
  const { page, agent, placements } = await open();
  const dialog = await edit(page, placements[0].id);
  assert.is(await dialog.getByLabel('Status').count(), 0);
  await dialog.getByLabel('Hours a week').fill('20');
  await save(page);
  const { placement } = (await agent('GET', placements[0].links.self)).body;
  assert.is(placement.hoursPerWeek, 20);
  assert.is(placement.status, 'proposed');
});

for (const isChecked of [true, false])
  forms(`${isChecked ? 'decline' : 'leave'} the proposals of an order that closes`, async () => {
    const { page, agent, jobOrders, placements } = await open();
    await page.goto(`${browser.origin}/workspace.html#${jobOrders[0].id}`);
    await chooseAction(page, 'Close order');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Decline proposals').setChecked(isChecked);
    await dialog.getByRole('button', { name: 'Close order' }).click();
    await page.locator('.record .chip', { hasText: 'closed' }).first().waitFor();
    const { status, declineReason } = (await agent('GET', placements[0].links.self)).body.placement;
    assert.is(status, isChecked ? 'declined' : 'proposed');
    assert.is(declineReason, isChecked ? 'closed' : undefined);
  });

/** Records that no test of this page changes. */
const useRecords = browser.share(open);

forms('are followed by a record that shows pay, workplace and hours', async () => {
  const { page, candidates, jobOrders } = await useRecords();
  const record = page.locator('.record');
  const shows = (title: string, text: string) =>
    record.locator('dl.facts > div', { hasText: title }).getByText(text, { exact: true }).waitFor();
  await page.goto(`${browser.origin}/workspace.html#${jobOrders[0].id}`);
  await record.getByText('About this job order').click();
  await shows('Pay rate', '$40.00 an hour');
  await shows('Most pay', '$48.00 an hour');
  await shows('Workplace', 'onsite');
  await shows('Hours a week', '36');
  await page.goto(`${browser.origin}/workspace.html#${candidates[0].id}`);
  await record.locator('.record-line', { hasText: /salary \$85,000 a year · remote/ }).waitFor();
});

forms('are beside lists that show pay, workplace and hours of an order on hover', async () => {
  const { page } = await useRecords();
  await openTab(page, 'Job orders');
  const row = page.locator('[data-place=list] tbody tr').first();
  await row.getByRole('link', { name: 'Ward Nurse' }).waitFor();
  const words = await row.locator('th').getAttribute('title');
  assert.match(words ?? '', /pay \$40\.00 to \$48\.00 an hour · onsite · 36 hours a week/);
});

forms('are beside rows that show what was compared and what is unknown', async () => {
  const { page, jobOrders } = await useRecords();
  await page.goto(`${browser.origin}/workspace.html#${jobOrders[0].id}`);
  const nina = page.locator('.fit-row', { hasText: 'Nina Example' });
  await nina.getByText('$85,000/year of $89,856/year').waitFor();
  const omar = page.locator('.fit-row', { hasText: 'Omar Example' });
  await omar.getByRole('button', { name: 'Omar Example', exact: true }).click();
  await omar.locator('.doubt').first().waitFor();
});

forms.run();
