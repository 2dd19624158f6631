import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import run from '../../content/agent-run.json' with { type: 'json' };
import { signReceipt } from '../../src/placements/sign-receipt.ts';
import { startBrowser, templates } from '../support/browser.ts';
import { giveDevice, offerClaim } from '../support/claim-page.ts';
import { stateForClient } from '../support/confirm-page.ts';
import { readLayoutShift, watchLayoutShift } from '../support/layout-shift.ts';
import { facts, falsify, makeSigner, signAt } from '../support/receipts.ts';
import { proposeTwo } from '../support/shortlist-page.ts';
import { checkState, forgetFailedRequests, sweepLook } from '../support/sweep.ts';
import { press, step, stepToDecision } from '../support/watch-page.ts';
import { openTab } from '../support/workspace-page.ts';

const sweep = suite('every page in every state');
const browser = await startBrowser(sweep);
const receipt = await signAt(browser.dataDir, browser.origin);
const foreign = signReceipt({ ...facts, iss: browser.origin }, await makeSigner());
/** The longest ids, and all that a receipt can say of its parties. */
const longest = await signAt(browser.dataDir, browser.origin, {
  jti: 'W'.repeat(64),
  sub: 'M'.repeat(64),
  guaranteeDays: 90,
  disputedBy: ['client', 'candidate'],
});

/** Opens an empty page that watches how far the next ones move. */
async function openEmpty(): Promise<Page> {
  const page = await browser.open('/404.html', sweepLook);
  await watchLayoutShift(page);
  return page;
}

/** Opens an address, and asserts that the page moves by less than this until it shows some words. */
async function arrive(page: Page, path: string, mostShift: number, words?: string | RegExp): Promise<void> {
  await page.goto(browser.origin + path);
  await page.locator('html[data-service]').waitFor();
  if (words !== undefined) await shows(words)(page);
  const shift = await readLayoutShift(page);
  assert.ok(shift < mostShift, `moves by ${shift}`);
}

const useEmpty = browser.share(openEmpty);

for (const [name, path] of Object.entries(templates))
  sweep(name, async () => {
    const page = await useEmpty();
    await arrive(page, path, 0.01);
    await checkState(page, name);
  });

type Act = (page: Page) => Promise<unknown>;

const shows = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor();
const away = 'does not answer just now';
const presses = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const opens = (path: string) => (page: Page) => page.goto(browser.origin + path);
const failing = (path: string) => {
  const json = { type: 'BLOCKED', reason: 'The store does not answer just now.' };
  return (page: Page) => page.route(path, (route) => route.fulfill({ status: 503, json }));
};
const inOrder =
  (...acts: Act[]): Act =>
  async (page) => {
    for (const act of acts) await act(page);
  };
const wrong = (page: string, token: string) =>
  inOrder(opens(`/${page}.html#${token}_${'0'.repeat(32)}`), shows('This link is not known here'));
const showsReceipt = (text: string, words: string) => (page: Page) =>
  arrive(page, `/receipt.html#${text}`, 0.02, words);

/** States of pages that need no workspace. */
const states: Record<string, Act> = {
  'home, a client': inOrder(opens('/#connect'), (page) => page.getByRole('tab', { name: 'Python' }).click()),
  'home, an answer': inOrder(opens('/#console'), presses('Send GET'), shows(/\d ms,/)),
  'occupations, found': inOrder(opens('/occupations.html?q=nurse'), shows('29-1141.00')),
  'occupations, none': inOrder(opens('/occupations.html?q=zzqxv'), shows('No occupation fits')),
  'api, one open': opens('/api.html#createBatch'),
  'verify, run': inOrder(opens('/verify.html'), presses(/^Run/), shows(/^All \d+ passed/)),
  'receipt, certified': showsReceipt(receipt, 'Checked here'),
  'receipt, the longest ids': showsReceipt(longest, 'Checked here'),
  'receipt, refused': showsReceipt(falsify(receipt), 'It does not hold'),
  'receipt, an unknown key': showsReceipt(foreign, 'It names a key that is not among those'),
  'workspace, refused': inOrder(
    opens('/workspace.html'),
    (page) => page.getByLabel('Workspace id').fill('what'),
    presses(/^Open$/),
    shows('This is not a workspace id'),
  ),
  'confirm, wrong': wrong('confirm', 'cnf'),
  'shortlist, wrong': wrong('shortlist', 'sl'),
  'claim, wrong': wrong('claim', 'clm'),
};

for (const [name, act] of Object.entries(states))
  sweep(name, async () => {
    const page = await useEmpty();
    // A hash alone would not load the page again.
    await page.goto('about:blank');
    await act(page);
    await checkState(page, name);
  });

sweep('home, a desk refused', async () => {
  const page = await openEmpty();
  await failing('**/batch')(page);
  await page.goto(browser.origin);
  await presses('Open an example')(page);
  await shows(away)(page);
  await checkState(page, 'home, a desk refused');
});

/** The pages of a party, from a link to the last thing that can be done with it. */
const tours: Record<string, (page: Page, check: (state: string) => Promise<void>) => Promise<void>> = {
  async confirm(page, check) {
    const { token } = await stateForClient(browser.origin);
    await arrive(page, `/confirm.html#${token}`, 0.02, 'You see your answer once more');
    await check('asked');
    await page.getByRole('button', { name: 'Yes', exact: true }).click();
    await shows('Nothing is sent yet')(page);
    await check('before it is sent');
    await page.getByRole('button', { name: /^Send: / }).click();
    await shows('Answered on')(page);
    await check('answered');
    await failing('**/confirmation')(page);
    await page.reload();
    await shows(away)(page);
    await check('failing');
  },
  async shortlist(page, check) {
    const { token } = await proposeTwo(browser.origin);
    await arrive(page, `/shortlist.html#${token}`, 0.02, '2 of 2 to decide');
    await check('asked');
    await page.getByRole('button', { name: 'Interview Ann Sample' }).click();
    await page.getByRole('button', { name: 'Decline Bo Sample' }).click();
    await page.getByLabel('Reason, if you like').waitFor();
    await check('a reason');
    await page.getByRole('button', { name: 'Decline Bo Sample' }).click();
    await shows('All are decided.')(page);
    await check('decided');
    await page.getByRole('button', { name: 'Undo Ann Sample' }).click();
    await page.getByRole('button', { name: 'Interview Ann Sample' }).waitFor();
    await check('undone');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Interview Ann Sample' }).click();
    await page.locator('.fault', { hasText: 'network is gone' }).waitFor();
    await check('offline');
    await page.context().setOffline(false);
    await failing('**/shortlist')(page);
    await page.reload();
    await shows(away)(page);
    await check('failing');
  },
  async reviewer(page, check) {
    const { agent } = await proposeTwo(browser.origin);
    const sent = { reviewer: 'Dana Example' };
    const { shortlist } = await agent('POST', '/job-orders/%23o/shortlist', sent);
    await arrive(page, `/shortlist.html#${shortlist.token}`, 0.02, '2 of 2 to decide');
    await page.getByRole('button', { name: 'Comment Ann Sample' }).click();
    await page.getByLabel('Comment, for your colleagues and the sender').fill('Strong on nights.');
    await check('a comment');
    await page.getByRole('button', { name: 'Send the comment Ann Sample' }).click();
    await shows('Strong on nights.')(page);
    await check('commented');
  },
  async claim(page, check) {
    const { address, agent, filled } = await offerClaim(browser.origin);
    await giveDevice(page);
    await arrive(page, address, 0.02, 'Compare the code');
    await check('asked');
    await page.getByRole('button', { name: 'Claim with a new passkey' }).click();
    await shows('It is yours.')(page);
    await check('claimed');
    await page.getByRole('link', { name: 'See what is in it' }).click();
    await agent('PATCH', filled.candidates[1].links.self, { metro: 'Dayton, OH' });
    await openTab(page, 'Settings');
    await page.locator('[data-place=log]').getByText('by the agent').first().waitFor();
    await check('its settings');
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.locator('[data-place=owned] li').first().waitFor();
    await check('its owner');
    await failing('**/claim')(page);
    await page.goto(browser.origin + (await offerClaim(browser.origin)).address);
    await shows(away)(page);
    await check('failing');
  },
  async watch(page, check) {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await arrive(page, '/watch.html', 0.01);
    await stepToDecision(page);
    await check('your turn');
    await press(page, 'Decline');
    await step(page, run.steps.length + run.branches[1]!.steps.length);
    await page.getByRole('heading', { name: 'Now connect yours' }).waitFor();
    await check('its end');
    await page.goto(`${browser.origin}/watch.html`);
    await press(page, 'Watch it here');
    await shows('This browser remembers a workspace')(page);
    await check('remembered');
  },
};

for (const [name, tour] of Object.entries(tours))
  sweep(`${name}, step by step`, async () => {
    const page = await openEmpty();
    await tour(page, (state) => checkState(page, `${name}, ${state}`));
    forgetFailedRequests(browser.faults);
  });

sweep.run();
