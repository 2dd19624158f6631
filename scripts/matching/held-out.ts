import { type Pairs, toLikeness, toLikenesses } from '../../src/occupations/closeness-table.ts';
import { occupationFacts as facts } from '../onet/occupation-facts.ts';
import { matching, ratings } from './content.ts';

const closest = 10;

/** The places of the occupations whose skills are rated. */
const rated = facts.flatMap(({ id }, place) => (ratings.occupations[id]?.importance ? [place] : []));

/**
 * The share of the ten closest of each rated occupation, among all rated ones, that is among the twenty that O*NET
 * publishes as related to it: the mean over all. Pairs that are equally close stand in the order of their codes.
 */
function toShare(pairs: Pairs): number {
  const shares = rated.map((place) => {
    const related = new Set(ratings.occupations[facts[place]!.id]!.related);
    const row = pairs.subarray(place * facts.length, (place + 1) * facts.length);
    const others = rated.filter((other) => other !== place).sort((a, b) => row[b]! - row[a]! || a - b);
    return others.slice(0, closest).filter((other) => related.has(facts[other]!.id)).length / closest;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** That share by each kind of fact alone and by all together. The related lists have no part in what is measured. */
export function measureHeldOut() {
  const { code, skills, technologies, titles } = toLikenesses(facts, ratings);
  return {
    occupations: rated.length,
    parts: {
      code: toShare(code),
      skills: toShare(skills),
      technologies: toShare(technologies),
      titles: toShare(titles),
    },
    together: toShare(toLikeness(facts, ratings, matching.closeness)),
  };
}
