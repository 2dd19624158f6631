import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isReached, judge, looks, startBrowser } from '../support/browser.ts';
import { proposeTwo, title } from '../support/shortlist-page.ts';

const shortlist = suite('people decide on a page');
const browser = await startBrowser(shortlist);
const reasonField = 'Reason, if you like';
const propose = () => proposeTwo(browser.origin);

/** Proposes two people, and opens the page. */
async function openProposed(options: object = {}) {
  const proposed = await propose();
  const page = await browser.open(`/shortlist.html#${proposed.token}`, options);
  await page.getByText('2 of 2 to decide').waitFor();
  return { ...proposed, page };
}

for (const look of looks) {
  shortlist(`has nothing that axe finds, at each step, ${look.colorScheme}`, async () => {
    const { page } = await openProposed(look);
    await judge(page);
    await page.getByRole('button', { name: 'Interview Ann Sample' }).click();
    await page.getByRole('button', { name: 'Decline Bo Sample' }).click();
    await page.getByLabel('Reason, if you like').waitFor();
    await judge(page);
    await page.getByRole('button', { name: 'Decline Bo Sample' }).click();
    await page.getByText('All are decided.').waitFor();
    await judge(page);
  });
}

shortlist('says of each person what is met, what is missing and when it begins', async () => {
  const { page } = await openProposed();
  for (const words of ['Meets 1 of 1 must-haves', 'Missing 1 of 1: RN license - PA', 'from 4 Jan 2027'])
    await page.getByText(words).waitFor();
});

shortlist('an interview by keyboard folds the card, which gets the focus, and is kept', async () => {
  const { page, read } = await openProposed();
  await page.getByRole('button', { name: 'Interview Ann Sample' }).press('Enter');
  const card = page.locator('.decided', { hasText: 'You asked for an interview.' });
  await card.waitFor();
  await isReached(card);
  await page.getByText('1 of 2 to decide').waitFor();
  const { status, transitions } = await read('a');
  assert.is(status, 'interviewing');
  assert.is(transitions[0].by, 'shortlist');
  await page.reload();
  await card.waitFor();
});

shortlist('a decline by keyboard folds the card, which gets the focus, and keeps its reason', async () => {
  const { page, read } = await openProposed();
  await page.getByRole('button', { name: 'Decline Bo Sample' }).press('Enter');
  const reason = page.getByLabel(reasonField);
  await isReached(reason);
  await reason.fill('Days only.');
  await page.keyboard.press('Enter');
  const card = page.locator('.decided', { hasText: 'You declined.' });
  await card.waitFor();
  await isReached(card);
  assert.is((await read('b')).transitions[0].reason, 'Days only.');
});

shortlist('shows what changed meanwhile before a decision, in the card', async () => {
  const { token, read, promote } = await propose();
  const page = await browser.open(`/shortlist.html#${token}`, {});
  await page.getByText('2 of 2 to decide').waitFor();
  await promote();
  await page.getByRole('button', { name: 'Interview Bo Sample' }).click();
  const card = page.locator('.person', { hasText: 'Bo Sample' });
  await isReached(card.locator('.fault', { hasText: 'Something changed while you read.' }));
  await card.getByText('Charge nurse').waitFor();
  assert.is((await read('b')).status, 'proposed');
  await page.getByRole('button', { name: 'Interview Bo Sample' }).click();
  await page.getByText('You asked for an interview.').waitFor();
});

shortlist('hides the score until the reader asks why', async () => {
  const { token } = await propose();
  const page = await browser.open(`/shortlist.html#${token}`, {});
  const score = page.getByText(/^Fits \d+ of 100/).first();
  await score.waitFor({ state: 'attached' });
  assert.is(await score.isVisible(), false);
  await page.getByText('Why', { exact: true }).first().click();
  await score.waitFor();
});

shortlist('asks for a reason only after Decline, and Back returns to it', async () => {
  const { page } = await openProposed();
  assert.is(await page.getByLabel(reasonField).count(), 0);
  const decline = page.getByRole('button', { name: 'Decline Ann Sample' });
  await decline.click();
  await page.getByLabel(reasonField).waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel(reasonField).waitFor({ state: 'detached' });
  await isReached(decline);
});

shortlist(
  'shows the first person near the top of a phone, and neither navigation nor a status box',
  async () => {
    const { page } = await openProposed({ viewport: { width: 390, height: 844 } });
    const { y } = (await page.locator('.person').first().boundingBox())!;
    assert.ok(y <= 320, `y is ${y}`);
    assert.is(await page.locator('nav').count(), 0);
    assert.is(await page.locator('[data-verdict]').isVisible(), false);
  },
);

shortlist('keeps the job in view beside the people in a wide window', async () => {
  const { token } = await propose();
  const page = await browser.open(`/shortlist.html#${token}`, { viewport: { width: 1440, height: 500 } });
  await page.getByText('2 of 2 to decide').waitFor();
  await page.getByText('Must have', { exact: true }).waitFor();
  await page.evaluate(() => scrollTo(0, 150));
  const { y } = (await page.getByRole('heading', { level: 1, name: title }).boundingBox())!;
  assert.is(Math.round(y), 24);
});

shortlist('keeps the count in view at the foot of the window', async () => {
  const { token } = await propose();
  const page = await browser.open(`/shortlist.html#${token}`, { viewport: { width: 390, height: 500 } });
  const { y, height } = (await page.locator('.left').boundingBox())!;
  assert.is(Math.round(y + height), 500);
});

shortlist('prints the people as a list, without buttons and the count', async () => {
  const { page } = await openProposed();
  await page.emulateMedia({ media: 'print' });
  for (const name of ['Ann Sample', 'Bo Sample'])
    assert.ok(await page.getByRole('heading', { name }).isVisible(), name);
  assert.is(await page.getByRole('button').count(), 0);
  assert.is(await page.locator('.left').isVisible(), false);
});

shortlist('a bookmark opens the list again on the same device', async () => {
  const { token } = await propose();
  const page = await browser.open(`/shortlist.html#${token}`, {});
  await page.getByText('2 of 2 to decide').waitFor();
  assert.not.match(page.url(), token, 'the address does not keep the token');
  const bookmark = page.url();
  assert.match(bookmark, /#kept-[\da-f]{12}$/);
  const later = await page.context().newPage();
  await page.close();
  await later.goto(bookmark);
  await later.getByText('2 of 2 to decide').waitFor();
});

shortlist('a bookmark of another device says to open the link', async () => {
  const { token } = await propose();
  const page = await browser.open(`/shortlist.html#${token}`, {});
  await page.getByText('2 of 2 to decide').waitFor();
  const other = await browser.open(`/shortlist.html${new URL(page.url()).hash}`, {});
  await other.getByText('A bookmark works only on the device where the link was opened.').waitFor();
});

shortlist('offline, a decision stays in its card, and can be sent again', async () => {
  const { page, read } = await openProposed({ viewport: { width: 390, height: 600 } });
  const decline = page.getByRole('button', { name: 'Decline Bo Sample' });
  await decline.click();
  await page.getByLabel(reasonField).fill('Days only.');
  await page.context().setOffline(true);
  await decline.click();
  const fault = page.locator('.person', { hasText: 'Bo Sample' }).locator('.fault');
  await fault.filter({ hasText: 'could not be reached' }).waitFor();
  await isReached(fault);
  await judge(page);
  assert.is(await page.getByLabel(reasonField).inputValue(), 'Days only.');
  assert.is(await page.locator('[data-verdict]').isVisible(), false, 'nothing is said beside the people');
  await page.context().setOffline(false);
  await decline.click();
  await page.getByText('You declined.').waitFor();
  assert.is((await read('b')).transitions[0].reason, 'Days only.');
  // The request that failed while it was offline.
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
    await page.getByRole('heading', { level: 2, name }).waitFor();
    await judge(page);
    const { width } = (await page
      .getByRole('button', { name: /^Interview/ })
      .first()
      .boundingBox())!;
    assert.ok(width < 160, `a button is ${width} wide`);
  });

shortlist.run();
