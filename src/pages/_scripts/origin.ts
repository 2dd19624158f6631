import { withCopy } from './dom.ts';

/** Replaces the published origin in the page by the origin that the page is read at. */
for (const place of document.querySelectorAll('[data-origin]')) {
  if (place.textContent !== location.origin) place.textContent = location.origin;
}

for (const block of document.querySelectorAll<HTMLElement>('pre')) withCopy(block);
