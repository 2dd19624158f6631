import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';

const search = suite('search and verification in a browser');
const browser = await startBrowser(search);

search('"android developer" finds Software Developers while one types', async () => {
  const page = await browser.open('/occupations.html');
  await page.getByLabel('Job title').pressSequentially('android developer', { delay: 20 });
  const first = page.locator('#hits li').first();
  await first.filter({ hasText: 'Software Developers' }).waitFor();
  assert.match((await first.textContent()) ?? '', /15-1252\.00.*Android Developer/);
  // The address follows what is typed a moment later.
  await page.waitForURL(/android.{1,3}developer$/);
  await first.locator('a').click();
  assert.is(await page.locator('h1').textContent(), 'Software Developers');
  await page.goBack({ waitUntil: 'networkidle' });
  assert.is(await page.getByLabel('Job title').inputValue(), 'android developer');
  await page.locator('#hits li').first().waitFor();
});

search('folds the occupations into groups with counts, which open without JavaScript', async () => {
  const page = await browser.open('/occupations.html', { javaScriptEnabled: false });
  const groups = page.locator('#groups details');
  const counts = await groups.locator('[data-count]').allTextContents();
  assert.is(
    counts.reduce((sum, words) => sum + Number.parseInt(words, 10), 0),
    1016,
  );
  assert.is(await page.locator('#groups li:visible').count(), 0);
  const last = groups.last();
  await last.locator('summary').click();
  assert.is(await last.locator('li:visible').count(), Number.parseInt(counts.at(-1)!, 10));
});

search('major group and job zone narrow the list, with and without words', async () => {
  const page = await browser.open('/occupations.html');
  await page.getByLabel('Major group').selectOption('15');
  await page.getByLabel('Job zone').selectOption('5');
  await page.waitForFunction(() => !/^1,016/.test(document.querySelector('#found')?.textContent ?? ''));
  const shown = await page.locator('#groups li:visible .code-text').allTextContents();
  assert.ok(shown.length > 0 && shown.every((code) => code.startsWith('15-')), shown.join());
  assert.match(
    (await page.locator('#found').textContent()) ?? '',
    new RegExp(`^${shown.length} occupations?$`),
  );
  await page.getByLabel('Job title').fill('research');
  await page.locator('#hits li').first().waitFor();
  const hits = await page.locator('#hits .code-text').allTextContents();
  assert.ok(hits.length > 0 && hits.every((code) => code.startsWith('15-')), hits.join());
  await page.getByLabel('Job title').fill('zzqxv');
  await page.locator('#found', { hasText: /^No occupation fits/ }).waitFor();
});

search('a failed row turns red and says why', async () => {
  const page = await browser.open('/verify.html');
  await page.route('**/offer', (route) => route.fulfill({ status: 200, json: { type: 'OK' } }));
  await page.getByRole('button', { name: /^Run \d+ checks$/ }).click();
  const panel = page.locator('[data-suite]');
  await panel.locator('[data-verdict].is-blocked', { hasText: /^\s*1 of \d+ failed/ }).waitFor();
  assert.match((await panel.locator('li[data-went=red]').textContent()) ?? '', /answered 200, not 402/);
});

search.run();
