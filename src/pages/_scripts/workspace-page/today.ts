import { html, type TemplateResult } from 'lit-html';
import { viewDue } from './due.ts';

/** Shows what needs a person, and what was done. */
export const viewToday =
  (): TemplateResult => html`<h2 class="unseen" id="today-name" tabindex="-1">Today</h2>
  ${viewDue()}`;
