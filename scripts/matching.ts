/** Regenerates the computed sections of the guides matching.md and matching-reference.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { factors, Matching, statement } from '../src/matches/match.ts';
import { buildMatchTables, createMatcher, type Matcher } from '../src/matches/matcher.ts';
import { measureLikeness, measureLikenessParts, type Pairs } from '../src/occupations/closeness-table.ts';
import { RatingsFile, SkillNames } from '../src/occupations/content-files.ts';
import { readCommand } from './command.ts';
import { occupationFacts as facts } from './onet/occupation-facts.ts';
import { toPhraseTable } from './phrase-table.ts';

const content = join(import.meta.dirname, '..', 'content');
const read = (name: string) => JSON.parse(readFileSync(join(content, name), 'utf8'));

/** The content files that matching reads. */
export const ratings = v.parse(RatingsFile, read('ratings.json'));
export const skillNames = v.parse(SkillNames, read('skill-names.json'));
export const matching = v.parse(Matching, read('matching.json'));

/** Creates a matcher with these weights. */
export function toMatcher(weights: Matching): Matcher {
  return createMatcher(buildMatchTables(facts, { ratings, skillNames }, weights), weights, facts);
}

const closest = 10;

/** The places of the occupations whose skills are rated. */
const rated = facts.flatMap(({ id }, place) => (ratings.occupations[id]?.importance ? [place] : []));

/**
 * For each rated occupation, takes the share of its ten closest rated ones that O*NET publishes among its twenty
 * related ones. Returns the mean of the shares. Equally close occupations are ordered by code.
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

/** Measures that share for each kind of fact alone and for all together. The related lists do not count as facts. */
export function measureHeldOut() {
  const likenesses = Object.entries(measureLikenessParts(facts, ratings));
  const parts = Object.fromEntries(likenesses.map(([fact, pairs]) => [fact, toShare(pairs)]));
  const together = toShare(measureLikeness(facts, ratings, matching.closeness));
  return { occupations: rated.length, parts, together };
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
  startDate: '2027-02-01',
  payRateUsdHour: 50,
  payRateMaxUsdHour: 58,
  workplace: 'onsite',
};
const metro = 'Columbus, OH';
const credentials = ['Ohio RN licence until 2027-02-20'];
const candidates = [
  {
    id: 'cand_a',
    onetCode: '29-1141.03',
    skills: ['ICU nursing'],
    metro,
    shifts: ['day'],
    payRateUsdHour: 60,
  },
  {
    id: 'cand_b',
    onetCode: '29-1141.00',
    skills: ['ICU', 'Telemetry'],
    metro: 'Cleveland, OH',
    credentials,
    salaryUsdYear: 110_000,
    availableFrom: '2027-01-15',
  },
  { id: 'cand_c', onetCode: '47-2031.00', skills: ['Framing'], metro },
];

function toWeights(): string {
  return `| factor | points at most | how they are given |
|---|---|---|
${factors.map(({ name, points: words }) => `| ${name} | ${points[name]} | ${words} |`).join('\n')}

[The reference](matching-reference.md#how-points-are-given) says how each is counted and rounded.`;
}

function toPoints(): string {
  return `- **Skills.** A candidate has a requested skill if one skill of the candidate has all its words (see [How words are read](#how-words-are-read)). "icu nurse, night shift" covers "ICU nurses"; "ICU" alone does not. These words are ignored: an, and, at, by, for, in, of, on, or, the, to, with.
- **An order without skills** is judged by its occupation. A skill of the candidate fits if it has one of the up to 30 words that set the occupation's job titles apart, if it contains the name of one of its technologies or is part of such a name, or if it contains one of the names that \`content/skill-names.json\` lists for the occupation. A technology counts if at most 60 occupations list it, or if the occupation's minor group lists it one and a half times as often as all occupations do: SAP counts for an accountant, and not for a truck driver. Excel, which nearly all list, counts where the names have it. ${skillsForAll} such skills count in full.
- **Metro.** The same place (see [How places are read](#how-places-are-read)) gives all points, another place in the same state ${sameState}. A city without a state has the points of the same city, and the gap "state not stated".
- **Rounding.** Each factor is rounded to a quarter of a point. Binary numbers add quarters without error, so a score is exactly the sum of its reasons.
- **Equal scores** are ordered by a hash of the two ids. The order is the same every time and on every machine, and differs from one job order to the next. No id comes first more often than another.`;
}

function toCloseness(): string {
  const { occupations, parts, together } = measureHeldOut();
  const alone = (fact: string) => parts[fact]!.toFixed(3);
  const { titles, skills, technologies, code } = closeness.parts;
  const percent = closeness.related.map((share) => `${Math.round(share * 100)}%`);
  return `Closeness is a table, made at build time from O*NET data alone. It is symmetric and in hundredths: 1 for a code and itself, at most 0.99 for two codes, 0 for most pairs. Four facts measure how alike two occupations are, each from 0 to 1:

| fact | weight | alone |
|---|---|---|
| titles: the words of all job titles of each, and their first five letters; rare ones count more | ${titles} | ${alone('titles')} |
| skills: the importance of the 35 skills, relative to the mean | ${skills} | ${alone('skills')} |
| technologies: how many of each kind are listed; rare kinds count more | ${technologies} | ${alone('technologies')} |
| code: the share of the eight digits that both codes begin with, from two on | ${code} | ${alone('code')} |
| all four | | ${together.toFixed(3)} |

Likeness is their weighted mean, over the facts that both occupations have. A likeness up to ${closeness.unrelated} is a closeness of 0, one from ${closeness.closest} on is 1, and others are in proportion. If O*NET publishes one occupation as related to the other, closeness moves part of the way to 1: ${percent[0]} of it for the first five of the list, ${percent[1]} for the next five, ${percent[2]} for the other ten.

The column "alone" is the test: the share of an occupation's ten closest that are among its twenty published related ones, averaged over the ${occupations} occupations whose skills are rated. The related lists play no part in the test; they are added afterwards. The weights, and how words and kinds are counted, were chosen by this figure, so it flatters a little. They are few and round. Weights fitted to one half of the occupations did no better on the other half.`;
}

function toExample(): string {
  const { match } = toMatcher(matching);
  const examples = candidates.map((candidate, at) => {
    const { score, meets, reasons, gaps, met, unmet, unknown } = match(order, candidate);
    const sum = reasons.map((reason) => reason.points).join(' + ') || '0';
    return [
      `**${'ABC'[at]}**, ${titleOf(candidate.onetCode)} (${candidate.onetCode}), ${candidate.skills.join(' and ')}, ${candidate.metro}: ${sum} = **${score}**, meets ${meets}`,
      '',
      ...reasons.map(({ factor, points: given, text }) => `- ${factor}, ${given} points: ${text}`),
      ...met.map(({ phrase, by }) => `- met: "${phrase}" by "${by}"`),
      ...unmet.map((text) => `- unmet: ${text}`),
      ...unknown.map((text) => `- unknown: ${text}`),
      ...gaps.map((gap) => `- gap: ${gap}`),
    ].join('\n');
  });
  return `An order for ${titleOf(order.onetCode)} (${order.onetCode}) in ${order.metro} asks for ${order.skills.join(' and ')}, must have "${order.requires[0]}", is for the ${order.shift} shift, starts on ${order.startDate}, is ${order.workplace} and pays $${order.payRateUsdHour} to $${order.payRateMaxUsdHour} an hour. B comes first, because only B has nothing unmet. B asks $110,000 a year; $${order.payRateMaxUsdHour} an hour is $120,640 a year. The scores do not depend on that:

${examples.join('\n\n')}`;
}

/** Returns the computed sections of the guides to matching: by the name of the guide, then by title. */
export function toSections(): Record<string, Record<string, string>> {
  return {
    matching: {
      'What a score is made of': toWeights(),
      'The statement': `Every reply with scores says:\n\n> ${statement}`,
    },
    'matching-reference': {
      'How points are given': toPoints(),
      'What a phrase counts as': toPhraseTable(),
      'How close two occupations are': toCloseness(),
      'An example': toExample(),
    },
  };
}

const usage = `npm run matching

Writes the computed sections of content/guides/matching.md and matching-reference.md again. It takes no options.`;

if (import.meta.main) {
  readCommand(usage, {});
  for (const [guide, sections] of Object.entries(toSections())) {
    const path = join(content, 'guides', `${guide}.md`);
    const [head, ...parts] = readFileSync(path, 'utf8').trimEnd().split('\n## ');
    const written = parts.map((part) => {
      const title = part.split('\n', 1)[0]!;
      return title in sections ? `${title}\n\n${sections[title]}\n` : part;
    });
    writeFileSync(path, `${[head, ...written].join('\n## ').trimEnd()}\n`);
  }
}
