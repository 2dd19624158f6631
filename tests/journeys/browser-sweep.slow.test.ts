import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { judge, startBrowser, templates } from '../support/browser.ts';
import { readLayoutShift, watchLayoutShift } from '../support/layout-shift.ts';
import { falsify, signAt } from '../support/receipts.ts';
import { asAgent, chooseAction, fillByMcp, fillMany, openById, openTab } from '../support/workspace-page.ts';

/**
 * With SWEEP=whole, which takes five minutes, checks every state with axe in both themes and takes pictures.
 * Otherwise checks each third state in one theme.
 */
const isWhole = process.env.SWEEP === 'whole';
/** Folder for pictures that people look at. */
const shots = join(import.meta.dirname, '..', '..', '.shots');
if (isWhole) mkdirSync(shots, { recursive: true });
const sweep = suite('every page in every state');
const browser = await startBrowser(sweep, { RECORD_CEILING: '2000', METER: 'count' });
const receipt = await signAt(browser.dataDir, browser.origin);
/** What the states show: workspaces, an order in one, and links for other people. */
let world: { filled: string; many: string; order: string; person: string; links: Record<string, string> };

sweep.before(async () => {
  const { workspace: filled, candidates, jobOrders, placements } = await fillByMcp(browser.origin);
  const post = async (path: string, body: object) =>
    (await asAgent(browser.origin, filled, 'POST', path, body)).body;
  const [{ id: person, onetCode }, { id: order }] = [candidates[0], jobOrders[0]];
  await post('/placements', { candidateId: person, jobOrderId: order, onetCode, status: 'proposed' });
  await post(`/placements/${placements[0].id}/outcome`, { result: 'retained' });
  const { confirmation } = await post(`/placements/${placements[0].id}/confirmations`, { party: 'client' });
  const { shortlist } = await post(`/job-orders/${order}/shortlist`, {});
  const { claim } = await post('/workspace/claim', {});
  const links = { confirm: confirmation.url, shortlist: shortlist.url, claim: claim.url };
  const many = await fillMany(browser.origin, 1000);
  world = { filled, many, order, person, links };
});

type Act = (page: Page) => Promise<unknown>;

/** Opens a workspace, at its lists or at what follows the `#`. */
const inWorkspace =
  (then: Act, toHash = () => 'candidates', toId = () => world.filled): Act =>
  async (page) => {
    await page.goto(`${browser.origin}/workspace.html`);
    await openById(page, toId());
    await page.evaluate((hash) => (location.hash = hash), toHash());
    await then(page);
  };
const failing = (path: string, status = 503) => {
  const json = { type: 'BLOCKED', reason: 'The store does not answer just now.' };
  return (page: Page) => page.route(path, (route) => route.fulfill({ status, json }));
};
const shows = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor();
const presses = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const chooses = (words: string) => (page: Page) => chooseAction(page, words);
const follows = (link: string) => (page: Page) => page.goto(world.links[link]!);
const opens = (path: string) => (page: Page) => page.goto(browser.origin + path);
const inOrder =
  (...acts: Act[]): Act =>
  async (page) => {
    for (const act of acts) await act(page);
  };
const wrong = (page: string, token: string) =>
  inOrder(opens(`/${page}.html#${token}_${'0'.repeat(32)}`), shows('This link is not known here'));
const failed = (page: string, path: string) =>
  inOrder(failing(path), follows(page), shows('does not answer just now'));
const record = (toId: () => string, ...acts: Act[]) =>
  inWorkspace(
    inOrder((page) => page.locator('#record-name').waitFor(), ...acts),
    toId,
  );

const states: Record<string, Act> = {
  ...Object.fromEntries(Object.entries(templates).map(([name, path]) => [name, opens(path)])),
  'home, a client': inOrder(opens('/#connect'), (page) => page.getByRole('tab', { name: 'Python' }).click()),
  'home, a desk refused': inOrder(
    failing('**/batch'),
    opens('/'),
    presses('Open an example'),
    shows('does not answer just now'),
  ),
  'home, an answer': inOrder(opens('/#console'), presses('Send GET'), shows(/\d ms,/)),
  'occupations, found': inOrder(opens('/occupations.html?q=nurse'), shows('29-1141.00')),
  'occupations, none': inOrder(opens('/occupations.html?q=zzqxv'), shows('No occupation fits')),
  'api, one open': opens('/api.html#createBatch'),
  'verify, run': inOrder(opens('/verify.html'), presses(/^Run/), shows(/^All \d+ passed/)),
  'receipt, certified': inOrder(opens(`/receipt.html#${receipt}`), shows('Checked here')),
  'receipt, refused': inOrder(opens(`/receipt.html#${falsify(receipt)}`), shows('It does not hold')),
  'workspace, refused': inOrder(
    opens('/workspace.html'),
    (page) => page.getByLabel('Workspace id').fill('what'),
    presses(/^Open$/),
    shows('This is not a workspace id'),
  ),
  'workspace, filled': inWorkspace(shows('Filters')),
  'workspace, filters': inWorkspace(presses('Filters')),
  'workspace, selected': inWorkspace(
    inOrder((page) => page.getByLabel('Select all on this page').check(), shows('2 selected')),
  ),
  'workspace, searched': inWorkspace(
    inOrder((page) => page.getByRole('combobox').fill('example'), shows(/^\d+ candidates?, 1 job order/)),
  ),
  'workspace, none': inWorkspace(shows('No candidate fits'), () => 'candidates?q=zzqxv'),
  'workspace, 1,000': inWorkspace(
    shows('1 to 50 of 1,000'),
    () => 'candidates',
    () => world.many,
  ),
  'workspace, 1,000 sorted': inWorkspace(
    shows('1 to 50 of 1,000'),
    () => 'candidates?sort=name',
    () => world.many,
  ),
  'workspace, a failing list': inWorkspace(
    inOrder(
      failing('**/job-orders?*'),
      (page) => openTab(page, 'Job orders'),
      shows('does not answer just now'),
    ),
  ),
  'workspace, offline': inWorkspace((page) =>
    page
      .context()
      .setOffline(true)
      .then(() => shows('The network is gone')(page)),
  ),
  'the board': inWorkspace(shows('on the board'), () => 'placements?view=board'),
  'an order': record(() => world.order, shows('Not proposed')),
  'a person': record(() => world.person),
  'a person, edited': record(() => world.person, presses('Edit')),
  'a person, deleted?': record(() => world.person, chooses('Delete candidate')),
  'a record that is gone': inWorkspace(shows('Not here'), () => 'cand_0000000000000000'),
  'confirm, asked': inOrder(follows('confirm'), shows('You see your answer once more')),
  'confirm, before it is sent': inOrder(follows('confirm'), presses('Yes'), shows('Nothing is sent yet')),
  'confirm, wrong': wrong('confirm', 'cnf'),
  'confirm, failing': failed('confirm', '**/confirmation'),
  'shortlist, asked': inOrder(follows('shortlist'), shows('to decide')),
  'shortlist, wrong': wrong('shortlist', 'sl'),
  'shortlist, failing': failed('shortlist', '**/shortlist'),
  'claim, asked': inOrder(follows('claim'), shows('Compare the code')),
  'claim, wrong': wrong('claim', 'clm'),
  'claim, failing': failed('claim', '**/claim'),
};

/**
 * Presses Tab. Each press must move on in the order of the page, to a visible element with a visible focus.
 */
async function walk(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(globalThis, { before: undefined }));
  for (let press = 0; press < 20; press += 1) {
    await page.keyboard.press('Tab');
    const faults = await page.evaluate(() => {
      const at = document.activeElement!;
      const own = globalThis as unknown as { before: Element | undefined };
      // A date field has the focus several times, and shows it inside.
      const isOn = !own.before || own.before === at || (own.before.compareDocumentPosition(at) & 4) !== 0;
      own.before = at;
      if (at === document.body) return 'end';
      const { top, bottom } = at.getBoundingClientRect();
      const { outlineStyle } = getComputedStyle(at.closest('label.button') ?? at);
      const isSeen =
        (outlineStyle !== 'none' || at.matches('[type=date]')) && bottom > 0 && top < innerHeight;
      return isOn && isSeen ? '' : `${isOn ? 'not seen' : 'a step back'}: ${at.outerHTML.slice(0, 120)}`;
    });
    if (faults === 'end') return;
    assert.is(faults, '');
  }
}

/** Lists elements of the page that cut off their content, on paper. */
const readCut = () =>
  [...document.querySelectorAll<HTMLElement>('main *')]
    .filter(
      (element) => element.matches(':not(.unseen, textarea, input, svg *)') && element.checkVisibility(),
    )
    .filter(
      ({ scrollWidth, scrollHeight, clientWidth, clientHeight }) =>
        clientWidth > 0 && (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1),
    )
    .filter((element) => !/visible/.test(getComputedStyle(element).overflow))
    .map((element) => element.outerHTML.slice(0, 120));

/** Lists controls of which only the text is visible if a browser removes the colours. */
const readFaded = () =>
  [...document.querySelectorAll('button, .button, input, select, textarea')]
    .filter((control) => control.checkVisibility() && !control.matches('.unseen'))
    .filter((control) => {
      const { borderTopStyle, textDecorationLine, appearance } = getComputedStyle(control);
      return borderTopStyle === 'none' && textDecorationLine === 'none' && appearance === 'none';
    })
    .map((control) => control.outerHTML.slice(0, 120));

/** The window of 1280 by 800 at 200 % and at 400 %, on paper, and as it is. */
const sizes = { full: [1280, 800], twice: [640, 400], fourfold: [320, 200], paper: [720, 1000] } as const;
const resize = (page: Page, size: keyof typeof sizes) =>
  page.setViewportSize({ width: sizes[size][0], height: sizes[size][1] });

for (const [index, [name, act]] of Object.entries(states).entries()) {
  if (!isWhole && index % 3 > 0) continue;
  sweep(name, async () => {
    const page = await browser.open('/404.html', {
      viewport: { width: 1280, height: 800 },
    });
    const path = join(shots, `sweep-${name.replaceAll(/\W+/g, '-')}`);
    await watchLayoutShift(page);
    await act(page);
    await page.locator('html[data-service]').waitFor();
    const shift = await readLayoutShift(page);
    const most = name in templates ? 0.01 : /, asked$|^receipt/.test(name) ? 0.02 : 1;
    assert.ok(shift < most, `moves by ${shift}`);
    assert.is(await page.locator('[style]').count(), 0);
    if (isWhole || index % 2 === 0) await judge(page);
    if (isWhole) await page.screenshot({ path: `${path}-light-100.png` });
    await walk(page);
    assert.is(await page.evaluate(() => document.getAnimations().length), 0, 'nothing moves by itself');
    await page.emulateMedia({ forcedColors: 'active' });
    assert.equal(await page.evaluate(readFaded), []);
    await page.emulateMedia({ forcedColors: null, media: 'print' });
    await resize(page, 'paper');
    assert.equal(await page.evaluate(readCut), []);
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await resize(page, 'twice');
    const [wide, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide! <= width!, 'at 200 %');
    await resize(page, 'fourfold');
    if (isWhole || index % 2 === 1) await judge(page);
    if (isWhole) await page.screenshot({ path: `${path}-dark-400.png` });
    // Requests that failed while it was offline.
    if (name === 'workspace, offline') browser.faults.length = 0;
  });
}

sweep.run();
