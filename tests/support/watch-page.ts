import type { Page } from 'playwright-core';
import run from '../../content/agent-run.json' with { type: 'json' };

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

export const answersOf = (page: Page) => page.locator('.log .answered strong');

/** Makes steps of a run by the button until this many calls are answered. */
export async function step(page: Page, calls: number): Promise<void> {
  for (let made = await answersOf(page).count(); made < calls; made += 1) {
    await press(page, 'Next step');
    await answersOf(page).nth(made).waitFor();
  }
}

export async function beginRun(page: Page): Promise<void> {
  await press(page, 'Watch it here');
  await page.getByRole('heading', { name: run.title }).waitFor();
}

/** Makes the steps of a run up to the decision. */
export async function stepToDecision(page: Page): Promise<void> {
  await beginRun(page);
  await step(page, run.steps.length);
  await page.getByRole('heading', { name: /^Your turn/ }).waitFor();
}
