import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isReached, startBrowser } from '../support/browser.ts';
import { proposeTwo } from '../support/shortlist-page.ts';

const refused = suite('a shortlist page refuses or is refused');
const browser = await startBrowser(refused);

/** Proposes two people, and opens the page. `prepare` runs before its scripts. */
async function openProposed(prepare?: () => void) {
  const proposed = await proposeTwo(browser.origin);
  const page = await browser.open('/favicon.ico');
  if (prepare) await page.addInitScript(prepare);
  await page.goto(`${browser.origin}/shortlist.html#${proposed.token}`);
  await page.getByText('2 of 2 to decide').waitFor();
  return { ...proposed, page, interview: page.getByRole('button', { name: 'Interview Ann Sample' }) };
}

/** Replies to the decisions of a page. Calls that read go on. */
const replyToDecision = (page: Page, status: number, json: object) =>
  page.route('**/shortlist', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status, json }) : route.continue(),
  );

const annFault = (page: Page) => page.locator('.fit-row', { hasText: 'Ann Sample' }).locator('.fault');

refused('a failing store is named in the card', async () => {
  const { page, interview } = await openProposed();
  await replyToDecision(page, 503, { type: 'BLOCKED', reason: 'The store is away.' });
  await interview.click();
  await isReached(annFault(page).filter({ hasText: 'The store is away.' }));
});

refused('says in the card why a decline cannot be undone if the job has no room for it', async () => {
  const { page, interview } = await openProposed();
  await interview.click();
  const undo = page.getByRole('button', { name: 'Undo Ann Sample' });
  await undo.waitFor();
  await replyToDecision(page, 409, { type: 'BLOCKED', code: 'too_many_proposals' });
  await undo.click();
  await isReached(annFault(page).filter({ hasText: 'As many people are proposed as the job takes' }));
});

refused('says so if the link is wrong', async () => {
  const page = await browser.open(`/shortlist.html#sl_${'0'.repeat(32)}`, {});
  await page.getByText('This link is not known here').waitFor();
});

const replace = ({ agent }: Awaited<ReturnType<typeof openProposed>>) =>
  agent('POST', '/job-orders/%23o/shortlist', { replace: true });

refused('a link that was replaced is said so in the card', async () => {
  const opened = await openProposed();
  await replace(opened);
  await opened.interview.click();
  await isReached(annFault(opened.page).filter({ hasText: 'This link is not known here' }));
});

refused('forgets the token of a link that was replaced', async () => {
  const opened = await openProposed();
  await replace(opened);
  await opened.interview.click();
  await annFault(opened.page).waitFor();
  assert.is(await opened.page.evaluate(() => localStorage.getItem('careers/shortlist')), '[]');
});

/** Decides while the link is replaced, so that the decision is refused and then the list cannot be read. */
async function loseLink() {
  const opened = await openProposed();
  await replyToDecision(opened.page, 412, { type: 'BLOCKED', code: 'changed' });
  await replace(opened);
  await opened.interview.click();
  const verdict = opened.page.locator('[data-verdict]', { hasText: 'This link is not known here' });
  await verdict.waitFor();
  return { ...opened, verdict };
}

refused('the verdict has the focus if the list cannot be read after a decision', async () => {
  const { verdict } = await loseLink();
  await isReached(verdict);
});

refused('nothing is counted if the list cannot be read after a decision', async () => {
  const { page, verdict } = await loseLink();
  await isReached(verdict);
  assert.is(await page.locator('[data-left]').isVisible(), false);
});

/** Has the browser refuse to store anything. */
function refuseStorage(): void {
  Object.defineProperty(globalThis, 'localStorage', {
    get() {
      throw new DOMException('Storage is not allowed.', 'SecurityError');
    },
  });
}

refused('takes decisions in a browser that stores nothing', async () => {
  const { page, interview, read } = await openProposed(refuseStorage);
  await interview.click();
  await page.getByText('You asked for an interview.').waitFor();
  assert.is((await read('a')).status, 'interviewing');
});

refused('leaves the token in the address if the browser stores nothing', async () => {
  const { page, token } = await openProposed(refuseStorage);
  assert.is(new URL(page.url()).hash, `#${token}`);
});

for (const damaged of ['what', '{}', '5', '["what"]', 'null'])
  refused(`opens a link although the browser holds ${damaged} for its tokens`, async () => {
    const { token } = await proposeTwo(browser.origin);
    const page = await browser.open('/favicon.ico');
    await page.goto(`${browser.origin}/404.html`);
    await page.evaluate((text) => localStorage.setItem('careers/shortlist', text), damaged);
    await page.goto(`${browser.origin}/shortlist.html#${token}`);
    await page.getByText('2 of 2 to decide').waitFor();
    assert.match(new URL(page.url()).hash, /^#kept-/);
  });

refused.run();
