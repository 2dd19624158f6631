import { el } from './dom.ts';
import { toJsonTokens } from './json-tokens.ts';

/** Characters that are coloured; what follows stays plain, so that a large answer is drawn at once. */
const mostColoured = 40_000;

/** JSON text with its names, strings, numbers and words in spans of their own. */
export function drawJson(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const { kind, text: part } of toJsonTokens(text.slice(0, mostColoured))) {
    fragment.append(kind ? el('span', { class: `j-${kind}` }, part) : part);
  }
  fragment.append(text.slice(mostColoured));
  return fragment;
}
