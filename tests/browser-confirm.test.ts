import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type BrowserOnHost, shots, startBrowser } from './support/browser.ts';

const confirm = suite('a person confirms an outcome');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const viewport = { width: 360, height: 740 };
let browser: BrowserOnHost;

confirm.before(async () => {
  browser = await startBrowser();
});
confirm.after(() => browser.close());

/** Asks the host, or whatever answers a page. */
async function post(path: string, body: object, headers: object = {}) {
  const response = await fetch(browser.origin + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return response.json();
}

/** A stated outcome: where it is, and the address of the page for its client. */
async function place() {
  const startDate = new Date().toISOString().slice(0, 10);
  const ids = { candidateId: 'cand_036', jobOrderId: 'job_034', onetCode: '29-1141.00' };
  const { placement, workspace } = await post('/placements', { ...ids, startDate });
  const headers = { 'X-Workspace': workspace };
  const { self } = placement.links;
  const state = (result: string) => post(`${self}/outcome`, { result }, headers);
  await state('retained');
  const { confirmation } = await post(`${self}/confirmations`, { party: 'client' }, headers);
  const read = async () => (await (await fetch(browser.origin + self, { headers })).json()).placement.outcome;
  return { state, read, token: confirmation.token as string };
}

const verdictOf = async (page: Page) => (await page.locator('[data-verdict]').textContent()) ?? '';

async function judge(page: Page): Promise<void> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  assert.equal(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
    [],
  );
  assert.is(await page.evaluate(() => document.documentElement.scrollWidth), viewport.width);
}

for (const [button, agrees] of [
  ['Yes, I agree', true],
  ['No, I do not agree', false],
] as const) {
  confirm(`reads it on a phone, and says: ${button}`, async () => {
    const { token, read } = await place();
    const { page, faults, close } = await browser.open(`/confirm.html#${token}`, { viewport });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByText('The person was still in the placement.').waitFor();
    assert.is(new URL(page.url()).hash, '', 'the token left the address bar');
    await judge(page);
    await page.screenshot({ path: join(shots, `confirm-open-${agrees}.png`), fullPage: true });
    await page.getByLabel('Comment, if you like').fill('As far as I know.');
    await page.getByRole('button', { name: button }).click();
    await page.getByText('Answered on').waitFor();
    assert.match(await verdictOf(page), agrees ? /you agree\./ : /you do not agree\./);
    await judge(page);
    const { validated, disputed, confirmations } = await read();
    assert.equal([validated, disputed], [agrees, !agrees]);
    assert.is(confirmations[0].comment, 'As far as I know.');
    await page.reload();
    await page.getByText('Answered on').waitFor();
    assert.not.ok(
      asked.some((url) => url.includes(token)),
      'no address holds the token',
    );
    assert.equal(faults, []);
    await close();
  });
}

confirm('is told when the link is not known, cut short, or of another statement by then', async () => {
  for (const hash of [`#cnf_${'0'.repeat(32)}`, '#cnf_', '#<script>', '']) {
    const { page, close } = await browser.open(`/confirm.html${hash}`, { viewport });
    await page.locator('.verdict.is-blocked').waitFor();
    assert.match(await verdictOf(page), hash === '' ? /whole link/ : /not known here/);
    assert.is(await page.getByRole('button', { name: 'Yes, I agree' }).isVisible(), false);
    await judge(page);
    await close();
  }
  const { token, state, read } = await place();
  const { page, close } = await browser.open(`/confirm.html#${token}`, { viewport });
  await page.getByText('The person was still in the placement.').waitFor();
  await state('converted');
  await page.getByRole('button', { name: 'Yes, I agree' }).click();
  await page.getByText('Something else was stated').waitFor();
  await page.getByText('The client took the person on.').waitFor();
  assert.equal((await read()).confirmations, []);
  await close();
});

confirm.run();
