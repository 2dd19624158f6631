import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { BrowserOnHost } from './browser.ts';
import { dayMs } from './days.ts';
import type { Body } from './http.ts';

/** Returns the day this many days from today, in UTC. */
export const toDay = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

const [onetCode, columbus] = ['15-1252.00', 'Columbus, OH'];
const toPlacement = (ref: string, person: string, days: number) => {
  const of = { candidateId: `#${person}`, jobOrderId: '#work', onetCode };
  return { ref, ...of, startDate: toDay(days) };
};
const ada = { ref: 'ada', name: 'Ada Exmaple', onetCode, skills: ['TypeScript', 'SQL'], metro: columbus };
const grace = { ref: 'grace', name: 'Grace Example', onetCode: '15-1254.00', skills: ['React'] };
const work = { ref: 'work', client: 'Example Works', title: 'Developer', onetCode, skills: ['TypeScript'] };

/**
 * What an agent puts into a workspace: two people, an order, and two placements, one of them due in four
 * days.
 */
const agentBatch = {
  candidates: [ada, { ...grace, metro: 'Cleveland, OH' }],
  jobOrders: [{ ...work, metro: columbus, openings: 3 }],
  placements: [toPlacement('due', 'ada', -86), toPlacement('young', 'grace', -10)],
};

const paths: Record<string, string> = {
  candidates: '/candidates',
  jobOrders: '/job-orders',
  placements: '/placements',
};

/** Adds the address of each record, which the result of a tool leaves out. */
const withAddresses = (result: Body): Body =>
  Object.fromEntries(
    Object.entries<Body>(result).map(([name, value]) => [
      name,
      paths[name]
        ? value.map((row: Body) => ({ ...row, links: { self: `${paths[name]}/${row.id}` } }))
        : value,
    ]),
  );

/** Fills a workspace as an agent does, by a tool of /mcp. Returns the result of the tool, with addresses. */
export async function fillByMcp(origin: string, batch: object = agentBatch): Promise<Body> {
  const params = { name: 'createBatch', arguments: batch };
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const { result } = (await response.json()) as Body;
  assert.is(result.structuredContent.type, 'OK', JSON.stringify(result));
  return withAddresses(result.structuredContent);
}

/** Sends a request in a workspace, as an agent does. */
export async function asAgent(
  origin: string,
  workspace: string,
  method: string,
  path: string,
  body?: object,
) {
  const response = await fetch(origin + path, {
    method,
    headers: { 'X-Workspace': workspace, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

/** Returns the text of a part of a page, with single spaces. */
export const textOf = async (part: Locator) => ((await part.textContent()) ?? '').replace(/\s+/g, ' ').trim();

/** The tabs of the desk. */
type Tab = 'Today' | 'Candidates' | 'Job orders' | 'Placements' | 'Settings';

/** Opens a tab of the desk. */
export const openTab = (page: Page, name: Tab): Promise<void> =>
  page
    .getByRole('navigation', { name: 'Workspace' })
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click();

/** Pastes an id, opens the desk at a list (the candidates, unless the address names one), and waits for its rows. */
export async function openById(page: Page, id: string): Promise<void> {
  await page.getByLabel('Workspace id').fill(id);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('navigation', { name: 'Workspace' }).waitFor();
  if (/^(#today)?$/.test(new URL(page.url()).hash)) await openTab(page, 'Candidates');
  await page.locator('[data-place=list] tbody tr').first().waitFor();
}

/**
 * Opens the page of a workspace that an agent filled. Returns it, the result of the tool, and calls on the
 * workspace.
 */
export async function openFilled(
  { origin, open }: Pick<BrowserOnHost, 'origin' | 'open'>,
  options?: BrowserContextOptions,
  batch?: object,
) {
  const filled: Record<'workspace' | 'candidates' | 'jobOrders' | 'placements', Body> = await fillByMcp(
    origin,
    batch,
  );
  const page = await open('/workspace.html', options);
  await openById(page, filled.workspace);
  const agent = (method: string, path: string, body?: object) =>
    asAgent(origin, filled.workspace, method, path, body);
  return { ...filled, page, agent };
}

/**
 * Makes a workspace of this many people, 200 at a time, of whom the oldest is Needle Example. Returns its id.
 */
export async function fillMany(origin: string, count: number): Promise<string> {
  let workspace = '';
  for (let from = 0; from < count; from += 200) {
    const candidates = Array.from({ length: Math.min(200, count - from) }, (_, at) => ({
      name: from + at === 0 ? 'Needle Example' : `Person ${from + at}`,
      onetCode: from + at === 0 ? '29-1141.00' : '15-1252.00',
    }));
    const response = await fetch(`${origin}/batch`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(workspace && { 'X-Workspace': workspace }) },
      body: JSON.stringify({ candidates }),
    });
    const body = (await response.json()) as Body;
    assert.is(response.status, 201, JSON.stringify(body));
    workspace = body.workspace;
  }
  return workspace;
}

/** Chooses an action from the menu of the open record. */
export async function chooseAction(page: Page, words: string): Promise<void> {
  await page.locator('.record-title .menu summary').click();
  await page.locator('.record-title .menu').getByRole('button', { name: words, exact: true }).click();
}
