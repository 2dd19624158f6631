import { html, nothing, render } from 'lit-html';
import { callApi } from '../api-client.ts';
import { need } from '../dom.ts';
import type { FormField } from './form-field.ts';

interface FieldOptions {
  id: string;
  value?: unknown;
  /** Whether the field accepts any text, to show how the service refuses it. */
  isFree?: boolean;
  hint?: string;
  /** Labels of choices whose values are not what a person would say. */
  choiceWords?: Record<string, string>;
}

/** Returns what separates the entries of a list: a comma if the field accepts any text, otherwise a line break. */
const getSeparator = (isFree: boolean) => (isFree ? ',' : '\n');

function formatValue(value: unknown, isFree: boolean): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.join(isFree ? ', ' : '\n');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Parses a text as the type of a field. A text that does not fit the type is sent as text, so that it is refused. */
function parseValue({ type }: FormField, text: string, isFree: boolean): unknown {
  if (text.trim() === '') return undefined;
  if (type === 'list' || type === 'choices') {
    const parts = text.split(getSeparator(isFree)).map((part) => part.trim());
    return parts.filter(Boolean);
  }
  if (type === 'number') return Number.isFinite(Number(text)) ? Number(text) : text;
  if (type !== 'json' && type !== 'flag') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const isCode = ({ name }: FormField, isFree: boolean) => name === 'onetCode' && !isFree;

const waitMs = 200;

/** Makes the field of a code offer occupations that fit a typed title, in a list below it. */
function offerCodes(input: HTMLInputElement, list: HTMLElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (hits: { id: string; title: string }[] = []) =>
    render(
      hits.map(
        ({ id, title }) =>
          html`<li><button type="button" class="link" @click=${() => choose(id)}>${title} ${id}</button></li>`,
      ),
      list,
    );
  const choose = (id: string) => {
    input.value = id;
    show();
    input.focus();
  };
  const search = async () => {
    const q = input.value.trim();
    if (q.length < 2 || /^\d/.test(q)) return show();
    const { body } = await callApi('GET', `/occupations?${new URLSearchParams({ q, limit: '5' })}`);
    if (input.value.trim() === q) show(body.occupations);
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => search().catch(() => show()), waitMs);
  });
}

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
function viewControl(field: FormField, options: FieldOptions) {
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
function explainField({ type }: FormField, isCodeField: boolean, isFree: boolean): string {
  if (isCodeField) return 'Type a job title, then choose.';
  if (isFree) return type === 'list' || type === 'choices' ? 'Separated by commas.' : '';
  return type === 'list' ? 'One on each line.' : '';
}

/** Returns the chosen entries: those of the value that it had in their order, then the others. */
function readChoices(checks: readonly HTMLInputElement[], value: unknown): string[] | undefined {
  const chosen = checks.filter(({ checked }) => checked).map((check) => check.value);
  const before = Array.isArray(value) ? (value as string[]) : [];
  const stillChosen = before.filter((entry) => chosen.includes(entry));
  return chosen.length > 0 ? [...new Set([...stillChosen, ...chosen])] : undefined;
}

/** Draws a field of a form from its description in the contract. */
export function drawField(field: FormField, options: FieldOptions) {
  const { id, value, isFree = false, hint = field.hint } = options;
  const code = isCode(field, isFree);
  const how = explainField(field, code, isFree);
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
  if (checks.length === 0) control.value = formatValue(value, isFree);
  if (code) offerCodes(control, need(row, '.offered'));
  const read = (): unknown => {
    if (checks.length === 0) return parseValue(field, control.value, isFree);
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
