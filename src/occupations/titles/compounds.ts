import { toSingular } from './words.ts';

/** What is known of words and of pairs of them. */
interface KnownWords {
  /** Whether everyday words say what these tokens stand for. */
  isPhrase(tokens: readonly string[]): boolean;
  /** How many titles have a word; 0 if none has. */
  count(word: string): number;
  /** How many titles have two words side by side; 0 if none has. */
  countPair(first: string, second: string): number;
}

/** A half that is so much rarer than the whole is a part of that: `ware` of `warehouse`. */
const rarely = 5;
/** Letters that each half of a word has at least. */
const shortestHalf = 3;

/** A title in tokens, as it is understood and as it might be written. */
interface WrittenTitle {
  /** With each word together or apart, whichever more titles have. */
  usual: readonly string[];
  /** The same, and with those words the other way if there are any. */
  variants: (readonly string[])[];
}

/**
 * Makes a function that reads words written together or apart as the same: `Ground worker` is `Groundworker`, and
 * `Truckdriver` is `Truck driver`. In a longer title only words that hardly any title has are joined or parted: a `Home Owner`
 * is a homeowner, but the owner of a funeral home is not.
 */
export function createCompounds({ isPhrase, count, countPair }: KnownWords) {
  /** The halves of a token that most titles have side by side, and whether more have them than the token. */
  function findHalves(token: string) {
    let [best, most]: [[string, string] | undefined, number] = [undefined, 0];
    for (let cut = shortestHalf; cut <= token.length - shortestHalf; cut += 1) {
      const [first, second] = [token.slice(0, cut), token.slice(cut)];
      const often = countPair(toSingular(first), toSingular(second));
      if (often > most) [best, most] = [[first, second], often];
    }
    return best && { halves: best, isUsual: !isPhrase([token]) && most > count(toSingular(token)) };
  }

  /** What two tokens make that are also written as one, and whether more titles have that. */
  function findWhole(first: string, second: string) {
    if (first.length < 2 || second.length < 2) return undefined;
    const whole = first + second;
    const isEveryday = isPhrase([whole]);
    const often = count(toSingular(whole));
    if ((!isEveryday && often === 0) || isPhrase([first, second])) return undefined;
    return { whole, isUsual: isEveryday || often > countPair(toSingular(first), toSingular(second)) };
  }

  const isStrange = (token: string) => count(toSingular(token)) === 0 && !isPhrase([token]);
  /** Whether two tokens of a longer title may be one word: no title has a half of it, or few have. */
  const isBroken = (first: string, second: string) => {
    const rarest = Math.min(count(toSingular(first)), count(toSingular(second)));
    return rarest * rarely < count(toSingular(first + second)) || isStrange(first) || isStrange(second);
  };

  return (tokens: readonly string[]): WrittenTitle => {
    const [usual, other]: [string[], string[]] = [[], []];
    for (let at = 0; at < tokens.length; at += 1) {
      const [token, next] = [tokens[at]!, tokens[at + 1]];
      const canJoin = next !== undefined && (tokens.length === 2 || isBroken(token, next));
      const joined = canJoin ? findWhole(token, next) : undefined;
      const canPart = !joined && (tokens.length === 1 || isStrange(token));
      const parted = canPart ? findHalves(token) : undefined;
      const together = joined ? [joined.whole] : [token];
      const apart = joined ? [token, next!] : (parted?.halves ?? [token]);
      const isUsual = joined ? joined.isUsual : !parted?.isUsual;
      usual.push(...(isUsual ? together : apart));
      other.push(...(isUsual ? apart : together));
      if (joined) at += 1;
    }
    return usual.length === other.length ? { usual, variants: [usual] } : { usual, variants: [usual, other] };
  };
}
