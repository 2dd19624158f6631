import { type FrozenAddress, type Manifest, toAddressHeaders } from '../../../core/manifest.ts';
import type { Operation } from '../../../core/operation.ts';

/**
 * How one address is served, or all addresses of one shape: `{id}` stands for the same text, without a slash,
 * in the address, the file and the values of the headers.
 */
export interface Rule extends Omit<FrozenAddress, 'headers' | 'link'> {
  address: string;
  headers: Record<string, string>;
  /** Media type with charset. */
  type: string;
}

const suffixed = /^(.+)(\.(?:json|md|html))$/;

/** The address as a shape, and the id in it. */
function toShape(address: string, folders: readonly string[]): { address: string; id?: string } {
  const folder = folders.find((one) => address.startsWith(one));
  const rest = folder ? address.slice(folder.length) : '';
  if (!folder || rest === '' || rest.includes('/')) return { address };
  const [, name = rest, suffix = ''] = suffixed.exec(rest) ?? [];
  return { address: `${folder}{id}${suffix}`, id: name };
}

/**
 * The rules of a manifest: those of one address first, then those of a shape, suffixed shapes first, so that
 * the first that fits is meant. Throws where two addresses of one shape are not served alike.
 */
export function toRules(manifest: Manifest, operations: readonly Operation[]): Rule[] {
  const withId = operations.filter(({ path, frozen }) => frozen && path.endsWith('/{id}'));
  const folders = withId.map(({ path }) => path.slice(0, -'{id}'.length));
  const rules = new Map<string, { rule: Rule; text: string }>();
  for (const [path, frozen] of Object.entries(manifest.addresses)) {
    const { address, id } = toShape(path, folders);
    const { headers: _, link: __, ...rest } = frozen;
    const headers = toAddressHeaders(manifest, frozen);
    const rule = { address, type: manifest.files[frozen.file]!.type, headers, ...rest };
    const text = JSON.stringify(rule);
    const shape = id === undefined ? text : text.replaceAll(id, '{id}');
    const known = rules.get(address);
    if (known && known.text !== shape) throw new Error(`${path} is served in a way of its own`);
    if (!known) rules.set(address, { rule: JSON.parse(shape), text: shape });
  }
  const rank = ({ address }: Rule) => (!address.includes('{id}') ? 0 : suffixed.test(address) ? 1 : 2);
  return [...rules.values()].map(({ rule }) => rule).sort((a, b) => rank(a) - rank(b));
}
