import { type DrawnField, drawField } from '../../_scripts/form/draw-field.ts';
import { settleTitle } from './import-actions.ts';

const codeField = { name: 'onetCode', title: 'Occupation', hint: '', type: 'text', required: false } as const;

/** The fields in which a person looks for the occupation of a title, of the file with this name and these titles. */
const fields = new Map<string, DrawnField>();

/** Forgets the fields of the file before. */
export const forgetTitleFields = (): void => fields.clear();

export const findTitleField = (title: string): DrawnField | undefined => fields.get(title);

/** Draws the field for a title. It settles the title once an occupation is chosen. */
export function openTitleField(title: string, code: string | null): DrawnField {
  const words = title === '' ? 'rows without a title' : `“${title}”`;
  const field = drawField(
    { ...codeField, title: `Occupation of ${words}` },
    { id: `title-${fields.size}`, value: code ?? undefined },
  );
  fields.set(title, field);
  field.control.addEventListener('change', () => {
    const chosen = field.control.value.trim();
    if (/^\d{2}-\d{4}/.test(chosen)) settleTitle(title, chosen);
  });
  return field;
}
