import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { judge, startBrowser, templates } from '../support/browser.ts';
import { readLayoutShift, watchLayoutShift } from '../support/layout-shift.ts';
import { countBytes, mostPageBytes } from '../support/page-weight.ts';

const bounds = suite('bounds of every page');
const browser = await startBrowser(bounds);
/** Cumulative Layout Shift, without a unit. */
const mostShift = 0.02;
/** As small as WCAG 2.2 has pages read without scrolling in two directions (1.4.10). */
const smallest = { width: 320, height: 640 };

/** Opens another page in the same tab. */
async function openNext(page: Page, path: string): Promise<void> {
  await page.goto(browser.origin + path, { waitUntil: 'networkidle' });
}

/** Loads the page of a path on a small phone. Asserts that it is light and does not move. Returns the page. */
async function load(path: string): Promise<Page> {
  const page = await browser.open('/favicon.ico', { viewport: smallest, colorScheme: 'dark' });
  const readBytes = await countBytes(page);
  await watchLayoutShift(page);
  await openNext(page, path);
  const [bytes, shift] = [readBytes(), await readLayoutShift(page)];
  assert.ok(bytes > 1000 && bytes <= mostPageBytes, `${bytes} bytes`);
  assert.ok(shift < mostShift, `moves by ${shift}`);
  return page;
}

const isLight = `is at most ${mostPageBytes} bytes on the wire without its font, and moves by less than ${mostShift}`;

for (const [name, path] of Object.entries(templates))
  bounds(`${name} ${isLight}; axe finds nothing at 320 pixels, and nothing is cut off`, async () => {
    await judge(await load(path));
  });

const known: readonly string[] = Object.values(templates);
/** Every guide has its own length, so that other things are in view. */
const guides = readdirSync(join(import.meta.dirname, '..', '..', 'dist', 'client', 'guides'))
  .map((name) => `/guides/${name}`)
  .filter((path) => path.endsWith('.html') && !known.includes(path));

for (const path of guides)
  bounds(`${path} ${isLight}`, async () => {
    await load(path);
  });

bounds('the API page loads what draws a form only when a person opens one', async () => {
  const page = await browser.open('/404.html');
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
  await openNext(page, '/api.html#createCandidate');
  const isForm = (path: string) => /\/console\.|openapi\.json/.test(path);
  assert.equal(scripts.filter(isForm), []);
  await page.locator('[data-try=createCandidate] > summary').click();
  await page.getByRole('button', { name: 'Send POST' }).waitFor();
  assert.is(scripts.filter(isForm).length, 2);
});

bounds.run();
