import { statement } from '../../src/matches/match.ts';
import { type Pairs, toLikeness, toLikenesses } from '../../src/occupations/closeness-table.ts';
import { occupationFacts as facts } from '../onet/occupation-facts.ts';
import { matching, ratings, toMatcher } from './content.ts';

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

const { points, settings, closeness } = matching;
const { sameState, skillsForAll } = settings;
const titleOf = (code: string) => facts.find(({ id }) => id === code)!.title;

const order = {
  id: 'job_example',
  onetCode: '29-1141.03',
  skills: ['ICU', 'Dialysis'],
  metro: 'Columbus, OH',
  requires: ['RN license - OH'],
  shift: 'night',
};
const candidates = [
  { id: 'cand_a', onetCode: '29-1141.03', skills: ['ICU nursing'], metro: 'Columbus, OH', shifts: ['day'] },
  {
    id: 'cand_b',
    onetCode: '29-1141.00',
    skills: ['ICU', 'Telemetry'],
    metro: 'Cleveland, OH',
    credentials: ['Ohio RN licence'],
  },
  { id: 'cand_c', onetCode: '47-2031.00', skills: ['Framing'], metro: 'Columbus, OH' },
];

function toWeights(): string {
  return `| factor | points at most | how they come about |
|---|---|---|
| occupation | ${points.occupation} | times how close the two occupations are: 1 for the same code, 0 for an unrelated one |
| skills | ${points.skills} | times the share of the skills asked for that the candidate has |
| metro | ${points.metro} | ${points.metro} for the same metro area, ${sameState} for another of the same state, ${points.metro} where the order names none |

- **Skills.** A candidate has a skill that is asked for where one of the candidate's skills holds all of its words; case, accents and plural make no difference. "ICU nurses" is had by "icu nurse, night shift", and "ICU" alone does not have it.
- **An order that asks for no skill** is judged by its occupation: a skill goes with it that has one of the at most 30 words that set its job titles apart, holds the name of one of its technologies, or is a part of such a name. ${skillsForAll} of them count in full.
- **Metro.** \`Columbus, OH\`, \`columbus oh\` and \`Columbus, Ohio\` are the same. An area of several states, such as \`Cincinnati, OH-KY-IN\`, shares a state with each of them.
- **Rounding.** Each factor is rounded to a quarter of a point. Quarters add up without error in binary numbers, so that a score is the sum of its reasons to the last digit, for whoever adds them.
- **Equal scores** stand in an order that follows from the two ids by a hash: the same every time and on every machine, another one for every order, and no id comes first more often than another.`;
}

function toCloseness(): string {
  const { occupations, parts, together } = measureHeldOut();
  const told = (share: number) => share.toFixed(3);
  const { titles, skills, technologies, code } = closeness.parts;
  const percent = closeness.related.map((share) => `${Math.round(share * 100)}%`);
  return `Closeness is a table made at build time from O*NET data alone: symmetric, in hundredths, 1 for a code and itself, at most 0.99 for two codes, and 0 for most pairs. Four facts say how alike two occupations are, each from 0 to 1:

| fact | weight | alone |
|---|---|---|
| titles: the words of all job titles of each, and the first five letters of those words, rare ones more | ${titles} | ${told(parts.titles)} |
| skills: the importance of the 35 skills, as they differ from the mean | ${skills} | ${told(parts.skills)} |
| technologies: how many of each kind are listed, rare kinds more | ${technologies} | ${told(parts.technologies)} |
| code: the share of the eight digits that the codes begin with alike, from two on | ${code} | ${told(parts.code)} |
| all together | | ${told(together)} |

Likeness is their mean by weight, over the facts that both occupations have. ${closeness.unrelated} and less is a closeness of 0, ${closeness.closest} and more is 1, and what lies between is in proportion. Where O*NET publishes one occupation as related to the other, the pair goes a part of the way that is left to 1: ${percent[0]} for the first five of the list, ${percent[1]} for the next five, ${percent[2]} for the other ten.

The column "alone" is the test: how many of the ten closest of an occupation are among its twenty published related ones, as a mean over the ${occupations} occupations whose skills are rated. The related lists have no part in what is tested; they are added after it. The weights, and how words and kinds are counted, were chosen by this figure, which therefore flatters a little; they are few and round, and weights fitted to one half of the occupations did no better on the other half than these.`;
}

function toExample(): string {
  const { match } = toMatcher(matching);
  const told = candidates.map((candidate, at) => {
    const { score, reasons, gaps, met, unmet } = match(order, candidate);
    const sum = reasons.map((reason) => reason.points).join(' + ') || '0';
    return [
      `**${'ABC'[at]}**, ${titleOf(candidate.onetCode)} (${candidate.onetCode}), ${candidate.skills.join(' and ')}, ${candidate.metro}: ${sum} = **${score}**`,
      '',
      ...reasons.map(({ factor, points: given, text }) => `- ${factor}, ${given} points: ${text}`),
      ...met.map(({ phrase, by }) => `- met: "${phrase}" by "${by}"`),
      ...unmet.map((text) => `- unmet: ${text}`),
      ...gaps.map((gap) => `- gap: ${gap}`),
    ].join('\n');
  });
  return `An order for ${titleOf(order.onetCode)} (${order.onetCode}) in ${order.metro} asks for ${order.skills.join(' and ')}, must have "${order.requires[0]}" and is for the ${order.shift} shift. B comes first, because B alone meets all that it must have; the scores are as they would be without:

${told.join('\n\n')}`;
}

/** The sections of the guide to matching that are computed, by their titles. */
export function toSections(): Record<string, string> {
  return {
    'What a score is made of': toWeights(),
    'How close two occupations are': toCloseness(),
    'An example': toExample(),
    'The statement': `Every reply with scores says:\n\n> ${statement}`,
  };
}
