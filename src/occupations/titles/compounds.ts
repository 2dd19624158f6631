import { toSingular } from './words.ts';

/** Looks up words and pairs of words. */
interface KnownWords {
  /** Whether these tokens are a phrase of the everyday words. */
  isPhrase(tokens: readonly string[]): boolean;
  /** Returns how many titles have a word. */
  count(word: string): number;
  /** Returns how many titles have both words, or 0 if hardly any title has them side by side. */
  countPair(first: string, second: string): number;
}

/** If the whole word is this many times as common as a half, the half is only a part of it: `ware` of `warehouse`. */
const rarely = 5;
/** The fewest letters of each half of a word. */
const shortestHalf = 3;

/** The tokens of a title in its usual spelling, and in all spellings. */
interface WrittenTitle {
  /** Each compound joined or split, whichever more titles have. */
  usual: readonly string[];
  /** The usual spelling and, if there are compounds, the opposite one. */
  variants: (readonly string[])[];
}

/**
 * Creates a function that treats joined and split compounds as the same: `Ground worker` is `Groundworker`, and
 * `Truckdriver` is `Truck driver`. In a longer title it joins or splits only words that hardly any title has:
 * `Home Owner` is a homeowner, but the owner of a funeral home is not.
 */
export function createCompounds({ isPhrase, count, countPair }: KnownWords) {
  /** Splits a token at the pair of halves that most titles have. Says whether the pair is more usual than the token. */
  function findHalves(token: string) {
    let [best, most]: [[string, string] | undefined, number] = [undefined, 0];
    for (let cut = shortestHalf; cut <= token.length - shortestHalf; cut += 1) {
      const [first, second] = [token.slice(0, cut), token.slice(cut)];
      const often = countPair(toSingular(first), toSingular(second));
      if (often > most) [best, most] = [[first, second], often];
    }
    return best && { halves: best, isUsual: !isPhrase([token]) && most > count(toSingular(token)) };
  }

  /** Joins two tokens if the whole is a known word. Says whether the whole is more usual than the pair. */
  function findWhole(first: string, second: string) {
    if (first.length < 2 || second.length < 2) return undefined;
    const whole = first + second;
    const isEveryday = isPhrase([whole]);
    const often = count(toSingular(whole));
    if ((!isEveryday && often === 0) || isPhrase([first, second])) return undefined;
    return { whole, isUsual: isEveryday || often > countPair(toSingular(first), toSingular(second)) };
  }

  const isStrange = (token: string) => count(toSingular(token)) === 0 && !isPhrase([token]);
  /** Whether two tokens of a longer title may be one word: one of them is unknown, or much rarer than the whole. */
  const isBroken = (first: string, second: string) => {
    const rarest = Math.min(count(toSingular(first)), count(toSingular(second)));
    return rarest * rarely < count(toSingular(first + second)) || isStrange(first) || isStrange(second);
  };

  return (tokens: readonly string[]): WrittenTitle => {
    const [usual, opposite]: [string[], string[]] = [[], []];
    for (let at = 0; at < tokens.length; at += 1) {
      const [token, next] = [tokens[at]!, tokens[at + 1]];
      const canJoin = next !== undefined && (tokens.length === 2 || isBroken(token, next));
      const joined = canJoin ? findWhole(token, next) : undefined;
      const canPart = !joined && (tokens.length === 1 || isStrange(token));
      const parted = canPart ? findHalves(token) : undefined;
      const whole = joined ? [joined.whole] : [token];
      const halves = joined ? [token, next!] : (parted?.halves ?? [token]);
      const isUsual = joined ? joined.isUsual : !parted?.isUsual;
      usual.push(...(isUsual ? whole : halves));
      opposite.push(...(isUsual ? halves : whole));
      if (joined) at += 1;
    }
    return usual.length === opposite.length
      ? { usual, variants: [usual] }
      : { usual, variants: [usual, opposite] };
  };
}
