import type { Locator, Page } from 'playwright-core';

/** Drops a file on the workspace page, as a person drags it from a folder. */
export async function dropFile(page: Page, name: string, content: string): Promise<Locator> {
  await page.locator('.desk').evaluate(
    (desk, [fileName, text]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text!], fileName!));
      for (const type of ['dragover', 'drop'])
        desk.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, content],
  );
  return page.locator('.import');
}

export const csvOfPeople = [
  'Name,Job Title,City,State,Phone',
  'Ann Sample,Registered Nurse,Columbus,OH,555-0100',
  'Bo Sample,Zzyzx Wrangler,Dayton,OH,555-0101',
].join('\r\n');

/** Rows with columns that are not known, of which many have the same texts. */
export const hardFile = [
  'Cand. First,Cand. Last,Position Desired,Shift Pref,Desired Rate,Start',
  ...Array.from({ length: 12 }, (_, at) =>
    [
      `Ann${at}`,
      'Sample',
      at % 2 ? 'Registered Nurse' : 'any',
      at % 3 ? 'Nights' : 'whenever',
      at % 4 ? '$45' : '$4',
      '12/01/2026',
    ].join(','),
  ),
].join('\n');

/** Opens a step of the import. */
export const openStep = (
  imports: Locator,
  name: 'Columns' | 'Titles and problems' | 'Import',
): Promise<void> =>
  imports
    .getByRole('navigation')
    .getByRole('link', { name: new RegExp(`\\d\\. ${name}`) })
    .click();

/** Chooses an occupation for a title that is not clear, with the keyboard. */
export async function chooseOccupation(imports: Locator, title: string, words: string): Promise<void> {
  await imports.getByRole('button', { name: `Another occupation for ${title}` }).click();
  const field = imports.getByLabel(`Occupation of “${title}”`);
  await field.fill(words);
  await imports.locator('.offered button').first().waitFor();
  await field.press('Enter');
}

/** Presses the button that imports. It names how many rows are imported and left out. */
export const pressImport = (imports: Locator, words: string): Promise<void> =>
  imports.getByRole('button', { name: words, exact: true }).click();
