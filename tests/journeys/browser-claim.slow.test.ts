import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';
import { giveDevice, offerClaim } from '../support/claim-page.ts';
import { asAgent, openTab } from '../support/workspace-page.ts';

const claim = suite('a person claims a workspace');
const viewport = { width: 360, height: 740 };
const browser = await startBrowser(claim);

claim('on a phone, with a new passkey, and then rotates its id and erases it', async () => {
  const { filled, agent, address, token, userCode } = await offerClaim(browser.origin);
  const page = await browser.open(address, { viewport });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await giveDevice(page);
  await page.getByText(userCode).waitFor();
  assert.is(new URL(page.url()).hash, '', 'the token left the address bar');
  assert.match(
    (await page.locator('[data-said]').textContent()) ?? '',
    /2 candidates, 1 job order, 2 placements/,
  );
  assert.ok(await page.getByText('a lost passkey cannot be recovered').isVisible());
  await page.reload();
  await page.getByText(userCode).waitFor();
  await page.getByRole('button', { name: 'Claim with a new passkey' }).click();
  await page.getByText('It is yours.').waitFor();
  assert.is((await agent('GET', '/workspace')).body.workspace.claim, 'claimed');

  await page.getByRole('link', { name: 'See what is in it' }).click();
  await openTab(page, 'Candidates');
  await page.getByRole('link', { name: 'Ada Exmaple', exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Ada Example');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Ada Example' }).waitFor();
  await agent('PATCH', filled.candidates[1].links.self, { metro: 'Dayton, OH' });
  await openTab(page, 'Settings');
  const log = page.locator('[data-place=log]');
  await log.getByText('update candidate, by the agent').waitFor();
  assert.ok(await log.getByText('update candidate, by you').isVisible());

  await page.getByRole('button', { name: 'Replace the id' }).click();
  await page.getByRole('button', { name: 'Make a new id' }).click();
  const fresh = await page.getByLabel('New workspace id').inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  assert.is((await agent('GET', '/workspace')).status, 401, 'the old id is unknown');
  assert.is((await asAgent(browser.origin, fresh, 'GET', '/workspace')).status, 200);

  await page.getByRole('button', { name: 'Authorise spending' }).click();
  await page.getByLabel('Most a month').fill('50');
  await page.getByRole('button', { name: 'Authorise', exact: true }).click();
  await page.getByText('of $50.00 that you authorised').waitFor();

  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.locator('[data-place=owned]').getByRole('button', { name: 'Open' }).click();
  await openTab(page, 'Settings');
  await page.getByRole('button', { name: 'Delete the workspace' }).click();
  await page.getByRole('button', { name: 'Delete everything' }).click();
  await page.getByText('The workspace is deleted').waitFor();
  assert.is((await asAgent(browser.origin, fresh, 'GET', '/workspace')).status, 401);
  assert.not.ok(
    asked.some((url) => [token, filled.workspace, fresh].some((secret) => url.includes(secret))),
    'no address holds a secret',
  );
});

claim('with a passkey that was used here before', async () => {
  const [first, second] = [await offerClaim(browser.origin), await offerClaim(browser.origin)];
  const page = await browser.open(first.address, { colorScheme: 'dark' });
  await giveDevice(page);
  await page.getByRole('button', { name: 'Claim with a new passkey' }).click();
  await page.getByText('It is yours.').waitFor();
  await page.goto(`${browser.origin}/404.html`);
  await page.goto(browser.origin + second.address);
  await page.getByText(second.userCode).waitFor();
  await page.getByRole('button', { name: 'Claim with one that I have here' }).click();
  await page.getByText('It is yours.').waitFor();
  await page.getByRole('link', { name: 'See what is in it' }).click();
  await openTab(page, 'Settings');
  await page.getByRole('button', { name: 'Leave' }).click();
  const owned = page.locator('[data-place=owned] li');
  await owned.first().waitFor();
  assert.is(await owned.count(), 2);
});

claim('sees when a link is used, unknown or cut short, and when no passkey is given', async () => {
  for (const [hash, words] of [
    [`#clm_${'0'.repeat(32)}`, /not known here/],
    ['#clm_', /not known here/],
    ['#<script>', /not known here/],
    ['', /whole link/],
  ] as const) {
    const page = await browser.open(`/claim.html${hash}`, { viewport });
    await page.locator('.verdict.is-blocked', { hasText: words }).waitFor();
    assert.is(await page.getByRole('button', { name: 'Claim with a new passkey' }).isVisible(), false);
  }
  const { address, agent } = await offerClaim(browser.origin);
  const page = await browser.open(address, { viewport });
  await giveDevice(page, false);
  await page.getByRole('button', { name: 'Claim with a new passkey' }).click();
  await page.locator('.verdict.is-blocked', { hasText: 'No passkey was used' }).waitFor();
  assert.is((await agent('GET', '/workspace')).body.workspace.claim, 'pending');
  assert.ok(await page.getByRole('button', { name: 'Claim with a new passkey' }).isEnabled());
});

claim.run();
