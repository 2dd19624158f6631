import { unpackArrays } from './arrays-file.ts';
import { type Calibration, type Certainty, rateCertainty, toChance, toShare } from './certainty.ts';
import { createTitleParser, type TitleQuery } from './question.ts';
import { createRanking, type RankingArrays } from './ranking.ts';
import { invertIndex, type PackedIndex, unpackIndex } from './title-index.ts';

export interface SearchHit {
  id: string;
  /** The alternate title that made the hit, or undefined if the own title or single words did. */
  matched: string | undefined;
  /** The chance that this code is right, 0 to 1. All chances of a search sum to at most 1. */
  confidence: number;
}

/** Hits, best first, and how sure the first is. */
export interface SearchResult {
  certainty: Certainty;
  hits: SearchHit[];
  /** Whether part of the title was not read: unknown words, foreign words, or another script. */
  hasUnread?: boolean;
}

/** Searches by any string, of which the first 200 characters count. The same string always has the same result. */
export type Search = (q: string) => SearchResult;

const mostCharacters = 200;
/** The chance of an own title and of any other title of O*NET, and the factor for all other occupations. */
const exactChance = { own: 0.99, alternate: 0.97, others: 0.1 };
/** The lowest chance of an own title that is only a part, or has other meanings too. */
const leastPartChance = 0.8;
/** The factor for a chance if the main word was guessed. */
const guessedChance = 0.6;
/** Hits below this chance are left out, unless the occupation's titles have all the words. */
const leastChance = 0.005;
/** A hit names a title if it is at least this similar. */
const leastSimilarity = 0.6;

/** Letters that are read as others, such as ä as a, or not at all. A title with one is never sure. */
const foreign = /\p{M}|[^\P{L}A-Za-z]/u;
/** If at most this share of a title is known, part of it was not read. */
const mostlyRead = 2 / 3;
/** A letter of a script that is not read at all. */
const unread = /[^\P{L}\p{Script=Latin}]/u;

const nothing: SearchResult = { certainty: 'unsure', hits: [] };

/** Creates a function that returns the chance of an occupation. Occupations with exactly this title share a chance. */
function createChance(query: TitleQuery, shares: Float32Array, calibration: Calibration) {
  const { own, alternate, isWhole, isGiven, readShare, isGuess, isClear } = query;
  const sumOf = (places: readonly number[]) =>
    places.reduce((total, occupation) => total + shares[occupation]!, 0);
  const [ownSum, alternateSum] = [sumOf(own), sumOf(alternate)];
  const all = isWhole ? exactChance.own : exactChance.alternate;
  const fair = (all * ownSum) / (ownSum + alternateSum || 1);
  const ownChance = isGiven && isClear ? Math.max(leastPartChance, fair) : leastPartChance;
  const alternateChance = own.length === 0 ? all : all - ownChance;
  const others = own.length + alternate.length > 0 ? exactChance.others : 1;
  const read = readShare * (isGuess ? guessedChance : 1);
  return (occupation: number, place: number) => {
    if (own.includes(occupation)) return (read * ownChance * shares[occupation]!) / ownSum;
    if (alternate.includes(occupation)) return (read * alternateChance * shares[occupation]!) / alternateSum;
    const curve = place === 0 ? calibration.first : calibration.others;
    return read * others * toChance(shares[occupation]!, curve);
  };
}

/** Creates the search that the guide to search describes, from a file that `packSearchFile` packed. */
export function createSearch(file: Uint8Array): Search {
  const arrays = unpackArrays(file);
  const index: RankingArrays = unpackIndex(arrays as unknown as PackedIndex & RankingArrays);
  const decodeText = (name: string) => new TextDecoder().decode(arrays[name] as Uint8Array);
  const codes = decodeText('codes').split('\n');
  const vocabulary = decodeText('vocabulary').split('\n');
  const calibration: Calibration = JSON.parse(decodeText('calibration'));
  const postings = invertIndex(index, vocabulary.length);
  const parseTitle = createTitleParser({
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

  return (sent) => {
    const q = sent.slice(0, mostCharacters);
    const query = parseTitle(q);
    const { words, numbers, own, alternate, isRead, readShare, isGuess } = query;
    if (numbers.length === 0) return nothing;
    const { shares, counts, similarities, titles } = rank(words, numbers);
    const exactPlaces = new Set([...own, ...alternate]);
    const others: number[] = [];
    for (let occupation = 0; occupation < codes.length; occupation += 1) {
      const isNear = shares[occupation]! >= leastShare || counts[occupation] === numbers.length;
      if (isNear && !exactPlaces.has(occupation)) others.push(occupation);
    }
    const byShare = (a: number, b: number) => shares[b]! - shares[a]! || a - b;
    const ranked = [own, alternate, others].flatMap((part) => part.sort(byShare));
    const estimateChance = createChance(query, shares, calibration);
    let left = 1;
    const hits = ranked.map((occupation, place) => {
      const confidence = Math.min(left, estimateChance(occupation, place));
      left -= confidence;
      // `ownTitle` and `noTitle` are beyond the last name, so they name nothing.
      const matched = similarities[occupation]! >= leastSimilarity ? names[titles[occupation]!] : undefined;
      return { id: codes[occupation]!, confidence, matched };
    });
    const isForeign = foreign.test(q);
    return {
      certainty: rateCertainty(hits[0]?.confidence ?? 0, {
        isRead: isRead && !isForeign,
        isClear: query.isClear,
        isGuess,
      }),
      hits,
      // A foreign word is easily mistaken for an English one: médecin for medicine.
      hasUnread: readShare <= mostlyRead || unread.test(q) || (isForeign && readShare < 1),
    };
  };
}
