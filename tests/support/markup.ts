import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'ultrahtml';

const client = join(import.meta.dirname, '..', '..', 'dist', 'client');

/** An element of a page as it is served. */
export interface Element {
  name: string;
  attributes: Record<string, string>;
  /** The elements around it, from the nearest to the root. */
  ancestors: Element[];
  /** The elements in it, at any depth. */
  descendants: Element[];
  /** Its text, without that of scripts and styles, on one line. */
  text: string;
}

/** The part of a node that the parser gives and this file reads. */
interface ParsedNode {
  type: number;
  name?: string;
  value?: string;
  attributes?: Record<string, string>;
  children?: ParsedNode[];
}

/** Types of nodes that the parser gives. */
const [elementType, textType] = [1, 2];

function addNode(node: ParsedNode, ancestors: Element[]): void {
  if (node.type === textType && !/^(?:script|style)$/.test(ancestors[0]?.name ?? ''))
    for (const ancestor of ancestors) ancestor.text += node.value;
  let around = ancestors;
  if (node.type === elementType) {
    const { name = '', attributes = {} } = node;
    const element: Element = { name, attributes, ancestors, descendants: [], text: '' };
    for (const ancestor of ancestors) ancestor.descendants.push(element);
    around = [element, ...ancestors];
  }
  for (const child of node.children ?? []) addNode(child, around);
}

/** Returns the root of a page. Its descendants are all elements of the page, in their order. */
export function parsePage(html: string): Element {
  const root: Element = { name: '', attributes: {}, ancestors: [], descendants: [], text: '' };
  addNode(parse(html), [root]);
  for (const element of [root, ...root.descendants]) element.text = element.text.replace(/\s+/g, ' ').trim();
  return root;
}

/** Lists the files of the build with an ending, by their addresses, with their texts. */
export function readBuilt(ending: string): [path: string, text: string][] {
  return readdirSync(client, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => [`/${name.replaceAll('\\', '/')}`, readFileSync(join(client, name), 'utf8')]);
}
