import type { FormField } from './form-field.ts';

/** Returns what separates the entries of a list: a comma if the field accepts any text, otherwise a line break. */
const getSeparator = (isFree: boolean) => (isFree ? ',' : '\n');

/** Formats a value as the text of its control. */
export function formatControlText(value: unknown, isFree: boolean): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.join(isFree ? ', ' : '\n');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Parses a text as the type of a field. A text that does not fit the type is sent as text, so that it is refused. */
export function parseControlText({ type }: FormField, text: string, isFree: boolean): unknown {
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

/** Returns the chosen entries: those of the value that it had in their order, then the others. */
export function readChoices(checks: readonly HTMLInputElement[], value: unknown): string[] | undefined {
  const chosen = checks.filter(({ checked }) => checked).map((check) => check.value);
  const before = Array.isArray(value) ? (value as string[]) : [];
  const stillChosen = before.filter((entry) => chosen.includes(entry));
  return chosen.length > 0 ? [...new Set([...stillChosen, ...chosen])] : undefined;
}

/** The values of a form, as a body has them. A member whose control is empty is undefined. */
export type FormValues = Record<string, unknown>;

/** Reads a form into a body. */
export const readForm = (fields: readonly { field: FormField; read(): unknown }[]): FormValues =>
  Object.fromEntries(fields.map(({ field, read }) => [field.name, read()]));
