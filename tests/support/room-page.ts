import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { BrowserOnHost } from './browser.ts';
import { nurseCode as onetCode } from './sandbox.ts';
import { openToday } from './today-page.ts';
import { asAgent, toDay } from './workspace-page.ts';

const credentials = ['RN license OH', 'BLS'];

interface Changes {
  openings?: number;
  /** Whether the sixth person lacks a credential. */
  isMissing?: boolean;
}

/** Has an agent with a name propose six people for an order, and add a seventh who fits. */
export async function proposeSix(origin: string, { openings = 6, isMissing = false }: Changes = {}) {
  const names = [1, 2, 3, 4, 5, 6, 7];
  const own = (number: number) => (isMissing && number === 6 ? ['RN license OH'] : credentials);
  const order = { ref: 'icu', client: 'Riverbend', title: 'ICU nurse', onetCode, openings };
  const batch = {
    candidates: names.map((number) => ({
      ...{ ref: `p${number}`, name: `Person ${number}`, onetCode, credentials: own(number) },
      skills: names.slice(0, 8 - number).map((skill) => `Skill ${skill}`),
      availableFrom: toDay(1),
    })),
    jobOrders: [
      {
        ...order,
        requires: credentials,
        skills: names.map((skill) => `Skill ${skill}`),
        startDate: toDay(20),
      },
    ],
    placements: names
      .filter((number) => number < 7)
      .map((number) => ({ candidateId: `#p${number}`, jobOrderId: '#icu', onetCode, status: 'proposed' })),
  };
  const response = await fetch(`${origin}/batch`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': 'rota-agent' },
    body: JSON.stringify(batch),
  });
  const made = (await response.json()) as { workspace: string; jobOrders: { id: string }[] };
  const { workspace } = made;
  const agent = (method: string, path: string, body?: object) =>
    asAgent(origin, workspace, method, path, body);
  return { workspace, orderId: made.jobOrders[0]!.id, agent };
}

/** Opens the order for which six people are proposed, from Today. */
export async function openOrder(
  { origin, open }: Pick<BrowserOnHost, 'origin' | 'open'>,
  options?: BrowserContextOptions,
  changes: Changes = {},
) {
  const filled = await proposeSix(origin, changes);
  const page = await open('/workspace.html', options);
  await openToday(page, filled.workspace);
  await page.locator('.need').getByRole('link', { name: 'ICU nurse' }).click();
  await page.locator('.fit-row').first().waitFor();
  return { ...filled, page };
}

/** Returns the row of a person in the list of an order or among the proposals. */
export const fitOf = (page: Page, name: string): Locator =>
  page.locator('.fit-group .fit-row, .review .fit-row', {
    has: page.getByRole('heading', { name, exact: true }),
  });
