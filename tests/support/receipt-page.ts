import type { Page } from 'playwright-core';

export const certificate = (page: Page) => page.locator('.certificate');
export const refused = (page: Page) => page.locator('[data-result=broken]');
export const unchecked = (page: Page) => page.locator('[data-result=unchecked]');
export const malformed = (page: Page) => page.locator('[data-result=malformed]');

/** Pastes a text, checks it, and returns the result as a person sees it. */
export async function checkReceipt(page: Page, text: string): Promise<string> {
  const another = page.getByRole('button', { name: 'Check another' });
  if (await another.isVisible()) await another.click();
  await page.getByLabel('Receipt', { exact: true }).fill(text);
  await page.getByText('Nothing checked yet.').waitFor();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  const result = page.locator(':is(.certificate, [data-result]):visible');
  await result.waitFor();
  return result.innerText();
}
