import { type ContractOperation, type Field, isAside, type Schema } from './contract.ts';
import { el } from './dom.ts';
import type { Values } from './request.ts';
import { toRule } from './schema-text.ts';

type Control = HTMLInputElement | HTMLTextAreaElement;

/** The form of one operation, and what it holds now. */
interface OperationForm {
  element: HTMLFormElement;
  read(): Values;
}

/** The types that a value may have, beside null. */
const toTypes = ({ type, anyOf = [] }: Schema) => [type, ...anyOf.map((one) => one.type)].flat();
const toItems = ({ items, anyOf = [] }: Schema) => items ?? anyOf.find((one) => one.items)?.items;
const isList = ({ schema }: Field) => toTypes(schema).includes('array') && toItems(schema)?.type === 'string';
const isObject = ({ schema }: Field) =>
  toTypes(schema).includes('object') ||
  (toTypes(schema).includes('array') && toItems(schema)?.type !== 'string');
const isNumeric = ({ schema }: Field) =>
  toTypes(schema).some((type) => type === 'number' || type === 'integer');

const isParsed = (field: Field) => isObject(field) || toTypes(field.schema).includes('boolean');

function toText(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What a text stands for in a body: what cannot be read as the type goes out as the text, to be refused. */
function toValue(field: Field, text: string): unknown {
  if (isList(field)) {
    return text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
  }
  if (isNumeric(field)) return /^\s*-?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : text;
  if (!isParsed(field)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function drawField(field: Field, id: string, value: unknown): { row: HTMLElement; control: Control } {
  const shared = {
    id,
    name: field.name,
    'aria-describedby': `${id}-hint`,
    autocomplete: 'off',
    spellcheck: 'false',
  };
  const control = isObject(field)
    ? el('textarea', { ...shared, rows: 3 })
    : el('input', { ...shared, type: 'text', inputmode: isNumeric(field) ? 'decimal' : undefined });
  control.value = toText(value);
  const hint = [
    field.description.replaceAll('`', '').replace(/\.?$/, '.'),
    isList(field) ? 'Separated by commas.' : isNumeric(field) ? `${toRule(field.schema)}.` : '',
  ];
  const row = el(
    'div',
    { class: 'field' },
    el(
      'label',
      { for: id },
      el('code', {}, field.name),
      field.required ? el('span', { class: 'must' }, 'required') : '',
    ),
    control,
    el('p', { class: 'hint', id: `${id}-hint` }, hint.filter((part) => part && part !== '.').join(' ')),
  );
  return { row, control };
}

/** Draws a form from the schema of an operation, filled with an example. */
export function drawForm(operation: ContractOperation, example: Values, prefix: string): OperationForm {
  const drawn = operation.fields.map((field) => ({
    field,
    ...drawField(field, `${prefix}-${operation.operationId}-${field.name}`, example[field.place][field.name]),
  }));
  const rows = drawn.filter(({ field }) => !isAside(field)).map(({ row }) => row);
  const asides = drawn.filter(({ field }) => isAside(field)).map(({ row }) => row);
  const element = el(
    'form',
    { novalidate: true, autocomplete: 'off' },
    ...rows,
    asides.length > 0 && el('details', { class: 'asides' }, el('summary', {}, 'Other headers'), ...asides),
  );
  return {
    element,
    read() {
      const values: Values = { path: {}, query: {}, header: {}, body: {} };
      for (const { field, control } of drawn) {
        if (control.value === '') continue;
        if (field.place === 'body') values.body[field.name] = toValue(field, control.value);
        else values[field.place][field.name] = control.value;
      }
      return values;
    },
  };
}
