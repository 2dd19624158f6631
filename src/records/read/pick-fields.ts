import { cutExcerpt, type Issue } from '../../kernel/envelope.ts';
import { Json } from '../../kernel/json.ts';
import { commaFilterSchema } from '../../kernel/page.ts';
import { splitValues } from '../kind/filters.ts';
import type { Kind } from '../kind/kind.ts';
import type { PresentedRecord } from '../kind/record.ts';

/** The query parameter that names the members to show. */
export const fieldsFilter = commaFilterSchema('Fields', 'Only such as name,skills.', 'name,skills');

/** Returns an issue if `fields` names a member that is not among the known ones. */
export function checkFields(fields: unknown, known: readonly string[]): Issue[] {
  if (typeof fields !== 'string') return [];
  const names = new Set(splitValues(fields));
  const unknown = [...names].filter((name) => !known.includes(name));
  if (names.size > 0 && unknown.length === 0) return [];
  const problem =
    names.size === 0 ? 'names no member' : `has unknown members (${cutExcerpt(unknown.join(', '))})`;
  const message = `${problem}; send any of ${known.join(', ')}`;
  return [{ path: 'fields', message }];
}

/** Returns those of the named members that an object has. */
export function pickNamed(object: Readonly<Record<string, unknown>>, names: readonly string[]) {
  const picked: Record<string, unknown> = {};
  for (const name of names) if (object[name] !== undefined) picked[name] = object[name];
  return picked;
}

export const listFields = ({ record }: Kind): string[] => Object.keys(record.entries);

/** Returns the links of a record to the records that it refers to. */
function pickReferences({ references }: Kind, { links }: PresentedRecord): object {
  const entries = Object.values(references).map((name) => [name, links[name]]);
  return entries.length > 0 ? { links: Object.fromEntries(entries) } : {};
}

/** Whether a record shows a member. It always shows its id, and `example: true`. */
export const showsMember = (name: string, value: unknown, chosen: ReadonlySet<string>): boolean =>
  name === 'id' || chosen.has(name) || (name === 'example' && value === true);

/**
 * Returns a function that leaves only some members in a row. Each row keeps its id, `example: true` and its links to
 * what it refers to. Without `fields` a row stays as it is.
 */
export function createRowPicker(kind: Kind, fields: string | undefined) {
  if (fields === undefined) return <T extends PresentedRecord>(row: Json<T>): Json<object> => row;
  const chosen = new Set(splitValues(fields));
  return (row: Json<PresentedRecord>): Json<object> => {
    const members = Object.entries(row.value).filter(([name, value]) => showsMember(name, value, chosen));
    const record = { ...pickReferences(kind, row.value), ...Object.fromEntries(members) };
    const { id, links, ...others } = record as { id?: unknown; links?: unknown };
    return Json.of({ id, ...others, ...(links !== undefined && { links }) });
  };
}
