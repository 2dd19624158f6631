import type { Page, Request, Route } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isReached, looks, startBrowser } from '../support/browser.ts';
import { sendAnswer, stateForClient } from '../support/confirm-page.ts';

const confirm = suite('a person confirms an outcome');
const viewport = { width: 360, height: 740 };
const browser = await startBrowser(confirm);

const place = () => stateForClient(browser.origin);

const verdictOf = async (page: Page) => (await page.locator('[data-verdict]').textContent()) ?? '';

for (const look of looks) {
  const agrees = look.colorScheme === 'light';
  const button = agrees ? 'Yes' : 'No';
  confirm(`reads it, ${look.colorScheme}, and chooses: ${button}`, async () => {
    const { token, read } = await place();
    const page = await browser.open(`/confirm.html#${token}`, look);
    await page.getByText('The person was still in the placement.').waitFor();
    assert.is(new URL(page.url()).hash, '', 'the token left the address bar');
    await sendAnswer(page, button, 'As far as I know.');
    await page.getByText('Answered on').waitFor();
    await isReached(page.locator('[data-verdict]'));
    assert.match(await verdictOf(page), agrees ? /: yes\./ : /: no\./);
    const { validated, disputed, confirmations } = await read();
    assert.equal(validated, agrees);
    assert.equal(disputed, !agrees);
    assert.is(confirmations[0].comment, 'As far as I know.');
    await page.reload();
    await page.getByText('Answered on').waitFor();
  });
}

const wrongLinks: Record<string, RegExp> = {
  [`#cnf_${'0'.repeat(32)}`]: /not known here/,
  '#cnf_': /not known here/,
  '#<script>': /not known here/,
  '': /whole link/,
};

for (const [hash, words] of Object.entries(wrongLinks))
  confirm(`says what is wrong with the link ${hash || 'without a token'}, and asks nothing`, async () => {
    const page = await browser.open(`/confirm.html${hash}`, { viewport });
    await page.locator('.verdict.is-blocked').waitFor();
    assert.match(await verdictOf(page), words);
    assert.is(await page.getByRole('button', { name: 'Yes', exact: true }).isVisible(), false);
  });

/** Sends an answer that the service cannot take. The next one reaches it. */
async function sendInVain() {
  const placed = await place();
  const page = await browser.open(`/confirm.html#${placed.token}`, { viewport });
  await page.getByText('The person was still in the placement.').waitFor();
  const fail = (route: Route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 503, json: { type: 'BLOCKED', reason: 'The store is away.' } })
      : route.continue();
  await page.route('**/confirmation', fail);
  await sendAnswer(page);
  await page.getByText('The store is away.').waitFor();
  await page.unroute('**/confirmation');
  return { ...placed, page };
}

confirm('says why an answer could not be sent, in view and with the focus', async () => {
  const { page } = await sendInVain();
  await isReached(page.locator('[data-verdict]'));
});

confirm('Escape returns to the chosen button after an answer could not be sent', async () => {
  const { page } = await sendInVain();
  await isReached(page.locator('[data-verdict]'));
  await page.keyboard.press('Escape');
  await isReached(page.getByRole('button', { name: 'Yes', exact: true }));
});

/** Sends an answer to a statement that was changed meanwhile. */
async function answerChanged() {
  const sent = await sendInVain();
  await sent.state('converted');
  await sent.page.getByRole('button', { name: 'Send: Yes' }).click();
  await sent.page.getByText('The statement changed').waitFor();
  return sent;
}

const useChanged = browser.share(answerChanged);

confirm('says that the statement changed, in view and with the focus', async () => {
  const { page } = await useChanged();
  await isReached(page.locator('[data-verdict]'));
});

confirm('shows the new statement', async () => {
  const { page } = await useChanged();
  await page.getByText('The client took the person on.').waitFor();
});

confirm('takes no answer to a statement that changed', async () => {
  const { read } = await useChanged();
  assert.equal((await read()).confirmations, []);
});

confirm('the token is in no address, no Referer and no other header', async () => {
  const { token } = await place();
  const page = await browser.open('/404.html', { viewport });
  const requests: Request[] = [];
  page.context().on('request', (request) => requests.push(request));
  await page.goto(`${browser.origin}/confirm.html#${token}`);
  await sendAnswer(page);
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

/** Opens the page and chooses an answer with the keyboard. Nothing is sent yet. */
async function choose(button: string, comment = '') {
  const placed = await place();
  const page = await browser.open(`/confirm.html#${placed.token}`, { viewport });
  await page.getByText('The person was still in the placement.').waitFor();
  await page.getByRole('button', { name: button, exact: true }).press('Enter');
  const sure = page.locator('[data-sure]');
  await isReached(sure.getByRole('heading'));
  if (comment !== '') await page.getByLabel('Comment, if you like').fill(comment);
  return { ...placed, page, sure };
}

confirm('says in words what is about to be sent, and asks once more', async () => {
  const { page, sure, read } = await choose('Yes');
  await isReached(sure.getByRole('heading', { name: 'You answer: yes.' }));
  await sure.getByText('once it is sent, you cannot change or withdraw it').waitFor();
  await page.getByText('Nothing is sent yet.').waitFor();
  assert.equal((await read()).confirmations, []);
});

confirm('asks one question, with Yes and No in view on a phone', async () => {
  const { token } = await place();
  const page = await browser.open(`/confirm.html#${token}`, { viewport: { width: 390, height: 844 } });
  const words = /^Is .+ still working.*, on day 0 of 90\?$/;
  await page.getByRole('heading', { level: 1, name: words }).waitFor();
  const box = (await page.getByRole('button', { name: 'No', exact: true }).boundingBox())!;
  assert.ok(box.y + box.height < 600, `No ends at ${box.y + box.height}`);
});

confirm('says in words that the party does not agree', async () => {
  const { sure } = await choose('No');
  await sure.getByRole('heading', { name: 'You answer: no.' }).waitFor();
  await sure.getByRole('button', { name: 'Send: No' }).waitFor();
});

confirm('does not send if Enter is pressed twice', async () => {
  const { page, sure, read } = await choose('Yes');
  await isReached(sure.getByRole('heading'));
  await page.keyboard.press('Enter');
  assert.equal((await read()).confirmations, []);
});

const waysBack = {
  'the button Back': (page: Page) => page.getByRole('button', { name: 'Back' }).press('Enter'),
  'the key Escape': (page: Page) => page.keyboard.press('Escape'),
};

for (const [way, goBack] of Object.entries(waysBack))
  confirm(`returns to the chosen button, and keeps the comment, by ${way}`, async () => {
    const { page, sure, read } = await choose('No', 'Not sure.');
    await goBack(page);
    await isReached(page.getByRole('button', { name: 'No', exact: true }));
    assert.is(await sure.isVisible(), false);
    assert.is(await sure.locator('textarea').inputValue(), 'Not sure.');
    assert.equal((await read()).confirmations, []);
  });

confirm('can be changed before it is sent', async () => {
  const { page, read } = await choose('No');
  await page.keyboard.press('Escape');
  await sendAnswer(page);
  await page.getByText('Answered on').waitFor();
  assert.is((await read()).validated, true);
});

const usePlaced = browser.share(async () => {
  const { token } = await place();
  return browser.open(`/confirm.html#${token}`, { viewport });
});

for (const words of [
  'You are asked as the client of this placement.',
  'this service does not check who that is',
  'If you do not know the sender of the link, do not answer.',
])
  confirm(`says who asks: ${words}`, async () => {
    const page = await usePlaced();
    await page.getByText(words).waitFor();
  });

confirm.run();
