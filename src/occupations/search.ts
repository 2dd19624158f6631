import type { SearchIndex } from './search-index.ts';
import { TitleForms } from './title-forms.ts';
import { toWords } from './title-words.ts';

/** `matched`: the alternate title that made the hit; absent where the title itself or single words did. */
export interface SearchHit {
  id: string;
  matched?: string;
}

/** Job titles to occupations, best first: see `createSearch`. */
export type Search = (q: string) => SearchHit[];

const mostCharacters = 200;
const mostWords = 8;
const mostSpelled = 2;
const mostForms = 1500;
const enough = 5;

/**
 * Makes the search over job titles: any string in, an occupation a hit out, best first, the same every time.
 *
 * First come the titles that are the query, in any word order, singular or plural, an occupation's own title
 * before an alternate one; then titles that hold all of its words. Where no title is the query and fewer than
 * five occupations hold all of it, titles that it holds follow ("barista" in "senior barista"), the longest
 * first, and then occupations that have any of its rarest words. Within each step MiniSearch's ratings rank.
 * A word that no title has is read as the most common word that it begins or nearly spells (the first two
 * such words), else left out. The first 200 characters and the first 8 different words count.
 */
export function createSearch(index: SearchIndex): Search {
  const ratings = new Map(Object.entries(index.ratings));
  const sums = new Float64Array(index.occupations.length);
  const counts = new Uint8Array(index.occupations.length);
  const titles = new TitleForms(index.occupations);
  const byRarity = (a: string, b: string) => titles.howCommon(a) - titles.howCommon(b) || (a < b ? -1 : 1);

  /** The words of a query that titles have, the rarest first. */
  function read(q: string): string[] {
    let left = mostSpelled;
    const known = toWords(q.slice(0, mostCharacters))
      .slice(0, mostWords)
      .map((word) => (titles.howCommon(word) > 0 ? word : left-- > 0 ? titles.nearest(word) : undefined));
    return [...new Set(known.filter((word) => word !== undefined))].sort(byRarity);
  }

  /** The rarest word, and the next rarest as long as not too many titles hold them: common words cost time. */
  function rarest(words: string[]): string[] {
    let forms = titles.howCommon(words[0] ?? '');
    const others = words.slice(1).filter((word) => {
      forms += titles.howCommon(word);
      return forms <= mostForms;
    });
    return [...words.slice(0, 1), ...others];
  }

  /** Adds up what each occupation is rated for these words, and how many of them it has. */
  function rate(words: string[]): void {
    sums.fill(0);
    counts.fill(0);
    for (const word of words) {
      const pairs = ratings.get(word) ?? [];
      for (let at = 0; at < pairs.length; at += 2) {
        sums[pairs[at]!]! += pairs[at + 1]!;
        counts[pairs[at]!]! += 1;
      }
    }
  }

  return (q) => {
    const words = read(q);
    if (words.length === 0) return [];
    const forms = titles.holding(words);
    const isQuery = (form: number) => titles.lengthOf(form) === words.length;
    const isLoose = forms.size < enough && ![...forms.values()].some(isQuery);
    rate(isLoose ? rarest(words) : words);
    if (isLoose) {
      for (const [id, form] of titles.heldBy(words)) if (!forms.has(id)) forms.set(id, form);
    }
    const ids = new Set(forms.keys());
    if (isLoose) for (const [id, count] of counts.entries()) if (count > 0) ids.add(id);
    const hits = [...ids].map((id) => {
      const form = forms.get(id);
      const share = form === undefined ? 0 : titles.lengthOf(form) / words.length;
      const isOwn = form === undefined || titles.alternateOf(form) === undefined;
      const step = share === 1 ? (isOwn ? 3 : 2) : Math.min(share, 1);
      return { id, form, step, score: (sums[id]! * counts[id]!) / Math.max(share, 1) };
    });
    hits.sort((a, b) => b.step - a.step || b.score - a.score || a.id - b.id);
    return hits.map(({ id, form }) => {
      const matched = form === undefined ? undefined : titles.alternateOf(form);
      return { id: index.occupations[id]![0], ...(matched !== undefined && { matched }) };
    });
  };
}

declare module '../kernel/service.ts' {
  interface Catalogue {
    /** What `createSearch` makes a search of, or a promise of it; asked for at the first search. */
    searchIndex(): unknown;
  }
  interface Service {
    /** Made at the first search; a promise while a host that fetches its index waits for it. */
    search(): Search | Promise<Search>;
  }
}
