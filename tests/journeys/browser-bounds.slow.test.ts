import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser, templates } from '../support/browser.ts';
import { readLayoutShift, watchLayoutShift } from '../support/layout-shift.ts';
import { countBytes, mostPageBytes } from '../support/page-weight.ts';

const bounds = suite('bounds of every page');
const browser = await startBrowser(bounds);
/** Cumulative Layout Shift, without a unit. */
const mostShift = 0.02;
/** As small as WCAG 2.2 has pages read without scrolling in two directions (1.4.10). */
const smallest = { width: 320, height: 640 };

/** A small phone on which nothing comes from a cache. */
const usePhone = browser.share(async () => {
  const page = await browser.open('/404.html', { viewport: smallest, colorScheme: 'dark' });
  const readBytes = await countBytes(page);
  await watchLayoutShift(page);
  return { page, readBytes };
});

const pages = [
  ...Object.values(templates),
  // Every guide has its own length, so that other things are in view.
  ...readdirSync(join(import.meta.dirname, '..', '..', 'dist', 'client', 'guides'))
    .filter((name) => name.endsWith('.html'))
    .map((name) => `/guides/${name}`),
];

for (const path of new Set<string>(pages))
  bounds(
    `${path} is at most ${mostPageBytes} bytes on the wire without its font, and moves by less than ${mostShift}`,
    async () => {
      const { page, readBytes } = await usePhone();
      const before = readBytes();
      await page.goto(browser.origin + path, { waitUntil: 'networkidle' });
      const [bytes, shift] = [readBytes() - before, await readLayoutShift(page)];
      assert.ok(bytes > 1000 && bytes <= mostPageBytes, `${bytes} bytes`);
      assert.ok(shift < mostShift, `moves by ${shift}`);
    },
  );

bounds('the API page loads what draws a form only when a person opens one', async () => {
  const page = await browser.open('/404.html');
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
  await page.goto(`${browser.origin}/api.html#createCandidate`, { waitUntil: 'networkidle' });
  const isForm = (path: string) => /\/console\.|openapi\.json/.test(path);
  assert.equal(scripts.filter(isForm), []);
  await page.locator('[data-try=createCandidate] > summary').click();
  await page.getByRole('button', { name: 'Send POST' }).waitFor();
  assert.is(scripts.filter(isForm).length, 2);
});

bounds.run();
