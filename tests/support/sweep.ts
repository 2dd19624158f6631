import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { holdToWidth, judge } from './browser.ts';

/** With SWEEP=whole, every state is checked in every way, and pictures are taken for people to look at. */
const isWhole = process.env.SWEEP === 'whole';
const shots = join(import.meta.dirname, '..', '..', '.shots');
if (isWhole) mkdirSync(shots, { recursive: true });

/** The window of 1280 by 800 as it is, at 200 % and at 400 %, and on paper. */
const sizes = { full: [1280, 800], twice: [640, 400], fourfold: [320, 200], paper: [720, 1000] } as const;
const resize = (page: Page, size: keyof typeof sizes) =>
  page.setViewportSize({ width: sizes[size][0], height: sizes[size][1] });

/** How the sweep opens a page. */
export const sweepLook = { viewport: { width: sizes.full[0], height: sizes.full[1] } };

/** Removes the requests that failed from the faults of a page that was offline, or that a test has kept from the host. */
export function forgetFailedRequests(faults: string[]): void {
  const others = faults.filter((fault) => !/ net::ERR_(INTERNET_DISCONNECTED|FAILED)$/.test(fault));
  faults.splice(0, faults.length, ...others);
}

/** Presses Tab. Each press must move on in the order of the page, to a visible element with a visible focus. */
async function walk(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(globalThis, { before: undefined }));
  for (let press = 0; press < 20; press += 1) {
    await page.keyboard.press('Tab');
    const faults = await page.evaluate(() => {
      const at = document.activeElement!;
      const own = globalThis as unknown as { before: Element | undefined };
      // A date field has the focus several times, and shows it inside.
      const isOn = !own.before || own.before === at || (own.before.compareDocumentPosition(at) & 4) !== 0;
      own.before = at;
      if (at === document.body) return 'end';
      const { top, bottom } = at.getBoundingClientRect();
      const { outlineStyle } = getComputedStyle(at.closest('label.button') ?? at);
      const isSeen =
        (outlineStyle !== 'none' || at.matches('[type=date]')) && bottom > 0 && top < innerHeight;
      return isOn && isSeen ? '' : `${isOn ? 'not seen' : 'a step back'}: ${at.outerHTML.slice(0, 120)}`;
    });
    if (faults === 'end') return;
    assert.is(faults, '');
  }
}

/** Lists elements of the page that cut off their content, on paper. The rows of a file are not printed. */
const readCut = () =>
  [...document.querySelectorAll<HTMLElement>('main *')]
    .filter(
      (element) =>
        element.matches(':not(.unseen, .import-table, textarea, input, svg *)') && element.checkVisibility(),
    )
    .filter(
      ({ scrollWidth, scrollHeight, clientWidth, clientHeight }) =>
        clientWidth > 0 && (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1),
    )
    .filter((element) => !/visible/.test(getComputedStyle(element).overflow))
    .map((element) => element.outerHTML.slice(0, 120));

/** Lists controls of which only the text is visible if a browser removes the colours. */
const readFaded = () =>
  [...document.querySelectorAll('button, .button, input, select, textarea')]
    .filter((control) => control.checkVisibility() && !control.matches('.unseen'))
    .filter((control) => {
      const { borderTopStyle, textDecorationLine, appearance } = getComputedStyle(control);
      return borderTopStyle === 'none' && textDecorationLine === 'none' && appearance === 'none';
    })
    .map((control) => control.outerHTML.slice(0, 120));

/** Checks a page by the keyboard, without colours, and on paper. */
async function checkOtherWays(page: Page): Promise<void> {
  await walk(page);
  assert.is(await page.evaluate(() => document.getAnimations().length), 0, 'nothing moves by itself');
  await page.emulateMedia({ forcedColors: 'active' });
  assert.equal(await page.evaluate(readFaded), []);
  await page.emulateMedia({ forcedColors: null, media: 'print' });
  await resize(page, 'paper');
  assert.equal(await page.evaluate(readCut), []);
  await page.emulateMedia({ media: 'screen' });
}

/**
 * Checks a page in the state of this name with axe, in light, or in dark at 400 %. Of three states, checks one in the
 * other ways too.
 */
export async function checkState(page: Page, name: string): Promise<void> {
  const path = join(shots, `sweep-${name.replaceAll(/\W+/g, '-')}`);
  const isDark = name.length % 2 === 0;
  assert.is(await page.locator('[style]').count(), 0);
  if (isWhole || !isDark) await judge(page);
  if (isWhole) await page.screenshot({ path: `${path}-light-100.png` });
  if (isWhole || name.length % 3 === 0) await checkOtherWays(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await resize(page, 'twice');
  await holdToWidth(page);
  await resize(page, 'fourfold');
  await holdToWidth(page);
  if (isWhole || isDark) await judge(page);
  if (isWhole) await page.screenshot({ path: `${path}-dark-400.png` });
  await page.emulateMedia({ colorScheme: 'light' });
  await resize(page, 'full');
}
