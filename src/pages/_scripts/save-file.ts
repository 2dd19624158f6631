import { el } from './dom.ts';

/** Saves a text as a file of the person. */
export function saveFile(name: string, text: string, type: string): void {
  const href = URL.createObjectURL(new Blob([text], { type }));
  el('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
