import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { occupationFacts } from '../../scripts/onet/occupation-facts.ts';
import { type BrowserOnHost, startBrowser, templates } from '../support/browser.ts';

const pages = suite('pages in a browser');
let browser: BrowserOnHost;

const rated = occupationFacts.filter(({ skills }) => skills);
const unrated = occupationFacts.filter(({ skills }) => !skills);
const spread = <T>(rows: T[], count: number) =>
  Array.from({ length: count }, (_, index) => rows[Math.floor((index * rows.length) / count)]!);
const dozen = [...spread(rated, 8), ...spread(unrated, 4)];

pages.before(async () => {
  browser = await startBrowser();
});
pages.after(() => browser.close());

for (const [name, path] of Object.entries(templates)) {
  pages(`${name} loads without a fault, and nothing in it is inline`, async () => {
    const { page, faults, close } = await browser.open(path);
    const inline = await page.evaluate(() => [
      ...[...document.querySelectorAll('script:not([src], [type="application/ld+json"])')].map(
        ({ outerHTML }) => outerHTML.slice(0, 80),
      ),
      ...[...document.querySelectorAll('style, [style]')].map(({ outerHTML }) => outerHTML.slice(0, 80)),
      ...[...document.querySelectorAll('*')].flatMap(({ attributes }) =>
        [...attributes]
          .filter(({ name: attribute }) => /^on/.test(attribute))
          .map(({ name: attribute }) => attribute),
      ),
    ]);
    assert.equal(inline, []);
    assert.equal(faults, []);
    await close();
  });
}

pages('a dozen occupation pages tell what their record holds, and what it lacks', async () => {
  const { page, faults, close } = await browser.open('/occupations.html');
  for (const { id, title, skills, jobZone } of dozen) {
    await page.goto(`${browser.origin}/occupations/${id}.html`);
    assert.is(await page.locator('h1').textContent(), title);
    const rows = await page.locator('.skills tbody tr').count();
    assert.is(rows, skills?.length ?? 0, id);
    const text = (await page.locator('main').textContent()) ?? '';
    assert.is(text.includes('has no skill ratings'), !skills, id);
    assert.is(text.includes('in no job zone'), jobZone === undefined, id);
  }
  assert.equal(faults, []);
  await close();
});

pages('bars are as long as the ratings say', async () => {
  const { id, skills } = rated[0]!;
  const { page, close } = await browser.open(`/occupations/${id}.html`);
  const bars = page.locator('.skills tbody tr:first-child .filled');
  const { importance, level = 0 } = skills![0]!;
  const widths = await bars.evaluateAll((all) => all.map((bar) => Number(bar.getAttribute('width'))));
  assert.equal(
    widths.map((width) => Math.round(width)),
    [Math.round((importance - 1) * 25), Math.round((level / 7) * 100)],
  );
  await close();
});

pages('the calculator works out what the rate card says', async () => {
  const { page, faults, close } = await browser.open('/pricing.html');
  const form = page.locator('[data-calculator]');
  for (const input of await form.locator('input').all()) await input.fill('0');
  assert.is(await form.locator('[data-sum]').textContent(), '$0.00');
  await form.locator('[name=createCandidate]').fill('125');
  assert.is(await form.locator('[data-sum]').textContent(), '$2.00');
  await form.locator('[name=createCandidate]').fill('1276');
  assert.match((await form.locator('[data-verdict]').textContent()) ?? '', /^Above the ceiling/);
  assert.equal(faults, []);
  await close();
});

pages.run();
