import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { holdToWidth, startBrowser } from '../support/browser.ts';
import {
  chooseOccupation,
  csvOfPeople,
  dropFile,
  hardFile,
  openStep,
  pressImport,
} from '../support/import-page.ts';
import { openFilled, openTab } from '../support/workspace-page.ts';

const imports = suite('a file that is dropped on the workspace page');
const browser = await startBrowser(imports);

/** Drops a CSV file on the page of a workspace with records. */
async function drop(content = csvOfPeople, name = 'people.csv') {
  const opened = await openFilled(browser);
  const page = await dropFile(opened.page, name, content);
  await page.getByRole('navigation').waitFor();
  return { ...opened, imported: page };
}

imports('begins where something is to settle, and shows each row with what is wrong in it', async () => {
  const { imported } = await drop();
  await imported.getByRole('button', { name: 'Another occupation for Zzyzx Wrangler' }).waitFor();
  await openStep(imported, 'Import');
  assert.match((await imported.getByRole('row', { name: /Ann Sample/ }).textContent())!, /29-1141\.00/);
  assert.match(
    (await imported.getByRole('row', { name: /Bo Sample/ }).textContent())!,
    /left out.*not clear/s,
  );
  await imported.getByText('1 thing left out, and why').click();
  await imported.getByText('which is never stored (rows 2, 3)').waitFor();
  await imported.getByText('The file goes to this service').waitFor();
  await imported.getByText('A public sandbox is no place for personal data.').waitFor();
});

imports('is imported without the rows that have problems, as the button says', async () => {
  const { imported, page } = await drop();
  await openStep(imported, 'Import');
  await pressImport(imported, 'Import 1, leave out 1 row');
  await page.getByText('1 candidate imported from people.csv.').waitFor();
  await page.getByRole('link', { name: 'Ann Sample' }).waitFor();
});

imports('is imported once its titles are settled, with the keyboard', async () => {
  const { imported, page, agent } = await drop();
  await chooseOccupation(imported, 'Zzyzx Wrangler', 'farmworker');
  await imported.getByText('all clear').waitFor();
  await imported.getByRole('button', { name: 'Continue' }).click();
  await pressImport(imported, 'Import 2');
  await page.getByText('2 candidates imported from people.csv.').waitFor();
  const { body } = await agent('GET', '/candidates?q=sample');
  assert.is(body.total, 2);
});

imports(
  'asks for unknown columns, settles a text once for all of its rows, and lets a cell be corrected',
  async () => {
    const { imported, page, agent } = await drop(hardFile);
    await imported.getByLabel('What Position Desired means').selectOption('title');
    await imported.getByText('5 of 6 imported').waitFor();
    await imported.getByRole('button', { name: 'Continue' }).click();
    const any = imported.locator('.settle', { hasText: '6 rows: 2, 4, 6, 8, 10 and 1 more' });
    await any.locator('.offer').first().click();
    await imported.getByText('all clear').waitFor();
    await imported.getByLabel('Shift Pref in 4 rows').fill('day');
    await imported.getByRole('button', { name: 'Change in 4 rows' }).click();
    await imported.getByText('Everything else in the file can be read.').waitFor();
    await imported.getByText(/\d+ pay rates look unusual: review/).click();
    await page.goBack();
    await imported.getByLabel('What Position Desired means').waitFor();
    await page.goForward();
    await imported.getByRole('button', { name: 'Continue' }).click();
    await imported.getByRole('button', { name: 'Change Desired Rate of row 2' }).click();
    await imported.getByLabel('Desired Rate of row 2').fill('52.5');
    await page.keyboard.press('Enter');
    await imported.getByRole('button', { name: 'Change Desired Rate of row 2: 52.5' }).waitFor();
    await pressImport(imported, 'Import 12');
    await page.getByText('12 candidates imported').waitFor();
    const { body } = await agent('GET', '/candidates?q=Ann0');
    assert.equal([body.candidates[0].shifts, body.candidates[0].payRateUsdHour], [['day'], 52.5]);
  },
);

const refreshed = (rate: string) => `ID,Name,Job Title,Rate\np1,Ann Sample,Registered Nurse,${rate}\n`;

imports('shows changes beside new records if it comes again', async () => {
  const { page } = await openFilled(browser);
  for (const [rate, words] of [
    ['45', '1 candidate to import'],
    ['50', '1 candidate to change'],
  ] as const) {
    const imported = await dropFile(page, 'people.csv', refreshed(rate));
    await imported.getByRole('status').getByText(words).waitFor();
    await openStep(imported, 'Import');
    await pressImport(imported, 'Import 1');
    await imported.waitFor({ state: 'detached' });
  }
});

imports('stores nothing if it is cancelled', async () => {
  const { imported, page, agent } = await drop();
  await imported.getByRole('button', { name: 'Cancel' }).click();
  await page.locator('[data-place=list]').waitFor();
  const { body } = await agent('GET', '/candidates?q=sample');
  assert.is(body.type, 'EMPTY');
});

imports('keeps a sure code, and lets the person change it', async () => {
  const { imported } = await drop('Name,Job Title\nAnn Sample,Registered Nurse\n');
  await openStep(imported, 'Titles and problems');
  await imported.getByText('1 title is clear').click();
  await imported.getByRole('button', { name: 'Another occupation for Registered Nurse' }).click();
  assert.is(await imported.getByLabel('Occupation of “Registered Nurse”').inputValue(), '29-1141.00');
});

imports('makes a workspace if none is open', async () => {
  const page = await browser.open('/workspace.html');
  const imported = await dropFile(page, 'people.csv', 'Name,Job Title\nAnn Sample,Registered Nurse\n');
  await pressImport(imported, 'Import 1');
  await page.getByRole('link', { name: 'Ann Sample' }).waitFor();
});

imports('may be a JSON Resume', async () => {
  const resume = { basics: { name: 'Cy Sample', label: 'Registered Nurse' } };
  const { imported } = await drop(JSON.stringify(resume), 'cy.json');
  await openStep(imported, 'Import');
  await imported.getByRole('row', { name: /Cy Sample/ }).waitFor();
  await imported.getByRole('button', { name: 'Import 1', exact: true }).waitFor();
});

for (const [name, content, words] of [
  ['people.xlsx', 'PK\u0003\u0004rest', 'people.xlsx is a zip archive'],
  ['people.csv', 'x'.repeat(1_048_577), 'people.csv has 1,048,577 bytes'],
] as const)
  imports(`is refused by the page: ${words}`, async () => {
    const { page } = await openFilled(browser);
    await dropFile(page, name, content);
    await page.getByText(words).waitFor();
  });

imports('asks what its columns mean if none is known', async () => {
  const { imported } = await drop('foo,bar\nAnn Sample,Registered Nurse\n', 'odd.csv');
  await imported.getByRole('button', { name: 'A candidate' }).click();
  await imported.getByText('has no column that is known').waitFor();
  await imported.getByLabel('What foo means').selectOption('name');
  await imported.getByLabel('What bar means').selectOption('title');
  await imported.getByRole('button', { name: 'Continue' }).click();
  await openStep(imported, 'Import');
  await imported.getByRole('button', { name: 'Import 1', exact: true }).waitFor();
});

imports('can be opened with a button, and fits 320 pixels at each step', async () => {
  const { page } = await openFilled(browser);
  await page.getByLabel('Import a file').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(hardFile),
  });
  const imported = page.locator('.import');
  await imported.getByRole('heading', { name: 'Import people.csv' }).waitFor();
  await imported.getByRole('navigation').waitFor();
  await page.setViewportSize({ width: 320, height: 640 });
  for (const step of ['Columns', 'Titles and problems', 'Import'] as const) {
    await openStep(imported, step);
    await holdToWidth(page);
  }
});

imports('can be what the page exported as CSV', async () => {
  const { page } = await openFilled(browser);
  await openTab(page, 'Settings');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Candidates as CSV' }).click();
  const download = await saving;
  assert.is(download.suggestedFilename(), 'candidates.csv');
});

imports.run();
