import { need } from './dom.ts';

const nav = need<HTMLElement>(document, '.contents');
const filter = need<HTMLInputElement>(nav, '[data-filter]');

/** Shows the operations whose method, path or id has every word of the filter. */
function applyFilter(): void {
  const words = filter.value.toLowerCase().split(/\s+/);
  for (const group of nav.querySelectorAll<HTMLElement>('div')) {
    for (const link of group.querySelectorAll('a')) {
      const text = `${link.textContent} ${link.title}`.toLowerCase();
      link.parentElement!.hidden = !words.every((word) => text.includes(word));
    }
    group.hidden = group.querySelector('li:not([hidden])') === null;
  }
  const isEmpty = nav.querySelector('div:not([hidden])') === null;
  need(nav, '[data-none]').textContent = isEmpty ? 'No operation has this in its method, path or name.' : '';
}
filter.addEventListener('input', applyFilter);

/** Opens the entry that the address names. A browser does this only when a link is followed for the first time. */
function openNamed(): void {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const entry = named?.closest<HTMLDetailsElement>('details.entry');
  if (!entry) return;
  entry.open = true;
  entry.scrollIntoView();
}
addEventListener('hashchange', openNamed);
nav.addEventListener('click', ({ target }) => {
  const link = (target as Element).closest('a');
  if (!link) return;
  // On a phone the list is over the operations.
  need<HTMLDetailsElement>(nav, 'details').open = false;
  if (link.hash === location.hash) openNamed();
});
openNamed();

// One entry is open at a time, and the address names it, so that it can be shared.
const entries = document.querySelectorAll<HTMLDetailsElement>('details.entry');
for (const entry of entries)
  entry.addEventListener('toggle', () => {
    if (!entry.open) return;
    for (const other of entries) other.open = other === entry;
    const { id } = need(entry, 'article');
    if (location.hash !== `#${id}`) history.replaceState(null, '', `#${id}`);
  });
