import type { OccupationFact } from '../content-files.ts';
import { stemTitle } from './words.ts';

/** The words of a title by which it is found: each once, in alphabetical order. */
export const toTitleKey = (words: readonly string[]): string => [...new Set(words)].sort().join(' ');

/** The last word of a title is a plural noun: `Clerks`, but not `Shipping`. */
const endsInNoun = (text: string) => /[^s]s$/.test(text);

const lastWordOf = (text: string) => text.slice(text.lastIndexOf(' ') + 1);

/** O*NET's usual row of roles at one machine. */
const roleRow = /\b(?:Setters, Operators,? and Tenders|Setters and Operators|Operators and Tenders)\b/;

/** What a title says of its head noun behind a comma: `Hand`, `Short-Term`, `Oil and Gas`. */
interface Split {
  head: string;
  /** The elements of a list such as `A, B, and C Clerks`. One where it is no list. */
  elements: string[];
  /** Whether commas part the list. */
  isRow: boolean;
}

/** Splits a title into the elements of its list, and leaves out what only narrows it. */
function splitTitle(title: string): Split {
  const pieces = title.split(/,\s+/);
  const last = pieces.findLastIndex((piece) => /^(?:and|or) /.test(piece));
  const inner = pieces.findLastIndex((piece, at) => at > last && / and /.test(piece));
  const end = Math.max(last, inner);
  // "Camera Operators, Television, Video, and Film": the list only narrows the first piece.
  const isNarrowed = end > 0 && endsInNoun(pieces[0]!) && !endsInNoun(pieces[end]!);
  const list = end < 0 || isNarrowed ? pieces.slice(0, 1) : pieces.slice(0, end + 1);
  const elements = list.flatMap((piece) => piece.replace(/^(?:and|or) /, '').split(/ (?:and|or) /));
  return { head: list.join(', '), elements, isRow: list.length > 1 };
}

/** A part of a title. It is `loose` if words that the list says before it may belong to it. */
interface Part {
  text: string;
  isLoose: boolean;
}

/** What an element of a list may stand for: alone, or with words that the list says once. */
function completeElement({ elements, isRow }: Split, at: number): Part[] {
  const element = elements[at]!;
  const first = elements[0]!.split(' ');
  const last = elements.at(-1)!.split(' ');
  const isApart = isRow && element.includes(' ');
  const isLoose = !isApart && elements.slice(0, at).some((before) => before.includes(' '));
  const found = [{ text: element, isLoose }];
  for (let count = 1; at > 0 && count < first.length; count += 1)
    found.push({ text: `${first.slice(0, count).join(' ')} ${element}`, isLoose: false });
  if (endsInNoun(element) || at === elements.length - 1) return found;
  const ends = last.slice(1).map((_, count) => last.slice(count + 1).join(' '));
  return [
    ...found,
    ...found.flatMap((part) => ends.map((end) => ({ ...part, text: `${part.text} ${end}` }))),
  ];
}

/** The parts of a title, each of which is a title of its own. The title as a whole may be among them. */
function splitParts(title: string): Part[] {
  const [positive = ''] = title.split(/, (?:Except|Including) /, 1);
  const plain = positive.replace(/^Helpers--/, '');
  const suffix = title.startsWith('Helpers--') ? ' Helpers' : '';
  const [subject = '', object] = plain.split(/ of (.*)/);
  const ending = object === undefined ? suffix : ` of ${object}`;
  const roles = roleRow.exec(subject)?.[0].match(/\b\w+s\b/g);
  const variants = roles ? roles.map((role) => subject.replace(roleRow, role)) : [subject];
  return variants.flatMap((variant) => {
    const split = splitTitle(variant);
    const parts =
      split.elements.length > 1 ? split.elements.flatMap((_, at) => completeElement(split, at)) : [];
    return [{ text: split.head, isLoose: false }, ...parts]
      .filter(({ text }) => endsInNoun(text))
      .map((part) => ({ ...part, text: part.text + ending }));
  });
}

/** Teachers of a subject at school have the title without this. */
const postsecondary = /, Postsecondary$/;
/** Titles that have no part to be known by. */
const hasNoParts = (title: string) => / All Other\b/.test(title) || postsecondary.test(title);

const keyOf = (title: string) => toTitleKey(stemTitle(title));

/** How many titles have each word or key that `toName` returns of them. */
function countTitles(partsOf: readonly Part[][], toName: (text: string) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const parts of partsOf)
    for (const name of new Set(parts.map(({ text }) => toName(text))))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** How many occupations have each alternate title, by its key. */
function countAlternates(facts: readonly OccupationFact[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { alternateTitles = [] } of facts)
    for (const key of new Set(alternateTitles.map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/**
 * The occupations that have a title as a part of their own, by its `toTitleKey`: `Veterinary Assistants` and `Laboratory
 * Animal Caretakers` are parts of one title. A single word is a part only if it is an alternate title of the occupation
 * too. What earlier words of the list may belong to is a part only if no other title has it: not every `Dispatcher` is
 * one of `Power Distributors and Dispatchers`, and no `Site Manager` one of `Brownfield Redevelopment Specialists and
 * Site Managers`.
 */
export function collectTitleParts(facts: readonly OccupationFact[]): Map<string, number[]> {
  const whole = new Set(facts.map(({ title }) => keyOf(title)));
  const partsOf = facts.map(({ title }) => (hasNoParts(title) ? [] : splitParts(title)));
  const ends = countTitles(partsOf, (text) => keyOf(lastWordOf(text)));
  const keys = countTitles(partsOf, keyOf);
  const alternateOwners = countAlternates(facts);
  const owners = new Map<string, number[]>();
  for (const [place, { alternateTitles = [] }] of facts.entries()) {
    const alternates = new Set(alternateTitles.map(keyOf));
    const isPart = ({ text, isLoose }: Part) => {
      const key = keyOf(text);
      if (whole.has(key)) return false;
      if (!key.includes(' ')) return alternates.has(key) && (!isLoose || ends.get(key) === 1);
      return !isLoose || (keys.get(key) === 1 && (alternates.has(key) || !alternateOwners.has(key)));
    };
    for (const key of new Set(partsOf[place]!.filter(isPart).map(({ text }) => keyOf(text))))
      owners.getOrInsertComputed(key, () => []).push(place);
  }
  return owners;
}
