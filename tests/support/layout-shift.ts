import type { Page } from 'playwright-core';

/** Runs before a page: adds up how far elements move without user input. */
function watchShifts(): void {
  const shifted = { sum: 0 };
  Object.assign(globalThis, { shifted });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    })[])
      if (!entry.hadRecentInput) shifted.sum += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Watches how far the elements of the documents that are opened next move without user input. */
export const watchLayoutShift = (page: Page): Promise<unknown> => page.addInitScript(watchShifts);

/** Reads how far elements moved since the document was opened (Cumulative Layout Shift, without a unit). */
export const readLayoutShift = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { shifted: { sum: number } }).shifted.sum);
