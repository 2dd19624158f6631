import type { Field, Schema } from '../contract.ts';
import { splitWords, toSentenceCase } from '../format.ts';

/** Returns a schema without null, which only removes a member. Of several other forms it returns the first. */
function withoutNull(whole: Schema): Schema {
  const { type, enum: choices, ...schema } = whole.anyOf?.find((form) => form.type !== 'null') ?? whole;
  const own = Array.isArray(type) ? type.find((name) => name !== 'null') : type;
  const values = choices?.filter((choice) => choice !== null);
  return { ...schema, ...(own !== undefined && { type: own }), ...(values && { enum: values }) };
}

/** `choices` is a list of fixed values. `json` is any other list or object. */
type FieldType = 'text' | 'number' | 'date' | 'list' | 'choice' | 'choices' | 'flag' | 'json';

function toFieldType({ type, enum: choices, items, format }: Schema): FieldType {
  if (choices) return 'choice';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'array' && items?.enum) return 'choices';
  if (type === 'array' && items?.type === 'string') return 'list';
  if (type === 'boolean') return 'flag';
  if (type === 'array' || type === 'object') return 'json';
  return format === 'date' ? 'date' : 'text';
}

/** Returns what a form needs to draw a field. */
export function toFormField({ name, required, schema: whole, description }: Field) {
  const schema = withoutNull(whole);
  const { maxLength, minimum, maximum, exclusiveMinimum, type, title } = schema;
  const choices = type === 'boolean' ? ['true', 'false'] : (schema.enum ?? schema.items?.enum);
  const min = minimum ?? exclusiveMinimum;
  return {
    name,
    title: title ?? toSentenceCase(splitWords(name)),
    hint: description.replaceAll('`', ''),
    type: toFieldType(schema),
    required,
    ...(choices && { choices: choices as readonly string[] }),
    ...(maxLength !== undefined && { maxLength }),
    ...(min !== undefined && { min }),
    ...(maximum !== undefined && { max: maximum }),
    ...(type === 'integer' && { whole: true }),
  };
}

export type FormField = ReturnType<typeof toFormField>;
