/** Where a schema, a reply or a parameter is in the contract, and what it would be called as a component. */
interface Place {
  holder: Record<string, unknown>;
  key: string;
  name: string;
}

/** Characters of JSON from which on a schema that is there twice is shared. */
const leastShared = 110;

const toTitle = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** `InvalidRequest` for `invalid_request`, `If-Match` as it is. */
export const toComponentName = (name: string) =>
  name
    .split(/[^A-Za-z0-9-]+/)
    .map(toTitle)
    .join('');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The schemas right within a schema. */
export function toInner(schema: unknown, name: string): Place[] {
  if (!isObject(schema)) return [];
  const { properties = {}, items, additionalProperties, anyOf } = schema as Record<string, object>;
  return [
    ...Object.keys(properties).map((key) => ({ holder: properties as Place['holder'], key, name: key })),
    ...(isObject(items) ? [{ holder: schema, key: 'items', name: `${name}Item` }] : []),
    ...(isObject(additionalProperties)
      ? [{ holder: schema, key: 'additionalProperties', name: `${name}Member` }]
      : []),
    ...Object.keys(anyOf ?? {}).map((key) => ({
      holder: anyOf as Place['holder'],
      key,
      name: `${name}Form`,
    })),
  ];
}

/**
 * Moves parts that occur more than once to `components`, below `#/components/KIND/`, and refers to them there.
 * `inner` gives the places within one.
 */
export function share(
  places: readonly Place[],
  kind: string,
  components: Record<string, unknown>,
  inner: (value: unknown, name: string) => Place[] = () => [],
  least = 0,
): void {
  const times = new Map<string, number>();
  const count = ({ holder, key, name }: Place): void => {
    const text = JSON.stringify(holder[key]);
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    if (before === 0) for (const one of inner(holder[key], name)) count(one);
  };
  for (const place of places) count(place);
  const names = new Map<string, string>();
  const replace = ({ holder, key, name }: Place): void => {
    const value = holder[key];
    const text = JSON.stringify(value);
    const known = names.get(text);
    if (known === undefined && (text.length < least || times.get(text) === 1)) {
      for (const one of inner(value, name)) replace(one);
      return;
    }
    const { title = '' } = value as { title?: string };
    const isName = /^\w+$/.test(title) && !Object.hasOwn(components, title);
    const own = known ?? toFree(isName ? title : toComponentName(name), components);
    holder[key] = { $ref: `#/components/${kind}/${own}` };
    if (known !== undefined) return;
    names.set(text, own);
    components[own] = value;
    for (const one of inner(value, name)) replace(one);
  };
  for (const place of places) replace(place);
}

/** A name that no component has: with a number from 2 on where one has it. */
function toFree(name: string, components: object): string {
  let free = name;
  for (let number = 2; Object.hasOwn(components, free); number += 1) free = `${name}${number}`;
  return free;
}

/** Shares the schemas below the given ones, themselves included. */
export const shareSchemas = (places: readonly Place[], schemas: Record<string, unknown>): void =>
  share(places, 'schemas', schemas, toInner, leastShared);
