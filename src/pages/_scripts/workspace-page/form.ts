import { el } from '../dom.ts';
import { Refused } from './ask.ts';
import type { FieldFacts } from './facts.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
export type Values = Record<string, unknown>;

interface FormParts {
  fields: readonly FieldFacts[];
  /** What the fields begin with. */
  values?: Values;
  submit: string;
  /** Called with what was given; a member that is empty is undefined. A Refused is shown in the form. */
  run(values: Values): Promise<unknown>;
  /** Where there is one, the person may leave the form. */
  leave?(): void;
  /** Words under the title of a field, in the place of what the contract says. */
  hints?: Record<string, string>;
  choiceWords?: Record<string, string>;
}

let drawn = 0;

const toText = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : value === undefined || value === null ? '' : String(value);

function drawControl(
  { type, choices = [], maxLength, min, max, whole, required }: FieldFacts,
  id: string,
  parts: FormParts,
): Control {
  const shared = { id, 'aria-describedby': `${id}-hint`, required, autocomplete: 'off' };
  if (type === 'choice') {
    const first = el('option', { value: '' }, required ? 'Choose' : 'None');
    const rest = choices.map((one) =>
      el('option', { value: one }, parts.choiceWords?.[one] ?? one.replaceAll('-', ' ')),
    );
    return el('select', shared, first, ...rest);
  }
  if (type === 'number')
    return el('input', {
      ...shared,
      type: 'number',
      min,
      max,
      step: whole ? 1 : 'any',
      inputmode: 'decimal',
    });
  if (type === 'date') return el('input', { ...shared, type: 'date' });
  if (type === 'text' && (maxLength ?? 0) > 200)
    return el('textarea', { ...shared, rows: 3, maxlength: maxLength });
  return el('input', {
    ...shared,
    type: 'text',
    maxlength: type === 'text' ? maxLength : undefined,
    dir: 'auto',
    spellcheck: 'false',
  });
}

/** What a control holds, as the service takes it; undefined where it is empty. */
function toValue({ type }: FieldFacts, text: string): unknown {
  if (text.trim() === '') return undefined;
  if (type === 'number') return Number(text);
  if (type !== 'list') return text;
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Draws a form for people from the facts of its fields. */
export function drawForm(parts: FormParts): HTMLFormElement {
  const { fields, values = {}, submit, run, leave } = parts;
  drawn += 1;
  const rows = fields.map((field) => {
    const id = `f${drawn}-${field.name}`;
    const control = drawControl(field, id, parts);
    control.value = toText(values[field.name]);
    control.name = field.name;
    const fault = el('p', { class: 'fault', hidden: true });
    const words =
      parts.hints?.[field.name] ?? `${field.hint}${field.type === 'list' ? ' With commas between.' : ''}`;
    const row = el(
      'div',
      { class: 'given' },
      el('label', { for: id }, field.title, field.required ? el('span', { class: 'must' }, ' needed') : ''),
      control,
      el('p', { class: 'hint', id: `${id}-hint` }, words),
      fault,
    );
    return { field, control, fault, row };
  });
  const problem = el('p', { class: 'verdict is-blocked', role: 'alert', hidden: true });
  const send = el('button', { type: 'submit', class: 'button' }, submit);
  const back = el('button', { type: 'button', class: 'button quiet' }, 'Leave it');
  back.addEventListener('click', () => leave?.());
  const form = el('form', { class: 'giving', autocomplete: 'off' }, ...rows.map(({ row }) => row), problem);
  form.append(el('p', { class: 'actions' }, send, leave ? back : ''));

  function tell(error: unknown): void {
    const issues =
      error instanceof Refused ? ((error.body.issues ?? []) as { path: string; message: string }[]) : [];
    for (const { field, fault, control } of rows) {
      const own = issues.filter(({ path }) => path === field.name || path.startsWith(`${field.name}[`));
      fault.hidden = own.length === 0;
      fault.textContent = own.map(({ message }) => `This ${message}.`).join(' ');
      control.setAttribute('aria-invalid', String(own.length > 0));
    }
    problem.hidden = false;
    problem.textContent = (error as Error).message;
    rows.find(({ fault }) => !fault.hidden)?.control.focus();
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    send.disabled = true;
    problem.hidden = true;
    try {
      await run(
        Object.fromEntries(rows.map(({ field, control }) => [field.name, toValue(field, control.value)])),
      );
    } catch (error) {
      tell(error);
    } finally {
      send.disabled = false;
    }
  });
  return form;
}
