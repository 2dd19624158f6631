import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { launchBrowser } from '../../../support/browser.ts';
import { connect } from '../../../support/http.ts';
import { messyTitles } from '../../../support/messy-titles.ts';
import { startServer } from '../../../support/server.ts';
import { startStaticHost, stopProcesses } from '../../../support/static-host.ts';
import { openWorkerPage } from '../../../support/worker-page.ts';

const folder = join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'client', 'worker');
const browser = await launchBrowser();
const host = await startStaticHost();
const server = await startServer();
const search = suite('search in a browser without a live service');

search.after(async () => {
  await browser.close();
  await server.stop();
  stopProcesses();
});

search('fetches at most 6.2 MB, whatever the encoding', () => {
  const files = readdirSync(folder).filter((name) => /^(search|summaries)\./.test(name));
  const size = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  console.log(`\nfigure: search files bytes ${size}`);
  assert.is(files.length, 2);
  assert.ok(size <= 6_200_000, `${size} bytes`);
});

search('a page searches its own titles at once, and all others once they are loaded', async () => {
  const tab = await openWorkerPage(browser, `${host.origin}/occupations.html`);
  const { page } = tab;
  assert.is(await tab.kind(), 'browser');
  await page.evaluate(() => {
    const said: string[] = [];
    const note = () => said.push(document.querySelector('#found')?.textContent ?? '');
    const progress = () => said.push(document.querySelector('#progress')?.textContent ?? '');
    new MutationObserver(note).observe(document.querySelector('#found')!, { childList: true });
    new MutationObserver(progress).observe(document.querySelector('#progress')!, { childList: true });
    Object.assign(globalThis, { said });
  });
  await page.getByLabel('Job title').fill('Sr. SWE (backend)');
  await page.locator('#hits li').first().filter({ hasText: 'Software Developers' }).waitFor();
  const said: string[] = await page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
  assert.match(said[0]!, /alternate titles follow/);
  assert.ok(
    said.some((text) => /^Fetching all titles for this browser: \d+ %$/.test(text)),
    said.join(),
  );
  assert.is(await page.locator('#progress').isVisible(), false);
  const kept = await page.evaluate(async () => {
    const [name] = await caches.keys();
    const files = await (await caches.open(name!)).keys();
    return files.map(({ url }) => new URL(url).pathname);
  });
  assert.ok(kept.some((path) => /^\/worker\/search\.\w+\.bin$/.test(path)));
  await page.close();
});

search('answers as a live service does', async () => {
  const client = await connect(server.origin);
  const tab = await openWorkerPage(browser, `${host.origin}/index.html`);
  assert.is(await tab.kind(), 'browser');
  const body = { titles: messyTitles.map(([title]) => title) };
  assert.equal((await tab.ask('POST', '/titles', { body })).body, (await client.post('/titles', body)).body);
  for (const path of [
    '/occupations?q=plumbr&limit=3',
    '/occupations?q=nurse&majorGroup=29&limit=200',
    '/job-orders/job_001/matches?limit=4',
    '/job-orders/job_none/matches',
    '/candidates/cand_036/matches',
    '/candidates/cand_036/matches?skill=Falconry',
  ])
    assert.equal((await tab.ask('GET', path)).body, (await client.get(path)).body, path);
});

search.run();
