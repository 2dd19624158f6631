import type { JsonSchema } from '../../../src/kernel/json-schema.ts';

/** Stands for eight digits that each call has of its own, so that no answer comes from a cache. */
export const serial = 'NNNNNNNN';

export type Args = Record<string, unknown>;

/** What is sent for a member that the service refuses at its largest: the value of the sample, or nothing. */
export type Choice = 'sample' | 'left out';

export interface Making {
  /** By the path of a member, such as `candidates[].name`. */
  choices: Map<string, Choice>;
  /** The share of the most objects in a list, and of the longest text, so that all of it fits into a body. */
  share: number;
  /** What texts are filled with. */
  filler: string;
  /** Whether each value breaks a limit or is none of those to choose from. */
  isWrong: boolean;
}

/** Maximum characters of a text in a list of objects. A list of longer ones would fit into no body. */
const mostOfItem = 5000;
const usualLength = 200;
const misspelled = 20;

const isItem = (path: string) => path.includes('[]');

/** A value to make: its schema, that of the sample, its path, and numbers that no other item of its lists has. */
interface Spot {
  schema: JsonSchema;
  sample: unknown;
  path: string;
  at: string;
}

function makeText({ schema, path, at }: Spot, { filler, share, isWrong }: Making): string {
  const { maxLength = usualLength } = schema as { maxLength?: number };
  const whole = isItem(path) ? Math.min(maxLength, mostOfItem) : Math.floor(maxLength * share);
  const filled = `${serial} ${at} ${filler.repeat(Math.ceil(whole / filler.length))}`;
  const text = [...filled.slice(0, 2 * whole)].slice(0, whole).join('');
  return isWrong && maxLength <= mostOfItem ? text + 'x'.repeat(maxLength + 1 - whole) : text;
}

/** Returns a text for a pattern of some characters, as refs have it. Returns undefined for any other pattern. */
function makeByPattern(pattern: string, at: string): string | undefined {
  const most = Number(/\{1,(\d+)\}\$$/.exec(pattern)?.[1]);
  const text = `${serial}-${at}`.padEnd(most || 0, 'x');
  return new RegExp(pattern).test(text) ? text : undefined;
}

function makeString(spot: Spot, making: Making): unknown {
  const { schema, sample, at } = spot;
  const { pattern, format } = schema as { pattern?: string; format?: string };
  if (format === 'date') return making.isWrong ? '2027-02-30' : (sample ?? '2027-01-11');
  if (pattern === undefined || pattern === '\\S') return makeText(spot, making);
  if (making.isWrong) return `${serial}/${at}`;
  return makeByPattern(pattern, at) ?? sample;
}

function makeNumber({ schema, sample }: Spot, { isWrong }: Making): unknown {
  const { maximum } = schema as { maximum?: number };
  if (isWrong) return (maximum ?? 0) + 0.5;
  return maximum === undefined || maximum > 1e12 ? (sample ?? 1) : maximum;
}

/** Adds names that are nearly those of the schema, which the service compares with all of them. */
function addMisspelled(names: readonly string[], args: Args): void {
  for (let at = 0; at < misspelled && names.length > 0; at += 1)
    args[`${names[at % names.length]}${serial}${at}`] = at;
}

function makeObject({ schema, sample, path, at }: Spot, making: Making): Args {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return (sample ?? {}) as Args;
  const made: Args = {};
  for (const [name, member] of properties) {
    const spot = {
      schema: member,
      sample: (sample as Args | undefined)?.[name],
      path: path === '' ? name : `${path}.${name}`,
      at,
    };
    const value = makeValue(spot, making);
    if (value !== undefined) made[name] = value;
  }
  if (making.isWrong && path === '') addMisspelled(Object.keys(made), made);
  return made;
}

function makeList({ schema, sample, path, at }: Spot, making: Making): unknown[] {
  const { items = {}, maxItems = 5 } = schema as { items?: JsonSchema; maxItems?: number };
  const known = Array.isArray(sample) ? sample : [];
  const values = items.enum?.length ?? Number.POSITIVE_INFINITY;
  const most = items.properties ? Math.max(1, Math.floor(maxItems * making.share)) : maxItems;
  return Array.from({ length: Math.min(most, values) }, (_, index) => {
    if (items.enum && !making.isWrong) return items.enum[index];
    const own = known[index % Math.max(1, known.length)];
    return makeValue({ schema: items, sample: own, path: `${path}[]`, at: `${at}${index}-` }, making);
  }).filter((value) => value !== undefined);
}

function makeValue(spot: Spot, making: Making): unknown {
  const { schema, sample, path } = spot;
  const choice = making.choices.get(path);
  if (choice === 'left out') return undefined;
  if (choice === 'sample' && !making.isWrong) return sample;
  const { anyOf, enum: values } = schema;
  if (anyOf) return makeValue({ ...spot, schema: anyOf[0]! }, making);
  if ('const' in schema) return schema.const;
  if (values) return making.isWrong ? `no such value ${serial}` : (sample ?? values[0]);
  if (schema.type === 'string') return makeString(spot, making);
  if (schema.type === 'boolean') return sample ?? true;
  if (schema.type === 'object') return makeObject(spot, making);
  if (schema.type === 'array') return makeList(spot, making);
  return makeNumber(spot, making);
}

/** Returns the largest arguments that a schema takes: lists and texts as long as they may be, and every member. */
export const makeLargest = (schema: JsonSchema, sample: Args, making: Making): Args =>
  makeValue({ schema, sample, path: '', at: '' }, making) as Args;

/**
 * Makes a refused member smaller: first the value of the sample, then nothing, then its parent. Returns whether anything
 * is left to change.
 */
export function giveWay(making: Making, path: string, sample: Args): boolean {
  if (path === '') {
    making.share /= 2;
    return making.share > 1 / 512;
  }
  const { choices } = making;
  const choice = choices.get(path);
  if (choice === 'left out') return giveWay(making, path.replace(/(\[\]|\.?[^.[\]]+)$/, ''), sample);
  const value = path
    .split(/\.|(?=\[)/)
    .reduce<unknown>((part, name) => (part as Args | undefined)?.[name === '[]' ? '0' : name], sample);
  choices.set(path, choice === undefined && value !== undefined ? 'sample' : 'left out');
  return true;
}
