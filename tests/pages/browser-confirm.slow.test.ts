import type { Page, Request, Route } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isReached, judge, looks, startBrowser } from '../support/browser.ts';
import { asAgent, fillByMcp, toDay } from '../support/workspace-page.ts';

const confirm = suite('a person confirms an outcome');
const viewport = { width: 360, height: 740 };
const browser = await startBrowser(confirm);

/** States an outcome, and returns the token of the page for its client. */
async function place() {
  const startDate = toDay(0);
  const sent = { candidateId: 'cand_036', jobOrderId: 'job_034', onetCode: '29-1141.00', startDate };
  const { workspace, placements } = await fillByMcp(browser.origin, { placements: [sent] });
  const { self } = placements[0].links;
  const agent = async (method: string, path: string, body?: object) =>
    (await asAgent(browser.origin, workspace, method, path, body)).body;
  const state = (result: string) => agent('POST', `${self}/outcome`, { result });
  await state('retained');
  const { confirmation } = await agent('POST', `${self}/confirmations`, { party: 'client' });
  const read = async () => (await agent('GET', self)).placement.outcome;
  return { state, read, token: confirmation.token as string };
}

const verdictOf = async (page: Page) => (await page.locator('[data-verdict]').textContent()) ?? '';

for (const look of looks) {
  const agrees = look.colorScheme === 'light';
  const button = agrees ? 'Yes, I agree' : 'No, I do not agree';
  confirm(`reads it, ${look.colorScheme}, and chooses: ${button}`, async () => {
    const { token, read } = await place();
    const page = await browser.open(`/confirm.html#${token}`, look);
    await page.getByText('The person was still in the placement.').waitFor();
    assert.is(new URL(page.url()).hash, '', 'the token left the address bar');
    await judge(page);
    await page.getByLabel('Comment, if you like').fill('As far as I know.');
    await page.getByRole('button', { name: button }).click();
    await page.getByText('Answered on').waitFor();
    await isReached(page.locator('[data-verdict]'));
    assert.match(await verdictOf(page), agrees ? /you agree\./ : /you do not agree\./);
    await judge(page);
    const { validated, disputed, confirmations } = await read();
    assert.equal(validated, agrees);
    assert.equal(disputed, !agrees);
    assert.is(confirmations[0].comment, 'As far as I know.');
    await page.reload();
    await page.getByText('Answered on').waitFor();
    await page.goto(`${browser.origin}/confirm.html#cnf_`);
    await page.locator('.verdict.is-blocked').waitFor();
    await judge(page);
    assert.equal(await page.locator('[style], [onclick], [onsubmit]').count(), 0);
  });
}

confirm('sees when the link is unknown, cut short, or for a statement that has changed', async () => {
  for (const hash of [`#cnf_${'0'.repeat(32)}`, '#cnf_', '#<script>', '']) {
    const page = await browser.open(`/confirm.html${hash}`, { viewport });
    await page.locator('.verdict.is-blocked').waitFor();
    assert.match(await verdictOf(page), hash === '' ? /whole link/ : /not known here/);
    assert.is(await page.getByRole('button', { name: 'Yes, I agree' }).isVisible(), false);
    await judge(page);
  }
  const { token, state, read } = await place();
  const page = await browser.open(`/confirm.html#${token}`, { viewport });
  await page.getByText('The person was still in the placement.').waitFor();
  const fail = (route: Route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 503, json: { type: 'BLOCKED', reason: 'The store is away.' } })
      : route.continue();
  await page.route('**/confirmation', fail);
  await page.getByRole('button', { name: 'Yes, I agree' }).click();
  await page.getByText('The store is away.').waitFor();
  await isReached(page.locator('[data-verdict]'));
  await page.unroute('**/confirmation');
  await state('converted');
  await page.getByRole('button', { name: 'Yes, I agree' }).click();
  await page.getByText('The statement changed').waitFor();
  await isReached(page.locator('[data-verdict]'));
  await page.getByText('The client took the person on.').waitFor();
  assert.equal((await read()).confirmations, []);
});

confirm('the token is in no address, no Referer and no other header', async () => {
  const { token } = await place();
  const page = await browser.open('/404.html', { viewport });
  const requests: Request[] = [];
  page.context().on('request', (request) => requests.push(request));
  await page.goto(`${browser.origin}/confirm.html#${token}`);
  await page.getByRole('button', { name: 'Yes, I agree' }).click();
  await page.getByText('Answered on').waitFor();
  await page.reload();
  await page.getByText('Answered on').waitFor();
  await page.locator('header a.brand').click();
  await page.waitForURL((url) => !url.pathname.startsWith('/confirm'));
  await page.goBack();
  await page.getByText('Answered on').waitFor();
  const addresses = await page.evaluate(() => [location.href, document.referrer]);
  let shown = 0;
  for (const request of requests) {
    addresses.push(request.url());
    for (const [name, value] of Object.entries(await request.allHeaders())) {
      if (name === 'x-confirmation' && value === token) shown += 1;
      else assert.not.ok(value.includes(token), `${request.url()} says it in ${name}`);
    }
  }
  assert.is(shown, 4, 'read, answered, and read again twice');
  assert.ok(requests.length > 10, String(requests.length));
  assert.equal(
    addresses.filter((address) => address.includes(token)),
    [],
  );
});

confirm.run();
