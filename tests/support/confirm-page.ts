import type { Page } from 'playwright-core';
import { asAgent, fillByMcp, toDay } from './workspace-page.ts';

/** States an outcome, and returns the token of the page for its client. */
export async function stateForClient(origin: string) {
  const startDate = toDay(0);
  const sent = { candidateId: 'cand_036', jobOrderId: 'job_034', onetCode: '29-1141.00', startDate };
  const { workspace, placements } = await fillByMcp(origin, { placements: [sent] });
  const { self } = placements[0].links;
  const agent = async (method: string, path: string, body?: object) =>
    (await asAgent(origin, workspace, method, path, body)).body;
  const state = (result: string) => agent('POST', `${self}/outcome`, { result });
  await state('retained');
  const { confirmation } = await agent('POST', `${self}/confirmations`, { party: 'client' });
  const read = async () => (await agent('GET', self)).placement.outcome;
  return { state, read, token: confirmation.token as string };
}

/** Chooses an answer on the page of a confirmation, and then sends it with a comment. */
export async function sendAnswer(page: Page, choice = 'Yes', comment = ''): Promise<void> {
  await page.getByRole('button', { name: choice, exact: true }).click();
  await page.getByLabel('Comment, if you like').fill(comment);
  await page.getByRole('button', { name: /^Send: / }).click();
}
