import type { Page } from 'playwright-core';

/** The most bytes of a page on the wire, compressed as the host sends it, without its font. */
export const mostPageBytes = 64_000;

/**
 * Counts the bytes that a page receives from now on, headers included, without those of fonts. Nothing comes from a cache.
 * Returns a function that reads the count.
 */
export async function countBytes(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const fonts = new Set<string>();
  let bytes = 0;
  session.on('Network.requestWillBeSent', ({ requestId, type }) => {
    if (type === 'Font') fonts.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!fonts.has(requestId)) bytes += encodedDataLength;
  });
  return () => bytes;
}
