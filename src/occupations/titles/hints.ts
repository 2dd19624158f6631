import { tokenise, toSingular, toStems } from './words.ts';

const bracket = /\(([^()]*)\)/g;
const listBreaks = /[,/;|]|\sand\s/;

/** A text without its hints in brackets, and the hints. */
interface HintedText {
  text: string;
  /** The words of the hints that some title has. */
  hints: string[];
  /** Whether every hint is a technology of the list. Other hints are words that no title has. */
  isKnown: boolean;
}

/** Creates a function that removes each bracket that holds only technologies, or only words that no title has. */
export function createHints(
  technologies: readonly string[],
  isPhrase: (tokens: readonly string[]) => boolean,
  isWord: (word: string) => boolean,
) {
  const named = new Set(technologies.map((name) => tokenise(name).join(' ')));

  return (q: string): HintedText => {
    const hints: string[] = [];
    let isKnown = true;
    const text = q.replace(bracket, (whole, inside: string) => {
      const parts = inside.split(listBreaks).map(tokenise);
      const areNamed = parts.every((tokens) => named.has(tokens.join(' ')));
      const areStrange = parts.flat().every((token) => !isPhrase([token]) && !isWord(toSingular(token)));
      if (!areNamed && !areStrange) return whole;
      isKnown &&= areNamed;
      hints.push(...toStems(parts.flat()).filter(isWord));
      return ' ';
    });
    // If the whole text is a bracket, it is a title and not a hint.
    return tokenise(text).length > 0 ? { text, hints, isKnown } : { text: q, hints: [], isKnown: true };
  };
}
