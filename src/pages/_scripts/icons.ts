import { html, svg, type TemplateResult } from 'lit-html';

/** Paths of icons in a square of 24. */
const paths = {
  check: svg`<path d="M4 12.5 9.5 18 20 6.5" />`,
  cross: svg`<path d="M6 6 18 18M18 6 6 18" />`,
};

/** Shows an icon that only decorates: the words beside it say the same. */
export const viewIcon = (name: keyof typeof paths): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${paths[name]}</svg>`;
