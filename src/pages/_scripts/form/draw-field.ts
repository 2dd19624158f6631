/** A form for the body of an operation: its controls, reading them, and showing what the service refuses. */
import { html, render } from 'lit-html';
import { need } from '../dom.ts';
import { explainField, type FieldOptions, isCode, viewControl } from './controls.ts';
import type { FormField } from './form-field.ts';
import { offerCodes } from './offer-codes.ts';
import { formatControlText, parseControlText, readChoices } from './values.ts';

/** Draws a field of a form from its description in the contract. */
export function drawField(field: FormField, options: FieldOptions) {
  const { id, value, isFree = false, hint = field.hint } = options;
  const code = isCode(field, isFree);
  const how = explainField(field, isFree);
  const row = document.createElement('div');
  row.className = 'field';
  const draw = (fault = '') =>
    render(
      html`${viewControl(field, options)}
        ${code ? html`<ul class="plain offered" aria-label="Occupations that fit"></ul>` : ''}
        <p class="hint" id=${`${id}-hint`}>${[hint, how].filter(Boolean).join(' ')}</p>
        <p class="fault" ?hidden=${fault === ''}>${fault}</p>`,
      row,
    );
  draw();
  const control = need<HTMLInputElement>(row, 'input, select, textarea');
  const checks = [...row.querySelectorAll<HTMLInputElement>('[type=checkbox]')];
  const texts = [value].flat().map(String);
  for (const check of checks) check.checked = texts.includes(check.value);
  if (checks.length === 0) control.value = formatControlText(value, isFree);
  if (code) offerCodes(control, need(row, '.offered'));
  const read = (): unknown => {
    if (checks.length === 0) return parseControlText(field, control.value, isFree);
    return field.type === 'flag' ? control.checked || undefined : readChoices(checks, value);
  };
  return {
    field,
    /** The label, the control, its hint, and the place for its faults. */
    row,
    control,
    /** Returns the value for a body, or undefined if the control is empty. */
    read,
    /** Shows a fault at the field. An empty text removes it. */
    showFault(text: string) {
      draw(text);
      control.setAttribute('aria-invalid', String(text !== ''));
    },
  };
}

/** A field of a form on the page. */
export type DrawnField = ReturnType<typeof drawField>;
