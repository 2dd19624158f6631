import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { BrowserOnHost } from './browser.ts';
import type { Body } from './http.ts';
import { nurseCode as onetCode } from './sandbox.ts';
import { asAgent, fillByMcp, toDay } from './workspace-page.ts';

/** People, orders and placements in every state that needs a person, and an order that nobody fits. */
const urgentBatch = {
  candidates: [
    { ref: 'ada', name: 'Ada Example', onetCode, skills: ['ICU'] },
    { ref: 'bo', name: 'Bo Example', onetCode, skills: ['ICU'] },
    { ref: 'cy', name: 'Cy Example', onetCode, skills: ['ICU'] },
    { ref: 'di', name: 'Di Example', onetCode, skills: ['ICU'] },
  ],
  jobOrders: [
    { ref: 'old', client: 'Acme Works', title: 'Day nurse', onetCode, openings: 1 },
    { ref: 'icu', client: 'Riverbend', title: 'ICU nurse', onetCode, openings: 2, startDate: toDay(6) },
    { ref: 'driver', client: 'Acme Works', title: 'Truck driver', onetCode: '53-3032.00' },
  ],
  placements: [
    { candidateId: '#ada', jobOrderId: '#old', onetCode, startDate: toDay(-89) },
    { candidateId: '#bo', jobOrderId: '#icu', onetCode, status: 'proposed' },
    { candidateId: '#cy', jobOrderId: '#icu', onetCode, status: 'interviewing' },
  ],
};

/** Opens a workspace at Today, and waits until its parts are read. */
export async function openToday(page: Page, id: string): Promise<void> {
  await page.getByLabel('Workspace id').fill(id);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.locator('.feed li').first().waitFor();
}

/** Opens Today of a workspace that an agent filled. Returns the page, the records, and calls on the workspace. */
export async function openFilledToday(
  { origin, open }: Pick<BrowserOnHost, 'origin' | 'open'>,
  options?: BrowserContextOptions,
  batch: object = urgentBatch,
) {
  const filled: Record<'workspace' | 'candidates' | 'jobOrders' | 'placements', Body> = await fillByMcp(
    origin,
    batch,
  );
  const page = await open('/workspace.html', options);
  await openToday(page, filled.workspace);
  const agent = (method: string, path: string, body?: object) =>
    asAgent(origin, filled.workspace, method, path, body);
  return { ...filled, page, agent };
}

/** Returns the row of a person or an order in what needs a person. */
export const findNeed = (page: Page, name: string): Locator =>
  page.locator('[data-place=needs] li', { has: page.getByRole('link', { name, exact: true }) });
