import { el } from './dom.ts';

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;
/** Characters that are coloured; what follows stays plain, so that a large answer is drawn at once. */
const mostColoured = 40_000;

/** JSON text with its names, strings, numbers and words in spans of their own. */
export function drawJson(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const coloured = text.slice(0, mostColoured);
  let end = 0;
  for (const match of coloured.matchAll(token)) {
    const [whole, string, colon] = match;
    fragment.append(coloured.slice(end, match.index));
    const kind = string ? (colon ? 'j-name' : 'j-string') : /[\d-]/.test(whole[0]!) ? 'j-number' : 'j-word';
    fragment.append(el('span', { class: kind }, string ?? whole), colon ?? '');
    end = match.index + whole.length;
  }
  fragment.append(text.slice(end));
  return fragment;
}
