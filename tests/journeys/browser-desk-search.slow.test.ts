import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';
import { openDesk, rowsOf, shareDesk } from '../support/desk.ts';

const searching = suite('the search over all kinds');
const browser = await startBrowser(searching);
const phone = { viewport: { width: 390, height: 844 } };

const field = (page: Page) => page.getByRole('combobox', { name: 'Search people, orders and placements' });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });

const useDesk = shareDesk(browser);

/** Types words into the search after `/`. */
async function type(words: string, desk: Awaited<ReturnType<typeof openDesk>>) {
  await desk.page.locator('body').press('/');
  await desk.page.keyboard.type(words);
  return desk;
}

searching('shows the first of each kind as one types, each with its mark and client', async () => {
  const { page } = await type('nurse', await useDesk());
  const group = page.getByRole('group', { name: 'job orders' });
  await group.getByRole('option', { name: /^Ward Nurse Riverbend Hospital .* open$/ }).waitFor();
  await page
    .getByRole('group', { name: 'placements' })
    .getByRole('option', { name: /^Person 003 Ward Nurse · Riverbend Hospital .* active$/ })
    .waitFor();
});

searching('finds by a prefix of three letters, and with one wrong letter of five', async () => {
  const { page } = await type('riv', await useDesk());
  await option(page, /^Ward Nurse/).waitFor();
  await field(page).fill('rivrebend');
  await page.getByText('Nothing found for “rivrebend”').waitFor();
  assert.is(await field(page).getAttribute('aria-expanded'), 'false');
  await field(page).fill('rivurbend');
  await option(page, /^Ward Nurse/).waitFor();
});

searching('opens the record that the arrow keys have come to', async () => {
  const { page } = await type('ward', await useDesk());
  await option(page, /^Ward Nurse/).waitFor();
  await page.keyboard.press('ArrowDown');
  assert.is(await option(page, /^Ward Nurse/).getAttribute('aria-selected'), 'true');
  assert.is(
    await field(page).getAttribute('aria-activedescendant'),
    await option(page, /^Ward Nurse/).getAttribute('id'),
  );
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /^Ward Nurse/ }).waitFor();
  assert.is(await field(page).inputValue(), '');
});

searching('leads to the whole list, which shows the words and lets one clear them', async () => {
  const { page } = await type('person', await useDesk());
  await option(page, 'All 60 candidates').waitFor();
  await page.keyboard.press('ArrowUp');
  const chosen = page.locator('[role=option][aria-selected=true]');
  await chosen.waitFor();
  assert.is(
    await chosen.evaluate((one) => one.getAttribute('id')),
    await page.getByRole('option').last().getAttribute('id'),
    'up from the field is the last line',
  );
  await option(page, 'All 60 candidates').click();
  await page.getByText('60 candidates found.').waitFor();
  await page.getByRole('button', { name: 'Remove the filter Words: person' }).click();
  await page.getByText('60 candidates.').waitFor();
  assert.is(new URL(page.url()).hash, '#candidates');
});

searching('leads to a list by Enter: that of the first kind that has the words', async () => {
  const { page } = await type('riverbend', await useDesk());
  await page.keyboard.press('Enter');
  await page.getByText('1 job order found.').waitFor();
  assert.is(await rowsOf(page).count(), 1);
});

searching('closes by Escape and when the focus leaves it', async () => {
  const { page } = await type('ward', await useDesk());
  await option(page, /^Ward Nurse/).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
  assert.is(await field(page).inputValue(), 'ward', 'the words stay');
  await page.keyboard.press('ArrowDown');
  await option(page, /^Ward Nurse/).waitFor();
  await page.keyboard.press('Tab');
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
});

searching('opens the record of an id, and that of a pasted id at once', async () => {
  const { page, jobOrders } = await useDesk();
  const isOpen = page.getByRole('heading', { name: /^Ward Nurse/ });
  await field(page).fill(jobOrders[0].id);
  await option(page, 'Open this job order').waitFor();
  await field(page).press('Enter');
  await isOpen.waitFor();
  await page.goBack();
  await isOpen.waitFor({ state: 'detached' });
  await field(page).focus();
  await field(page).evaluate((input, id) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', ` ${id}\n`);
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, jobOrders[0].id as string);
  await isOpen.waitFor();
});

searching('shows what the latest words find, if an earlier answer comes later', async () => {
  const { page } = await useDesk();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/job-orders?*q=clinic*', async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  const asked = page.waitForRequest('**/job-orders?*q=clinic*');
  await field(page).fill('clinic');
  await asked;
  await field(page).fill('ward');
  await option(page, /^Ward Nurse/).waitFor();
  release();
  await (await asked).response();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  assert.is(await option(page, /^Clinic Nurse/).count(), 0);
});

searching('asks once for words that are typed without a pause', async () => {
  const { page } = await useDesk();
  const asked: string[] = [];
  page.on('request', (one) => /candidates\?.*q=/.test(one.url()) && asked.push(one.url()));
  await field(page).evaluate((input: HTMLInputElement) => {
    for (const words of ['war', 'ward', 'ward n', 'ward nurse']) {
      input.value = words;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
  });
  await option(page, /^Ward Nurse/).waitFor();
  assert.is(asked.length, 1, asked.join(' '));
});

searching('is in view on a phone, with what it found', async () => {
  const { page } = await type('ward', await openDesk(browser, phone));
  await option(page, /^Ward Nurse/).waitFor();
  const { x, y, width, height } = (await page.locator('.found').boundingBox())!;
  assert.ok(x >= 0 && x + width <= 390, `from ${x}, ${width} wide`);
  assert.ok(y >= 0 && y + height <= 844, `from ${y}, ${height} high`);
  await option(page, /^Ward Nurse/).click();
  await page.getByRole('heading', { name: /^Ward Nurse/ }).waitFor();
});

searching('shows names of any script beside its own words', async () => {
  const { page } = await openDesk(
    browser,
    {},
    {
      candidates: [
        { name: 'مرحبا بالعالم', onetCode: '15-1252.00' },
        { name: '山田太郎', onetCode: '15-1252.00' },
      ],
    },
  );
  await field(page).fill('山田');
  await option(page, /^山田太郎/).waitFor();
  await field(page).fill('مرحبا');
  await option(page, /^مرحبا بالعالم/).waitFor();
});

searching.run();
