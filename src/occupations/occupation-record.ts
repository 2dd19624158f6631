import type { OccupationFact } from './content-files.ts';
import type { MajorGroup, Occupation } from './occupation.ts';
import type { Pay } from './pay.ts';
import { stemTitle } from './titles/words.ts';

const mostTitles = 25;
const isPlain = (title: string) => !/[^A-Za-z' -]|\b[A-Z]{2,}\b/.test(title);

/**
 * Picks at most 25 alternate titles that a reader would know. Plain titles come first: letters only, and no word in
 * capitals. Then it orders by the share of words in common with the own title, words, characters and alphabet.
 */
function pickEverydayTitles(title: string, alternates: readonly string[]): string[] {
  const own = new Set(stemTitle(title));
  const rated = alternates.map((text) => {
    const words = stemTitle(text);
    const shared = words.filter((word) => own.has(word)).length / Math.max(words.length, 1);
    return { text, plain: Number(isPlain(text)), shared, words: words.length };
  });
  rated.sort(
    (a, b) =>
      b.plain - a.plain ||
      b.shared - a.shared ||
      a.words - b.words ||
      a.text.length - b.text.length ||
      (a.text < b.text ? -1 : 1),
  );
  return rated.slice(0, mostTitles).map(({ text }) => text);
}

/** Returns the record of an occupation, without members that the fact lacks. Throws if a related code has no title. */
export function presentOccupation(
  fact: OccupationFact,
  group: MajorGroup,
  titleOf: (code: string) => string | undefined,
  { summary, source, pay }: { summary: string; source: string; pay: Pay | undefined },
): Occupation {
  const { id, title, relatedOccupations, alternateTitles, ...rated } = fact;
  const related = relatedOccupations?.map((code) => {
    const relatedTitle = titleOf(code);
    if (relatedTitle === undefined)
      throw new Error(`${id} is related to ${code}, which is not an occupation`);
    return { id: code, title: relatedTitle };
  });
  return {
    id,
    title,
    summary,
    majorGroup: group,
    ...rated,
    ...(related && { relatedOccupations: related }),
    ...(alternateTitles && {
      alternateTitles: pickEverydayTitles(title, alternateTitles),
      alternateTitleCount: alternateTitles.length,
    }),
    ...(pay && { pay }),
    source,
    links: {
      self: `/occupations/${id}`,
      candidates: `/candidates?status=available&occupation=${id}`,
      jobOrders: `/job-orders?status=open&occupation=${id}`,
    },
  };
}
