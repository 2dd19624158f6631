import { html, type TemplateResult } from 'lit-html';

/**
 * Isolates a value that a caller sent from the text around it, so that its writing direction does not reorder our
 * words (HTML, the bdi element).
 */
export const isolate = (value: unknown): TemplateResult => html`<bdi>${value}</bdi>`;

/** Isolates each value, and puts `between` between them. */
export const isolateEach = (values: readonly unknown[], between: string): TemplateResult[] =>
  values.map((value, index) => html`${index === 0 ? '' : between}${isolate(value)}`);
