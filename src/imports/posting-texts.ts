import { isObject } from '../kernel/json.ts';
import { isTooLong } from './cell-text.ts';
import { type DocumentReader, type Documents, type JsonObject, readString } from './document.ts';
import { refuseTooLong } from './import-file.ts';

/** A text of a document, and how to note that it was taken. */
interface FoundText {
  text: string;
  /** Whether it is an item of a list, and no list itself. */
  isItem: boolean;
  take(): void;
}

/** How often a name may be given by a node of its own, so that a circle ends. */
const mostHops = 5;

interface PlacedNode {
  node: JsonObject;
  /** The path of the node, or of the reference to it. */
  at: string;
}

/** Returns the text of a node under the first of some names. */
function findNodeText(
  { node, at }: PlacedNode,
  names: readonly string[],
  documents: Documents,
  hops = 0,
): Omit<FoundText, 'isItem'> | undefined {
  for (const name of names) {
    const place = `${at}.${name}`;
    const sent = documents.resolve([node[name]].flat()[0]);
    if (typeof sent === 'string' && isTooLong(sent)) refuseTooLong(place, 'text');
    const text = readString(sent);
    if (text !== undefined) return { text, take: () => documents.takeFirst(node, name) };
    const isFollowed = isObject(sent) && hops < mostHops;
    const inner = isFollowed
      ? findNodeText({ node: sent, at: place }, names, documents, hops + 1)
      : undefined;
    if (!inner) continue;
    const take = () => {
      inner.take();
      if (sent !== [node[name]].flat()[0]) documents.takeFirst(node, name);
    };
    return { text: inner.text, take };
  }
  return undefined;
}

/**
 * Lists the texts of a member: texts, and the texts of its objects under the first of `names` that they have. A
 * reference by `@id` is followed to its node.
 */
export function findTexts(
  object: JsonObject,
  member: string,
  reader: DocumentReader,
  names: readonly string[],
): FoundText[] {
  const { documents, row } = reader;
  const value = object[member];
  const isList = Array.isArray(value);
  return (isList ? value : [value]).flatMap((sent: unknown, index): FoundText[] => {
    const takeItem = () => documents.take(isList ? value : object, isList ? String(index) : member);
    const node = documents.resolve(sent);
    if (typeof node === 'string' && isTooLong(node)) refuseTooLong(`${row.at}.${member}`, 'text');
    const text = readString(node);
    if (text !== undefined) return [{ text, isItem: isList, take: takeItem }];
    const at = `${row.at}.${member}${isList ? `[${index}]` : ''}`;
    const named = isObject(node) ? findNodeText({ node, at }, names, documents) : undefined;
    if (!named) return [];
    const take = () => {
      named.take();
      if (node !== sent) takeItem();
    };
    return [{ text: named.text, isItem: isList, take }];
  });
}

/** Returns the text of a member, and notes that it was taken. */
export function takeText(
  object: JsonObject,
  member: string,
  { documents }: DocumentReader,
): string | undefined {
  const text = readString(object[member]);
  if (text !== undefined) documents.take(object, member);
  return text;
}
