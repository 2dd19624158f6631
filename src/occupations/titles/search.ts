import { unpackArrays } from './arrays-file.ts';
import { type Calibration, type Certainty, rateCertainty, toChance, toShare } from './certainty.ts';
import { createTitleParser, type TitleQuery } from './question.ts';
import { createRanking, type RankingArrays } from './ranking.ts';
import { invertIndex, type PackedIndex, unpackIndex } from './title-index.ts';

export interface SearchHit {
  id: string;
  /** The alternate title that made the hit; undefined where the title itself or single words did. */
  matched: string | undefined;
  /** The chance that this code is right, 0 to 1; those of all hits come to 1 at most. */
  confidence: number;
}

/** Occupations, best first, and how sure the first is. */
export interface SearchResult {
  certainty: Certainty;
  hits: SearchHit[];
  /** Whether a good part of the title is in a script that is not read, or in words that are not known. */
  hasUnread?: boolean;
}

/** Any string to occupations, the same every time. Its first 200 characters count. */
export type Search = (q: string) => SearchResult;

const mostCharacters = 200;
/** Chance of a title that is an occupation's own, or one that O*NET has otherwise, and what is left of all others. */
const exactChance = { own: 0.99, alternate: 0.97, others: 0.1 };
/** Chance at least of what is a part of an own title, or has other meanings too. */
const leastPartChance = 0.8;
/** What is left of a chance if the main word was guessed. */
const guessedChance = 0.6;
/** Hits below this chance are left out, but for occupations whose titles have all the words. */
const leastChance = 0.005;
/** A title is named where it is at least this similar. */
const leastSimilarity = 0.6;

/** Letters that are read as others, as ä is as a, or not at all: what they say is never sure. */
const foreign = /\p{M}|[^\P{L}A-Za-z]/u;
/** A title is read in part where no more of it is known. */
const mostlyRead = 2 / 3;
/** Letters of a script that is not read at all. */
const unread = /[^\P{L}\p{Script=Latin}]/u;

const nothing: SearchResult = { certainty: 'unsure', hits: [] };

/** Makes a function that returns the chance of an occupation; those of the very title share its chance. */
function createChance(question: TitleQuery, shares: Float32Array, calibration: Calibration) {
  const { own, alternate, isWhole, isGiven, readShare, isGuess, isClear } = question;
  const sumOf = (places: readonly number[]) => places.reduce((total, one) => total + shares[one]!, 0);
  const [ownSum, alternateSum] = [sumOf(own), sumOf(alternate)];
  const all = isWhole ? exactChance.own : exactChance.alternate;
  const fair = (all * ownSum) / (ownSum + alternateSum || 1);
  const ownChance = isGiven && isClear ? Math.max(leastPartChance, fair) : leastPartChance;
  const alternateChance = own.length === 0 ? all : all - ownChance;
  const others = own.length + alternate.length > 0 ? exactChance.others : 1;
  const read = readShare * (isGuess ? guessedChance : 1);
  return (one: number, place: number) => {
    if (own.includes(one)) return (read * ownChance * shares[one]!) / ownSum;
    if (alternate.includes(one)) return (read * alternateChance * shares[one]!) / alternateSum;
    const curve = place === 0 ? calibration.first : calibration.others;
    return read * others * toChance(shares[one]!, curve);
  };
}

/** Makes the search that the guide to search tells of. `file` is what `toSearchFile` packed. */
export function createSearch(file: Uint8Array): Search {
  const arrays = unpackArrays(file);
  const index: RankingArrays = unpackIndex(arrays as unknown as PackedIndex & RankingArrays);
  const decodeText = (name: string) => new TextDecoder().decode(arrays[name] as Uint8Array);
  const codes = decodeText('codes').split('\n');
  const vocabulary = decodeText('vocabulary').split('\n');
  const calibration: Calibration = JSON.parse(decodeText('calibration'));
  const postings = invertIndex(index, vocabulary.length);
  const ask = createTitleParser({
    index,
    postings,
    vocabulary,
    features: index.features,
    parts: new Map(JSON.parse(decodeText('parts'))),
    everyday: JSON.parse(decodeText('everyday')),
  });
  const rank = createRanking(index, postings);
  const names = decodeText('names').split('\n');
  const leastShare = toShare(leastChance, calibration.others);

  return (q) => {
    const question = ask(q.slice(0, mostCharacters));
    const { words, numbers, own, alternate, isRead, readShare, isGuess } = question;
    if (numbers.length === 0) return nothing;
    const { shares, counts, similarities, titles } = rank(words, numbers);
    const exactPlaces = new Set([...own, ...alternate]);
    const others: number[] = [];
    for (let one = 0; one < codes.length; one += 1) {
      const isNear = shares[one]! >= leastShare || counts[one] === numbers.length;
      if (isNear && !exactPlaces.has(one)) others.push(one);
    }
    const byShare = (a: number, b: number) => shares[b]! - shares[a]! || a - b;
    const found = [own, alternate, others].flatMap((part) => part.sort(byShare));
    const estimateChance = createChance(question, shares, calibration);
    let left = 1;
    const hits = found.map((one, place) => {
      const confidence = Math.min(left, estimateChance(one, place));
      left -= confidence;
      // The number of an occupation's own title, and of one that is not O*NET's, is past the last name.
      const matched = similarities[one]! >= leastSimilarity ? names[titles[one]!] : undefined;
      return { id: codes[one]!, confidence, matched };
    });
    const isForeign = foreign.test(q);
    return {
      certainty: rateCertainty(hits[0]?.confidence ?? 0, {
        isRead: isRead && !isForeign,
        isClear: question.isClear,
        isGuess,
      }),
      hits,
      // A foreign word is easily taken for an English one: médecin for medicine.
      hasUnread: readShare <= mostlyRead || unread.test(q) || (isForeign && readShare < 1),
    };
  };
}
