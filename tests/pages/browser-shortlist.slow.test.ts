import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isReached, judge, looks, startBrowser } from '../support/browser.ts';
import { asAgent, fillByMcp } from '../support/workspace-page.ts';

const shortlist = suite('people decide on a page');
const browser = await startBrowser(shortlist);

const onetCode = '29-1141.00';
const credentials = ['PA RN license'];
const ann = { ref: 'a', name: 'Ann Sample', title: 'RN II, ICU', onetCode, credentials, shifts: ['night'] };
const bo = { ref: 'b', name: 'Bo Sample', onetCode, skills: ['ICU', 'Triage'], availableFrom: '2027-01-04' };
const order = { ref: 'o', client: 'Example Hospital', title: 'ICU nurse', onetCode, openings: 2 };

/** Proposes two people for an order, and returns the link to decide on them. */
async function propose() {
  const proposed = { jobOrderId: '#o', onetCode, status: 'proposed' };
  const { workspace } = await fillByMcp(browser.origin, {
    candidates: [ann, bo],
    jobOrders: [{ ...order, requires: ['RN license - PA'], shift: 'night' }],
    placements: ['a', 'b'].map((ref) => ({ ref, candidateId: `#${ref}`, ...proposed })),
  });
  const agent = async (method: string, path: string, body?: object) =>
    (await asAgent(browser.origin, workspace, method, path, body)).body;
  const { shortlist } = await agent('POST', '/job-orders/%23o/shortlist', {});
  return {
    token: shortlist.token as string,
    read: async (ref: string) => (await agent('GET', `/placements/%23${ref}`)).placement,
    promote: () => agent('PATCH', '/candidates/%23b', { title: 'Charge nurse' }),
  };
}

for (const look of looks) {
  shortlist(`with the keyboard, ${look.colorScheme}`, async () => {
    const { token, read } = await propose();
    const page = await browser.open(`/shortlist.html#${token}`, look);
    await page.getByText('2 of 2 to decide.').waitFor();
    assert.is(new URL(page.url()).hash, '', 'the token left the address bar');
    await page.getByText('✓ RN license - PA').waitFor();
    await page.getByText('shows no "RN license - PA"').waitFor();
    await page.getByText('from 4 Jan 2027').waitFor();
    await judge(page);
    await page.getByLabel('Reason, if you like').first().fill('Nights suit us.');
    await page.getByRole('button', { name: 'Interview Ann Sample' }).focus();
    await page.keyboard.press('Enter');
    const decided = page.getByText('You asked for an interview.');
    await isReached(decided);
    const { status, transitions } = await read('a');
    assert.is(status, 'interviewing');
    assert.is(transitions[0].by, 'shortlist');
    assert.is(transitions[0].reason, 'Nights suit us.');
    await page.getByRole('button', { name: 'Decline Bo Sample' }).press('Enter');
    await page.getByText('You declined.').waitFor();
    await page.reload();
    await page.getByText('Nobody is waiting for a decision.').waitFor();
    await page.getByText('You asked for an interview.').waitFor();
    await judge(page);
    await page.emulateMedia({ media: 'print' });
    assert.ok(await page.getByText('Ann Sample').first().isVisible());
    assert.equal(await page.locator('[style], [onclick], [onsubmit]').count(), 0);
  });
}

shortlist('shows what changed meanwhile before a decision, and says so if the link is wrong', async () => {
  const { token, read, promote } = await propose();
  const page = await browser.open(`/shortlist.html#${token}`, {});
  await page.getByText('2 of 2 to decide.').waitFor();
  await promote();
  await page.getByRole('button', { name: 'Interview Bo Sample' }).click();
  await page.getByText('Something changed while you read.').waitFor();
  await isReached(page.locator('[data-verdict]'));
  await page.getByText('Charge nurse').waitFor();
  assert.is((await read('b')).status, 'proposed');
  await page.getByRole('button', { name: 'Interview Bo Sample' }).click();
  await page.getByText('You asked for an interview.').waitFor();
  await page.goto(`${browser.origin}/shortlist.html#sl_${'0'.repeat(32)}`);
  await page.getByText('This link is not known here').waitFor();
  await judge(page);
});

shortlist.run();
