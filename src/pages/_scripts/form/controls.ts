import { html, nothing } from 'lit-html';
import type { FormField } from './form-field.ts';

/** How a field is drawn, besides what its description says. */
export interface FieldOptions {
  id: string;
  value?: unknown;
  /** Whether the field accepts any text, to show how the service refuses it. */
  isFree?: boolean;
  hint?: string;
  /** Labels of choices whose values are not what a person would say. */
  choiceWords?: Record<string, string>;
}

/** Whether a field takes the code of an occupation, which a person finds by a title. */
export const isCode = ({ name }: FormField, isFree: boolean) => name === 'onetCode' && !isFree;

const sayChoice = (choice: string, words: FieldOptions['choiceWords']) =>
  words?.[choice] ?? choice.replaceAll('-', ' ');

/** Draws a checkbox with its label. */
const viewCheck = (id: string, name: string, words: unknown, value = 'true') =>
  html`<label class="check" for=${id}><input type="checkbox" id=${id} name=${name} value=${value}
    aria-describedby=${`${id}-hint`} autocomplete="off" /> <span>${words}</span></label>`;

function viewTextArea({ name, type, maxLength, required }: FormField, id: string, isFree: boolean) {
  const most = isFree || type !== 'text' ? nothing : (maxLength ?? nothing);
  return html`<textarea id=${id} name=${name} rows="3" aria-describedby=${`${id}-hint`} autocomplete="off"
    spellcheck="false" dir=${isFree ? nothing : 'auto'} maxlength=${most} ?required=${required && type === 'text'}></textarea>`;
}

function viewSelect({ name, choices = [], required }: FormField, { id, choiceWords }: FieldOptions) {
  const options = choices.map((choice) => [choice, sayChoice(choice, choiceWords)] as const);
  return html`<select id=${id} name=${name} aria-describedby=${`${id}-hint`} autocomplete="off" ?required=${required}>
    ${[['', required ? 'Choose' : 'None'] as const, ...options].map(([value, text]) => html`<option value=${value}>${text}</option>`)}
  </select>`;
}

function viewInput(field: FormField, { id, isFree = false }: FieldOptions) {
  const { name, type, maxLength, min, max, whole, required } = field;
  const most = isFree || type !== 'text' || isCode(field, isFree) ? undefined : maxLength;
  const isNumber = type === 'number' && !isFree;
  const input = !isFree && (type === 'number' || type === 'date') ? type : 'text';
  return html`<input id=${id} name=${name} type=${input} aria-describedby=${`${id}-hint`} autocomplete="off"
    spellcheck="false" dir=${isFree ? nothing : 'auto'} maxlength=${most ?? nothing} ?required=${required && !isFree}
    inputmode=${type === 'number' ? 'decimal' : nothing} min=${(isNumber ? min : nothing) ?? nothing}
    max=${(isNumber ? max : nothing) ?? nothing} step=${isNumber ? (whole ? 1 : 'any') : nothing} />`;
}

/** Draws the control of a field with its label. */
export function viewControl(field: FormField, options: FieldOptions) {
  const { id, isFree = false, choiceWords } = options;
  const { name, title, type, choices = [], maxLength = 0, required } = field;
  const must = required ? html`<span class="must"> required</span>` : '';
  if (type === 'flag' && !isFree) return viewCheck(id, name, html`${title}${must}`);
  if (type === 'choices' && !isFree)
    return html`<fieldset aria-describedby=${`${id}-hint`}><legend>${title}${must}</legend>
      ${choices.map((choice, at) => viewCheck(at === 0 ? id : `${id}-${choice}`, name, sayChoice(choice, choiceWords), choice))}
    </fieldset>`;
  const isLong = type === 'json' || (!isFree && (type === 'list' || (type === 'text' && maxLength > 200)));
  const view = () => {
    if (isLong) return viewTextArea(field, id, isFree);
    return type === 'choice' && !isFree ? viewSelect(field, options) : viewInput(field, options);
  };
  return html`<label for=${id}>${isFree ? html`<code>${name}</code>` : title}${must}</label>${view()}`;
}

/** Says how to fill in a field, if its label does not. */
export function explainField(field: FormField, isFree: boolean): string {
  const { type } = field;
  if (isCode(field, isFree)) return 'Type a job title, then choose. Enter takes the first.';
  if (isFree) return type === 'list' || type === 'choices' ? 'Separated by commas.' : '';
  return type === 'list' ? 'One on each line.' : '';
}
