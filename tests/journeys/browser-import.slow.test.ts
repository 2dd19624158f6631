import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { judge, startBrowser } from '../support/browser.ts';
import { chooseCode, csvOfPeople, dropFile } from '../support/import-page.ts';
import { openFilled, openTab } from '../support/workspace-page.ts';

const imports = suite('a file that is dropped on the workspace page');
const browser = await startBrowser(imports);

/** Drops a CSV file of candidates on the page of a workspace with records. */
async function dropPeople(content = csvOfPeople) {
  const opened = await openFilled(browser);
  const dialog = await dropFile(opened.page, 'people.csv', content);
  await dialog.getByRole('button', { name: 'A candidate' }).click();
  await dialog.locator('table').waitFor();
  return { ...opened, dialog };
}

imports('is shown as the records that it would create', async () => {
  const { dialog } = await dropPeople();
  const row = dialog.getByRole('row', { name: /Ann Sample/ });
  assert.match((await row.textContent())!, /29-1141\.00/);
});

imports('has each problem below its row', async () => {
  const { dialog } = await dropPeople();
  assert.match((await dialog.locator('tr.problem').textContent())!, '"Zzyzx Wrangler" has no sure code');
});

imports('says what is left out, and why', async () => {
  const { dialog } = await dropPeople();
  await dialog.getByText('1 thing left out, and why').click();
  await dialog.getByText('which is never stored (rows 2, 3)').waitFor();
});

imports('is imported without the rows that have problems, if the person says so', async () => {
  const { dialog, page } = await dropPeople();
  await dialog.getByLabel('Leave out rows with problems').check();
  await dialog.getByRole('button', { name: 'Import the rest' }).click();
  await page.getByText('1 candidate imported from people.csv.').waitFor();
});

const refreshed = (rate: string) => `ID,Name,Job Title,Rate\np1,Ann Sample,Registered Nurse,${rate}\n`;

imports('shows changes beside new records if it comes again', async () => {
  const { page } = await openFilled(browser);
  for (const [rate, words] of [
    ['45', '1 candidate to import'],
    ['50', '1 candidate to change'],
  ] as const) {
    const dialog = await dropFile(page, 'people.csv', refreshed(rate));
    await dialog.getByRole('button', { name: 'A candidate' }).click();
    await dialog.getByText(words).waitFor();
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }
});

imports('says where it goes, and that a sandbox is no place for personal data', async () => {
  const { dialog } = await dropPeople();
  await dialog.getByText('The file goes to this service').waitFor();
  await dialog.getByText('A public sandbox is no place for personal data.').waitFor();
});

imports('is imported once its codes are chosen', async () => {
  const { dialog, page, agent } = await dropPeople();
  await chooseCode(dialog, 'row 3', 'farmworker');
  await dialog.getByRole('button', { name: 'Check again' }).click();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('2 candidates imported from people.csv.').waitFor();
  const { body } = await agent('GET', '/candidates?q=sample');
  assert.is(body.total, 2);
});

imports('stores nothing if it is cancelled', async () => {
  const { dialog, agent } = await dropPeople();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const { body } = await agent('GET', '/candidates?q=sample');
  assert.is(body.type, 'EMPTY');
});

imports('keeps a sure code, and lets the person change it', async () => {
  const { dialog } = await dropPeople('Name,Job Title\nAnn Sample,Registered Nurse\n');
  await dialog.getByRole('button', { name: 'Change the code of row 2' }).click();
  assert.is(await dialog.getByLabel('Code of row 2').inputValue(), '29-1141.00');
});

imports('makes a workspace if none is open', async () => {
  const page = await browser.open('/workspace.html');
  const dialog = await dropFile(page, 'people.csv', 'Name,Job Title\nAnn Sample,Registered Nurse\n');
  await dialog.getByRole('button', { name: 'A candidate' }).click();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('link', { name: 'Ann Sample' }).waitFor();
});

imports('may be a JSON Resume', async () => {
  const { page } = await openFilled(browser);
  const resume = { basics: { name: 'Cy Sample', label: 'Registered Nurse' } };
  const dialog = await dropFile(page, 'cy.json', JSON.stringify(resume));
  await dialog.getByRole('button', { name: 'Import', exact: true }).waitFor();
});

imports('is refused by the page if it is a workbook', async () => {
  const { page } = await openFilled(browser);
  await dropFile(page, 'people.xlsx', 'PK\u0003\u0004rest');
  await page.getByText('people.xlsx is a zip archive').waitFor();
});

imports('is refused by the page if it has more than 1 MiB', async () => {
  const { page } = await openFilled(browser);
  await dropFile(page, 'people.csv', 'x'.repeat(1_048_577));
  await page.getByText('people.csv has 1,048,577 bytes').waitFor();
});

imports('is refused in words if it has no known column', async () => {
  const { page } = await openFilled(browser);
  const dialog = await dropFile(page, 'odd.csv', 'foo,bar\n1,2\n');
  await dialog.getByRole('button', { name: 'A candidate' }).click();
  await dialog.getByText('has no column that is known').waitFor();
});

imports('is shown in a dialog that a screen reader can use', async () => {
  const { page } = await dropPeople();
  await judge(page);
});

imports('can be opened with a button', async () => {
  const { page } = await openFilled(browser);
  await page.getByLabel('Import a file').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Name,Job Title\nAnn Sample,Registered Nurse\n'),
  });
  await page.getByRole('dialog').getByText('Import people.csv').waitFor();
});

imports('can be what the page exported as CSV', async () => {
  const { page } = await openFilled(browser);
  await openTab(page, 'Settings');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'candidates as CSV' }).click();
  const download = await saving;
  assert.is(download.suggestedFilename(), 'candidates.csv');
});

imports.run();
