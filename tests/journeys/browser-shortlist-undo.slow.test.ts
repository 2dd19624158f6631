import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isReached, startBrowser } from '../support/browser.ts';
import { proposeTwo } from '../support/shortlist-page.ts';

const undo = suite('people undo a decision on a page');
const browser = await startBrowser(undo);

const openPage = async () => {
  const proposed = await proposeTwo(browser.origin);
  const page = await browser.open(`/shortlist.html#${proposed.token}`);
  await page.getByText('2 of 2 to decide').waitFor();
  return { ...proposed, page, undoAnn: page.getByRole('button', { name: 'Undo Ann Sample' }) };
};

undo('opens the card again, with the focus in it', async () => {
  const { page, undoAnn, read } = await openPage();
  await page.getByRole('button', { name: 'Interview Ann Sample' }).click();
  await undoAnn.press('Enter');
  await isReached(page.locator('.fit-row', { hasText: 'Ann Sample' }).locator('.fit-who'));
  await page.getByRole('button', { name: 'Interview Ann Sample' }).waitFor();
  await page.getByText('2 of 2 to decide').waitFor();
  assert.is((await read('a')).status, 'proposed');
});

undo('allows another decision, and folds the card again', async () => {
  const { page, undoAnn, read } = await openPage();
  await page.getByRole('button', { name: 'Interview Ann Sample' }).click();
  await undoAnn.click();
  await page.getByRole('button', { name: 'Decline Ann Sample' }).click();
  await page.getByRole('button', { name: 'Decline Ann Sample' }).click();
  await isReached(page.locator('.decided', { hasText: 'You declined.' }));
  assert.is((await read('a')).status, 'declined');
});

undo('shows the button again after the page is loaded again', async () => {
  const { page, undoAnn } = await openPage();
  await page.getByRole('button', { name: 'Interview Ann Sample' }).click();
  await undoAnn.waitFor();
  await page.reload();
  await undoAnn.waitFor();
});

undo('the button disappears after ten minutes, and its card keeps the focus', async () => {
  const { page, undoAnn } = await openPage();
  await page.clock.install();
  await page.reload();
  await page.getByRole('button', { name: 'Interview Ann Sample' }).click();
  await undoAnn.focus();
  await page.clock.fastForward('10:02');
  await undoAnn.waitFor({ state: 'detached' });
  await isReached(page.locator('.decided', { hasText: 'You asked for an interview.' }));
});

for (const [clock, time] of [
  ['fast', '2040-01-01'],
  ['slow', '2001-01-01'],
] as const)
  undo(`the button stays ten minutes on a device whose clock is ${clock}`, async () => {
    const { page, undoAnn } = await openPage();
    await page.clock.install({ time });
    await page.reload();
    await page.getByRole('button', { name: 'Interview Ann Sample' }).click();
    await undoAnn.waitFor();
    await page.clock.fastForward('09:00');
    await undoAnn.waitFor();
    await page.clock.fastForward('01:02');
    await undoAnn.waitFor({ state: 'detached' });
  });

undo('says in the card if something followed, and offers no undo any more', async () => {
  const { page, undoAnn, agent } = await openPage();
  await page.getByRole('button', { name: 'Interview Ann Sample' }).click();
  await undoAnn.waitFor();
  await agent('PATCH', '/placements/%23a', { note: 'On Monday' });
  await undoAnn.click();
  const card = page.locator('.fit-row', { hasText: 'Ann Sample' });
  await isReached(card.locator('.fault', { hasText: 'Something changed while you read.' }));
  assert.is(await undoAnn.count(), 0);
});

undo('offline, the card says so, and the undo can be sent again', async () => {
  const { page, undoAnn, read } = await openPage();
  await page.getByRole('button', { name: 'Interview Ann Sample' }).click();
  await undoAnn.waitFor();
  await page.context().setOffline(true);
  await undoAnn.click();
  const card = page.locator('.fit-row', { hasText: 'Ann Sample' });
  await isReached(card.locator('.fault', { hasText: 'network is gone' }));
  await page.context().setOffline(false);
  await undoAnn.click();
  await page.getByRole('button', { name: 'Interview Ann Sample' }).waitFor();
  assert.is((await read('a')).status, 'proposed');
  // The request that failed while it was offline.
  browser.faults.length = 0;
});

undo('offers none for a decision that is longer ago', async () => {
  const { page, undoAnn } = await openPage();
  await page.getByRole('button', { name: 'Interview Ann Sample' }).click();
  await undoAnn.waitFor();
  await page.route('**/shortlist', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    for (const row of json.shortlist.placements) delete row.undoableUntil;
    await route.fulfill({ response, json });
  });
  await page.reload();
  await page.getByText('You asked for an interview.').waitFor();
  assert.is(await undoAnn.count(), 0);
});

undo.run();
