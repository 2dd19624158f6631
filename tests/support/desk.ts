import type { BrowserContextOptions, Page } from 'playwright-core';
import type { BrowserOnHost } from './browser.ts';
import { openFilled } from './workspace-page.ts';

const [onetCode, metro] = ['29-1141.00', 'Columbus, OH'];

/** A person whose name has the number in three digits. */
const toPerson = (number: number) => ({
  ref: `p${number}`,
  name: `Person ${String(number).padStart(3, '0')}`,
  onetCode,
  metro,
});

/** 60 people, two orders of two clients, and three placements: two proposed and one active. */
export const deskBatch = {
  candidates: Array.from({ length: 60 }, (_, at) => toPerson(at)),
  jobOrders: [
    { ref: 'ward', client: 'Riverbend Hospital', title: 'Ward Nurse', onetCode, metro, openings: 2 },
    { ref: 'clinic', client: 'Example Clinic', title: 'Clinic Nurse', onetCode, startDate: '2027-03-01' },
  ],
  placements: [
    { ref: 'a', candidateId: '#p1', jobOrderId: '#ward', onetCode, status: 'proposed' },
    { ref: 'b', candidateId: '#p2', jobOrderId: '#clinic', onetCode, status: 'proposed' },
    { ref: 'c', candidateId: '#p3', jobOrderId: '#ward', onetCode, startDate: '2026-11-01' },
  ],
};

/** Opens the desk of a workspace with the records of `deskBatch`, or with those given. */
export const openDesk = (
  browser: Pick<BrowserOnHost, 'origin' | 'open'>,
  options?: BrowserContextOptions,
  batch: object = deskBatch,
) => openFilled(browser, options, batch);

/**
 * Returns a function that opens one desk for all tests of a suite, which change only what is in view. Each gets it at
 * the list of candidates, loaded again.
 */
export function shareDesk(
  browser: Pick<BrowserOnHost, 'origin' | 'open' | 'share'>,
  options?: BrowserContextOptions,
) {
  const useOpened = browser.share(() => openDesk(browser, options));
  return async () => {
    const desk = await useOpened();
    await desk.page.goto('about:blank');
    await desk.page.goto(`${browser.origin}/workspace.html#candidates`);
    await rowsOf(desk.page).first().waitFor();
    return desk;
  };
}

export const rowsOf = (page: Page) => page.locator('[data-place=list] tbody tr');

/** Returns the names of the rows of a table, once the first is this one. */
export async function readNames(page: Page, first: string): Promise<string[]> {
  await rowsOf(page).first().getByRole('link', { name: first, exact: true }).waitFor();
  return rowsOf(page).locator('th a').allTextContents();
}

/** Changes the address of the desk, as a link would. */
export const showHash = (page: Page, hash: string) =>
  page.evaluate((next) => {
    location.hash = next;
  }, hash);
