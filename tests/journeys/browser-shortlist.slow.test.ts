import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { holdToWidth, isReached, startBrowser } from '../support/browser.ts';
import { proposeTwo, title } from '../support/shortlist-page.ts';

const shortlist = suite('people decide on a page');
const browser = await startBrowser(shortlist);

/** Proposes two people, and opens the page. */
async function openProposed(options: object = {}) {
  const proposed = await proposeTwo(browser.origin);
  const page = await browser.open(`/shortlist.html#${proposed.token}`, options);
  await page.getByText('2 of 2 to decide').waitFor();
  return { ...proposed, page };
}

/** The page before a decision, for tests that change nothing. */
const useProposed = browser.share(() => openProposed());

shortlist('takes the token out of the address', async () => {
  const { page, token } = await useProposed();
  assert.not.match(page.url(), token);
});

for (const words of ['Meets 1 of 1 must-haves', 'Missing 1 of 1: RN license - PA', 'from 4 Jan 2027'])
  shortlist(`says of a person: ${words}`, async () => {
    const { page } = await useProposed();
    await page.getByText(words).waitFor();
  });

/** Asks for an interview of Ann with the keyboard. */
async function interviewAnn() {
  const opened = await openProposed();
  await opened.page.getByRole('button', { name: 'Interview Ann Sample' }).press('Enter');
  const card = opened.page.locator('.decided', { hasText: 'You asked for an interview.' });
  await card.waitFor();
  return { ...opened, card };
}

const useInterview = browser.share(interviewAnn);

shortlist('an interview by keyboard folds the card, which gets the focus', async () => {
  const { card } = await useInterview();
  await isReached(card);
});

shortlist('an interview moves the placement', async () => {
  const { read } = await useInterview();
  assert.is((await read('a')).status, 'interviewing');
});

shortlist('an interview is kept as a move by the link', async () => {
  const { read } = await useInterview();
  assert.is((await read('a')).transitions[0].by, 'shortlist');
});

shortlist('an interview counts as decided, and its person is among those who are', async () => {
  const { page } = await useInterview();
  await page.getByText('1 of 2 to decide').waitFor();
  await page.getByRole('region', { name: 'Decided 1' }).getByText('You asked').waitFor();
});

shortlist('a decision is shown after the page is loaded again', async () => {
  const { page, card } = await interviewAnn();
  await page.reload();
  await card.waitFor();
});

/** Declines Bo with the keyboard, for a reason. */
async function declineBo() {
  const opened = await openProposed();
  const { page } = opened;
  await page.getByRole('button', { name: 'Decline Bo Sample' }).press('Enter');
  const reason = page.getByLabel('Reason, if you like');
  await isReached(reason);
  await reason.fill('Days only.');
  await page.keyboard.press('Enter');
  const card = page.locator('.decided', { hasText: 'You declined.' });
  await card.waitFor();
  return { ...opened, card };
}

const useDecline = browser.share(declineBo);

shortlist('a decline by keyboard folds the card, which gets the focus', async () => {
  const { card } = await useDecline();
  await isReached(card);
});

shortlist('a decline keeps its reason with the move', async () => {
  const { read } = await useDecline();
  assert.is((await read('b')).transitions[0].reason, 'Days only.');
});

shortlist('shows what changed meanwhile before a decision, in the card', async () => {
  const { page, read, promote } = await openProposed();
  await promote();
  await page.getByRole('button', { name: 'Interview Bo Sample' }).click();
  const card = page.locator('.fit-row', { hasText: 'Bo Sample' });
  await isReached(card.locator('.fault', { hasText: 'Something changed while you read.' }));
  await card.getByText('Charge nurse').waitFor();
  assert.is((await read('b')).status, 'proposed');
  await page.getByRole('button', { name: 'Interview Bo Sample' }).click();
  await page.getByText('You asked for an interview.').waitFor();
});

shortlist('hides the score until the reader asks why', async () => {
  const { page } = await openProposed();
  const score = page.getByText(/^Fits \d+ of 100/).first();
  await score.waitFor({ state: 'attached' });
  assert.is(await score.isVisible(), false);
  await page.getByText('Why', { exact: true }).first().click();
  await score.waitFor();
});

shortlist('shows no status box beside the people', async () => {
  const { page } = await useProposed();
  assert.is(await page.locator('[data-verdict]').isVisible(), false);
});

const reasonField = 'Reason, if you like';

shortlist('shows no field for a reason before Decline', async () => {
  const { page } = await useProposed();
  assert.is(await page.getByLabel(reasonField).count(), 0);
});

/** Opens the field for a reason, and closes it again. */
async function openAndClose() {
  const opened = await openProposed();
  const decline = opened.page.getByRole('button', { name: 'Decline Ann Sample' });
  await decline.click();
  await opened.page.getByLabel(reasonField).waitFor();
  await opened.page.getByRole('button', { name: 'Back' }).click();
  return { ...opened, decline };
}

const useClosed = browser.share(openAndClose);

shortlist('Back closes the field for a reason', async () => {
  const { page } = await useClosed();
  await page.getByLabel(reasonField).waitFor({ state: 'detached' });
});

shortlist('Back returns to Decline', async () => {
  const { decline } = await useClosed();
  await isReached(decline);
});

const phone = { viewport: { width: 390, height: 844 } };

const usePhone = browser.share(() => openProposed(phone));

shortlist('shows the first person near the top of a phone', async () => {
  const { page } = await usePhone();
  const { y } = (await page.locator('.fit-row').first().boundingBox())!;
  assert.ok(y <= 320, `y is ${y}`);
});

shortlist('shows no navigation', async () => {
  const { page } = await usePhone();
  assert.is(await page.locator('nav').count(), 0);
});

shortlist('keeps the job in view beside the people in a wide window', async () => {
  const { page } = await openProposed({ viewport: { width: 1440, height: 500 } });
  await page.getByText('Must have', { exact: true }).waitFor();
  await page.evaluate(() => scrollTo(0, 150));
  const { y } = (await page.getByRole('heading', { level: 1, name: title }).boundingBox())!;
  assert.is(Math.round(y), 24);
});

shortlist('keeps the count in view at the foot of the window', async () => {
  const { page } = await openProposed({ viewport: { width: 390, height: 500 } });
  const { y, height } = (await page.locator('.left').boundingBox())!;
  assert.is(Math.round(y + height), 500);
});

/** Opens the page as it is printed. */
async function openOnPaper() {
  const opened = await openProposed();
  await opened.page.emulateMedia({ media: 'print' });
  return opened;
}

const usePaper = browser.share(openOnPaper);

shortlist('prints the people as a list', async () => {
  const { page } = await usePaper();
  for (const name of ['Ann Sample', 'Bo Sample'])
    assert.ok(await page.getByRole('heading', { name }).isVisible(), name);
});

shortlist('prints no buttons', async () => {
  const { page } = await usePaper();
  assert.is(await page.getByRole('button').count(), 0);
});

shortlist('prints no count', async () => {
  const { page } = await usePaper();
  assert.is(await page.locator('.left').isVisible(), false);
});

shortlist('a bookmark opens the list again on the same device', async () => {
  const { page } = await openProposed();
  const bookmark = page.url();
  assert.match(bookmark, /#kept-[\da-f]{12}$/);
  const later = await page.context().newPage();
  await page.close();
  await later.goto(bookmark);
  await later.getByText('2 of 2 to decide').waitFor();
});

shortlist('a bookmark of another device says to open the link', async () => {
  const { page } = await useProposed();
  const other = await browser.open(`/shortlist.html${new URL(page.url()).hash}`, {});
  await other.getByText('A bookmark works only on the device where the link was opened.').waitFor();
});

/** Declines Bo for a reason while the device is offline. */
async function declineOffline() {
  const opened = await openProposed({ viewport: { width: 390, height: 600 } });
  const { page } = opened;
  const decline = page.getByRole('button', { name: 'Decline Bo Sample' });
  await decline.click();
  await page.getByLabel(reasonField).fill('Days only.');
  await page.context().setOffline(true);
  await decline.click();
  const fault = page.locator('.fit-row', { hasText: 'Bo Sample' }).locator('.fault');
  await fault.filter({ hasText: 'network is gone' }).waitFor();
  // The request that failed while it was offline.
  browser.faults.length = 0;
  return { ...opened, decline, fault };
}

const useOffline = browser.share(declineOffline);

shortlist('offline, the card says that nothing was sent, in view and with the focus', async () => {
  const { fault } = await useOffline();
  await isReached(fault);
});

shortlist('offline, the reason stays in its field', async () => {
  const { page } = await useOffline();
  assert.is(await page.getByLabel(reasonField).inputValue(), 'Days only.');
});

shortlist('offline, nothing is said beside the people', async () => {
  const { page } = await useOffline();
  assert.is(await page.locator('[data-verdict]').isVisible(), false);
});

shortlist('a decision that was not sent can be sent again', async () => {
  const { page, decline, read } = await declineOffline();
  await page.context().setOffline(false);
  await decline.click();
  await page.getByText('You declined.').waitFor();
  assert.is((await read('b')).transitions[0].reason, 'Days only.');
  browser.faults.length = 0;
});

const longNames = {
  Latin: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3),
  Arabic: 'عبد الرحمن القحطاني '.repeat(5).trim(),
  Thai: 'กรุงเทพมหานครอมรรัตนโกสินทร์'.repeat(3),
  Japanese: '寿限無寿限無五劫の擦り切れ'.repeat(6),
};

for (const [script, name] of Object.entries(longNames))
  shortlist(`a long name in ${script} letters leaves the page readable`, async () => {
    const { token } = await proposeTwo(
      browser.origin,
      { name },
      { title: name.slice(0, 100), client: name.slice(0, 100) },
    );
    const page = await browser.open(`/shortlist.html#${token}`, { viewport: { width: 320, height: 640 } });
    await page.getByRole('heading', { level: 3, name }).waitFor();
    await holdToWidth(page);
    const { width } = (await page
      .getByRole('button', { name: /^Interview/ })
      .first()
      .boundingBox())!;
    assert.ok(width < 160, `a button is ${width} wide`);
  });

shortlist.run();
