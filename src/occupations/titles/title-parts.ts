import type { OccupationFact } from '../content-files.ts';
import { stemTitle } from './words.ts';

/** Returns the key of a title: its words, each once, in alphabetical order. */
export const toTitleKey = (words: readonly string[]): string => [...new Set(words)].sort().join(' ');

/** Whether the last word of a title is a plural noun: `Clerks`, but not `Shipping`. */
const endsInNoun = (text: string) => /[^s]s$/.test(text);

const lastWordOf = (text: string) => text.slice(text.lastIndexOf(' ') + 1);

/** The usual list of roles at a machine in titles of O*NET. */
const roleRow = /\b(?:Setters, Operators,? and Tenders|Setters and Operators|Operators and Tenders)\b/;

/** A title without what only narrows it after a comma, such as `Hand`, `Short-Term` or `Oil and Gas`. */
interface Split {
  head: string;
  /** The elements of a list such as `A, B, and C Clerks`. Only one if it is not a list. */
  elements: string[];
  /** Whether commas separate the elements. */
  isRow: boolean;
}

/** Splits a title into the elements of its list, without what only narrows it. */
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

/** A part of a title. It is loose if earlier words of the list may belong to it. */
interface Part {
  text: string;
  isLoose: boolean;
}

/** Returns what an element of a list may stand for: itself, or itself with words that the list has only once. */
function completeElement({ elements, isRow }: Split, at: number): Part[] {
  const element = elements[at]!;
  const first = elements[0]!.split(' ');
  const last = elements.at(-1)!.split(' ');
  const isApart = isRow && element.includes(' ');
  const isLoose = !isApart && elements.slice(0, at).some((earlier) => earlier.includes(' '));
  const parts = [{ text: element, isLoose }];
  for (let count = 1; at > 0 && count < first.length; count += 1)
    parts.push({ text: `${first.slice(0, count).join(' ')} ${element}`, isLoose: false });
  if (endsInNoun(element) || at === elements.length - 1) return parts;
  const ends = last.slice(1).map((_, count) => last.slice(count + 1).join(' '));
  return [
    ...parts,
    ...parts.flatMap((part) => ends.map((end) => ({ ...part, text: `${part.text} ${end}` }))),
  ];
}

/** Returns the parts of a title that are titles themselves. They may include the whole title. */
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

/** Without this the title means teachers at school. */
const postsecondary = /, Postsecondary$/;
/** Whether no part of a title identifies its occupation. */
const hasNoParts = (title: string) => / All Other\b/.test(title) || postsecondary.test(title);

const keyOf = (title: string) => toTitleKey(stemTitle(title));

/** Counts how many titles have a part with each name that `toName` returns. */
function countTitles(partsOf: readonly Part[][], toName: (text: string) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const parts of partsOf)
    for (const name of new Set(parts.map(({ text }) => toName(text))))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Counts how many occupations have each alternate title, by its key. */
function countAlternates(facts: readonly OccupationFact[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { alternateTitles = [] } of facts)
    for (const key of new Set(alternateTitles.map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/**
 * Returns the occupations by the keys of the parts of their own titles. `Veterinary Assistants` and `Laboratory Animal
 * Caretakers` are parts of one title.
 *
 * A single word counts only if it is also an alternate title of the occupation. A loose part counts only if no other
 * title has it. So `Dispatcher` is not a part of `Power Distributors and Dispatchers`, and `Site Manager` is not a part
 * of `Brownfield Redevelopment Specialists and Site Managers`.
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
