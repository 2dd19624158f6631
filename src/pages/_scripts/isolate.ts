import { html, type TemplateResult } from 'lit-html';

/**
 * A value that somebody sent, set apart from the text around it: its writing direction does not reorder our own words
 * (HTML, the bdi element).
 */
export const isolate = (value: unknown): TemplateResult => html`<bdi>${value}</bdi>`;

/** Values that are each set apart, with `between` between two of them. */
export const isolateEach = (values: readonly unknown[], between: string): TemplateResult[] =>
  values.map((value, index) => html`${index === 0 ? '' : between}${isolate(value)}`);
