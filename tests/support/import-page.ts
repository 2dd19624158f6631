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
  return page.getByRole('dialog');
}

export const csvOfPeople = [
  'Name,Job Title,City,State,Phone',
  'Ann Sample,Registered Nurse,Columbus,OH,555-0100',
  'Bo Sample,Zzyzx Wrangler,Dayton,OH,555-0101',
].join('\r\n');

/** Chooses an occupation for the row of an open dialog whose title is not clear. */
export async function chooseCode(dialog: Locator, row: string, title: string): Promise<void> {
  await dialog.getByLabel(`Code of ${row}`).fill(title);
  await dialog.locator('.offered button').first().click();
}
