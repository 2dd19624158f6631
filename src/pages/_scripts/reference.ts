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

/** Opens what the address names, which a browser does by itself only where it is followed for the first time. */
function openNamed(): void {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const entry = named?.closest<HTMLDetailsElement>('details.entry');
  if (!entry) return;
  entry.open = true;
  entry.scrollIntoView();
}
addEventListener('hashchange', openNamed);
nav.addEventListener('click', ({ target }) => {
  if ((target as Element).closest('a')?.hash === location.hash) openNamed();
});
openNamed();

// An operation that is opened by hand has an address to give on.
for (const entry of document.querySelectorAll<HTMLDetailsElement>('details.entry'))
  entry.addEventListener('toggle', () => {
    const { id } = need(entry, 'article');
    if (entry.open && location.hash !== `#${id}`) history.replaceState(null, '', `#${id}`);
  });
