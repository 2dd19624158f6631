import { html, nothing, render } from 'lit-html';
import { callApi } from './api-client.ts';
import { need } from './dom.ts';
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

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Parses a text as the type of a field. A text that does not fit the type is sent as text, so that it is refused. */
function parseValue({ type }: FormField, text: string): unknown {
  if (text.trim() === '') return undefined;
  if (type === 'list') {
    const parts = text.split(',').map((part) => part.trim());
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

function viewControl(field: FormField, { id, isFree = false, choiceWords }: FieldOptions) {
  const { name, type, choices = [], maxLength, min, max, whole, required } = field;
  const dir = isFree ? nothing : 'auto';
  const most = isFree || type !== 'text' ? nothing : (maxLength ?? nothing);
  const isLong = type === 'json' || (!isFree && type === 'text' && (maxLength ?? 0) > 200);
  if (isLong)
    return html`<textarea id=${id} name=${name} rows="3" aria-describedby=${`${id}-hint`} autocomplete="off"
      spellcheck="false" dir=${dir} maxlength=${most} ?required=${required && type === 'text'}></textarea>`;
  if ((type === 'choice' || type === 'flag') && !isFree) {
    const options = choices.map(
      (choice) => [choice, choiceWords?.[choice] ?? choice.replaceAll('-', ' ')] as const,
    );
    return html`<select id=${id} name=${name} aria-describedby=${`${id}-hint`} autocomplete="off" ?required=${required}>
      ${[['', required ? 'Choose' : 'None'] as const, ...options].map(([value, text]) => html`<option value=${value}>${text}</option>`)}
    </select>`;
  }
  const isNumber = type === 'number' && !isFree;
  const input = !isFree && (type === 'number' || type === 'date') ? type : 'text';
  return html`<input id=${id} name=${name} type=${input} aria-describedby=${`${id}-hint`} autocomplete="off"
    spellcheck="false" dir=${dir} maxlength=${isCode(field, isFree) ? nothing : most} ?required=${required && !isFree}
    inputmode=${type === 'number' ? 'decimal' : nothing} min=${(isNumber ? min : nothing) ?? nothing}
    max=${(isNumber ? max : nothing) ?? nothing} step=${isNumber ? (whole ? 1 : 'any') : nothing} />`;
}

/** Draws a field of a form from its description in the contract. */
export function drawField(field: FormField, options: FieldOptions) {
  const { id, value, isFree = false, hint = field.hint } = options;
  const code = isCode(field, isFree);
  const how = code ? 'Type a job title, then choose.' : field.type === 'list' && 'Separated by commas.';
  const row = document.createElement('div');
  row.className = 'field';
  const draw = (fault = '') =>
    render(
      html`<label for=${id}>${isFree ? html`<code>${field.name}</code>` : field.title}${field.required ? html`<span class="must"> required</span>` : ''}</label>
        ${viewControl(field, options)}
        ${code ? html`<ul class="plain offered" aria-label="Occupations that fit"></ul>` : ''}
        <p class="hint" id=${`${id}-hint`}>${[hint, how].filter(Boolean).join(' ')}</p>
        <p class="fault" ?hidden=${fault === ''}>${fault}</p>`,
      row,
    );
  draw();
  const control = need<HTMLInputElement>(row, 'input, select, textarea');
  control.value = formatValue(value);
  if (code) offerCodes(control, need(row, '.offered'));
  return {
    field,
    /** The label, the control, its hint, and the place for its faults. */
    row,
    control,
    /** Returns the value for a body, or undefined if the control is empty. */
    read: () => parseValue(field, control.value),
    /** Shows a fault at the field. An empty text removes it. */
    showFault(text: string) {
      draw(text);
      control.setAttribute('aria-invalid', String(text !== ''));
    },
  };
}
