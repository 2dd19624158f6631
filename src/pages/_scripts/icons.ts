import { html, type TemplateResult } from 'lit-html';
import { type IconName, iconPaths } from './icon-paths.ts';

/** Shows an icon that only decorates: the words beside it say the same. `Icon.astro` shows the same in a document. */
export const viewIcon = (name: IconName): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${iconPaths[name]} /></svg>`;
