import { callApi } from './api-client.ts';
import type { FormField } from './contract.ts';
import { el } from './dom.ts';

interface FieldOptions {
  id: string;
  value?: unknown;
  /** Whether anything may be typed, so that a caller sees how it is refused. */
  isFree?: boolean;
  hint?: string;
  /** Words for choices, where their own are not what a person says. */
  choiceWords?: Record<string, string>;
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What a text is in a body: what cannot be read as the type goes out as the text, to be refused. */
function toValue({ type }: FormField, text: string): unknown {
  if (text.trim() === '') return undefined;
  if (type === 'list') {
    const parts = text.split(',').map((part) => part.trim());
    return parts.filter(Boolean);
  }
  if (type === 'number') return Number.isFinite(Number(text)) ? Number(text) : text;
  if (type !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const waitMs = 200;

/** Offers the occupations that fit a title typed into the field of a code. Answers their list, to be put below it. */
function offerCodes(input: HTMLInputElement): HTMLElement {
  const list = el('ul', { class: 'plain offered', 'aria-label': 'Occupations that fit' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const choose = (id: string) => {
    input.value = id;
    list.replaceChildren();
    input.focus();
  };
  const search = async () => {
    const q = input.value.trim();
    if (q.length < 2 || /^\d/.test(q)) return list.replaceChildren();
    const { body } = await callApi('GET', `/occupations?${new URLSearchParams({ q, limit: '5' })}`);
    if (input.value.trim() !== q) return;
    const hits = (body.occupations ?? []) as { id: string; title: string }[];
    const rows = hits.map(({ id, title }) => {
      const button = el('button', { type: 'button', class: 'link' }, `${title} ${id}`);
      button.addEventListener('click', () => choose(id));
      return el('li', {}, button);
    });
    list.replaceChildren(...rows);
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => search().catch(() => list.replaceChildren()), waitMs);
  });
  return list;
}

function drawControl(field: FormField, { id, isFree = false, choiceWords }: FieldOptions) {
  const { name, type, choices = [], maxLength, min, max, whole, required } = field;
  const shared = { id, name, 'aria-describedby': `${id}-hint`, autocomplete: 'off' };
  const words = { ...shared, spellcheck: 'false', dir: isFree ? undefined : 'auto' };
  if (type === 'json') return el('textarea', { ...words, rows: 3 });
  if (isFree)
    return el('input', { ...words, type: 'text', inputmode: type === 'number' ? 'decimal' : undefined });
  if (type === 'choice') {
    const options = choices.map((one) => [one, choiceWords?.[one] ?? one.replaceAll('-', ' ')] as const);
    const all = [['', required ? 'Choose' : 'None'] as const, ...options];
    return el(
      'select',
      { ...shared, required },
      ...all.map(([value, text]) => el('option', { value }, text)),
    );
  }
  if (type === 'text' && (maxLength ?? 0) > 200)
    return el('textarea', { ...words, required, rows: 3, maxlength: maxLength });
  const bounds = type === 'number' ? { min, max, step: whole ? 1 : 'any', inputmode: 'decimal' } : {};
  const input = type === 'number' || type === 'date' ? type : 'text';
  return el('input', {
    ...words,
    ...bounds,
    type: input,
    required,
    maxlength: type === 'text' ? maxLength : undefined,
  });
}

/** Draws a field of a form from what the contract says of it. */
export function drawField(field: FormField, options: FieldOptions) {
  const { id, value, isFree = false, hint = field.hint } = options;
  const control = drawControl(field, options);
  control.value = toText(value);
  const isCode = field.name === 'onetCode' && !isFree;
  if (isCode) control.removeAttribute('maxlength');
  const fault = el('p', { class: 'fault', hidden: true });
  const name = isFree ? el('code', {}, field.name) : field.title;
  const required = field.required && el('span', { class: 'must' }, ' required');
  const how = isCode ? 'Type a job title, then choose.' : field.type === 'list' && 'Separated by commas.';
  const row = el(
    'div',
    { class: 'field' },
    el('label', { for: id }, name, required),
    control,
    isCode && offerCodes(control as HTMLInputElement),
    el('p', { class: 'hint', id: `${id}-hint` }, [hint, how].filter(Boolean).join(' ')),
    fault,
  );
  return {
    field,
    /** The label, the control, its hint, and the place where its faults are shown. */
    row,
    control,
    /** What the control has, as a body has it; undefined where it is empty. */
    read: () => toValue(field, control.value),
    /** Shows faults at the field; an empty text takes them away. */
    showFault(text: string) {
      fault.hidden = text === '';
      fault.textContent = text;
      control.setAttribute('aria-invalid', String(text !== ''));
    },
  };
}
