import { html, nothing, type TemplateResult } from 'lit-html';
import { findKind } from '../state/page-facts.ts';
import { formatHash, isBoard } from '../state/route.ts';
import { state } from '../state/state.ts';

/** Shows the switch between the table of placements and their board. */
export function viewSwitch(): TemplateResult {
  const kind = findKind('placement');
  const isOn = isBoard(state.route);
  const ways = [
    { words: 'Table', href: formatHash(kind), isHere: !isOn },
    { words: 'Board', href: formatHash(kind, { view: 'board' }), isHere: isOn },
  ];
  return html`<nav class="switch" aria-label="View"><ul class="plain">${ways.map(
    ({ words, href, isHere }) =>
      html`<li><a href=${href} aria-current=${isHere ? 'page' : nothing}>${words}</a></li>`,
  )}</ul></nav>`;
}
