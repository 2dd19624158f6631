import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';
import { proposeTwo } from '../support/shortlist-page.ts';

const reviewers = suite('a reviewer comments on a page');
const browser = await startBrowser(reviewers);

/** Proposes two people, and opens the page of a reviewer. */
async function openAs(sent: object) {
  const proposed = await proposeTwo(browser.origin);
  const { shortlist } = await proposed.agent('POST', '/job-orders/%23o/shortlist', sent);
  const page = await browser.open(`/shortlist.html#${shortlist.token}`);
  await page.getByText('2 of 2 to decide').waitFor();
  return { ...proposed, page };
}

reviewers('the comment is shown', async () => {
  const { page, read } = await openAs({ reviewer: 'Dana Example' });
  await page.getByRole('button', { name: 'Comment Ann Sample' }).click();
  await page.getByLabel('Comment, for your colleagues and the sender').fill('Strong on nights.');
  await page.getByRole('button', { name: 'Send the comment Ann Sample' }).click();
  await page.getByText('Strong on nights.').waitFor();
  const [{ comment, reviewer }] = (await read('a')).comments;
  assert.equal([comment, reviewer], ['Strong on nights.', 'Dana Example']);
});

reviewers('a decision on the page has the name of the reviewer', async () => {
  const { page, read } = await openAs({ reviewer: 'Dana Example' });
  await page.getByRole('button', { name: 'Interview Ann Sample' }).click();
  await page.getByText('Dana Example asked for an interview.').waitFor();
  assert.is((await read('a')).transitions[0].reviewer, 'Dana Example');
});

reviewers('an anonymous page has no name anywhere', async () => {
  const { page } = await openAs({ anonymous: true, reviewer: 'Dana Example' });
  await page.getByText('A. S.').first().waitFor();
  assert.not.match(await page.content(), 'Sample');
  assert.not.match(await page.title(), 'Sample');
});

reviewers.run();
