import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';
import { sendAnswer } from '../support/confirm-page.ts';
import { nurseCode as onetCode } from '../support/sandbox.ts';
import { asAgent, openById, openFilled, toDay } from '../support/workspace-page.ts';

const isolation = suite('pages isolate values from their own words');
const browser = await startBrowser(isolation);

/**
 * Hebrew letters: beside them, our own signs and words would change places. Each value ends in its own
 * number.
 */
const hebrew = (number: number) => `שלום ${number}`;
const [name, title, skill, metro, client, job, phrase, reason, comment] = Array.from({ length: 9 }, (_, at) =>
  hebrew(at + 11),
) as [string, string, string, string, string, string, string, string, string];

const batch = {
  candidates: [
    { ref: 'a', name, title, onetCode, skills: [skill, 'ICU'], metro, credentials: [phrase] },
    { ref: 'b', name: hebrew(20), onetCode },
  ],
  jobOrders: [{ ref: 'o', client, title: job, onetCode, skills: [skill], requires: [phrase], openings: 3 }],
  placements: [
    { ref: 'p', candidateId: '#a', jobOrderId: '#o', onetCode, status: 'proposed' },
    { ref: 'q', candidateId: '#a', jobOrderId: '#o', onetCode, startDate: toDay(-10) },
  ],
};

/** Lists texts of a page that show a value outside of an element that isolates it. */
const listLoose = (page: Page) =>
  page.evaluate(() => {
    const loose: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent!.trim();
      const around = node.parentElement!.closest('bdi, [dir=auto]');
      if (/[\u0590-\u05ff]/.test(text) && around?.textContent?.trim() !== text) loose.push(text);
    }
    return loose;
  });

async function holds(page: Page, value: string): Promise<void> {
  await page.getByText(value).first().waitFor();
  assert.equal(await listLoose(page), []);
}

isolation('in the lists and records of a workspace', async () => {
  const { page, candidates, jobOrders, placements, agent } = await openFilled(browser, {}, batch);
  await agent('PATCH', '/placements/%23p', { status: 'interviewing', reason });
  await holds(page, name);
  for (const [{ id }, value] of [
    [candidates[0], title],
    [jobOrders[0], phrase],
    [placements[0], reason],
  ] as const) {
    await page.goto(`${browser.origin}/workspace.html#${id}`);
    await holds(page, value);
  }
});

isolation('in matches, and in the title of the form that proposes one', async () => {
  const { page, jobOrders } = await openFilled(browser, {}, batch);
  await page.goto(`${browser.origin}/workspace.html#${jobOrders[0].id}`);
  await page.locator('[aria-labelledby=group-fitting] .fit-open').first().click();
  await page.getByRole('button', { name: 'Place without a proposal' }).click();
  await holds(page, name);
});

isolation('on a shortlist and on a confirmation', async () => {
  const { workspace, agent } = await openFilled(browser, {}, batch);
  const { shortlist } = (await agent('POST', '/job-orders/%23o/shortlist', {})).body;
  const decide = await browser.open(`/shortlist.html#${shortlist.token}`, {});
  await holds(decide, name);

  await agent('POST', '/placements/%23q/outcome', { result: 'retained' });
  const { confirmation } = (await agent('POST', '/placements/%23q/confirmations', { party: 'client' })).body;
  const confirm = await browser.open(`/confirm.html#${confirmation.token}`, {});
  await holds(confirm, client);
  await sendAnswer(confirm, 'Yes', comment);
  await holds(confirm, comment);

  const page = await browser.open('/workspace.html', {});
  await openById(page, workspace);
  const { id } = (await asAgent(browser.origin, workspace, 'GET', '/placements/%23q')).body.placement;
  await page.goto(`${browser.origin}/workspace.html#${id}`);
  await holds(page, comment);
});

isolation.run();
