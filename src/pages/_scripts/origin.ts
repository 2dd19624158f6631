import { withCopy } from './dom.ts';

/** Where a page tells the published origin, it tells the one that it is read at. */
for (const place of document.querySelectorAll('[data-origin]')) {
  if (place.textContent !== location.origin) place.textContent = location.origin;
}

for (const block of document.querySelectorAll<HTMLElement>('pre:not(.copyable > pre)')) withCopy(block);
