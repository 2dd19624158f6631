import { tokenise, toSingular, toStems } from './words.ts';

const bracket = /\(([^()]*)\)/g;
const listBreaks = /[,/;|]|\sand\s/;

/** A text without the hints in brackets, and what they say. */
interface HintedText {
  text: string;
  /** The words of the hints that some title has. */
  hints: string[];
  /** Whether each hint is a technology of the list; others are words that no title has. */
  isKnown: boolean;
}

/** Makes a function that takes out each bracket that holds only technologies, or words that no title has. */
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
    // A text that is nothing but a bracket is a title, not a hint.
    return tokenise(text).length > 0 ? { text, hints, isKnown } : { text: q, hints: [], isKnown: true };
  };
}
