import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collectOccupationSkills } from '../../../src/matches/occupation-skills.ts';
import type { OccupationFact, RatingsFile, SkillNames } from '../../../src/occupations/content-files.ts';
import { stemTitle } from '../../../src/occupations/titles/words.ts';
import { toChance } from '../../support/people.ts';

const terms = suite('the terms that go with an occupation');

const nouns = ['Nurse', 'Welder', 'Driver', 'Clerk', 'Cook', 'Tutor', 'Broker', 'Mason', 'Pilot', 'Baker'];
const groups = ['11-1', '11-2', '29-1'];

/** Draws occupations, their technologies, and the names of skills of families. */
function drawContent(seed: number) {
  const chance = toChance(seed);
  const pick = <T>(all: readonly T[]): T => all[chance(all.length)]!;
  const list = <T>(length: number, draw: (at: number) => T) => Array.from({ length }, (_, at) => draw(at));
  const title = () => `${pick(nouns)} ${pick(nouns)} ${pick(nouns)}`;
  // More occupations than those among which a technology is always particular.
  const facts = list(150, (at) => ({
    id: `${pick(groups)}${String(100 + at)}.00`,
    title: title(),
    ...(chance(4) > 0 && { alternateTitles: list(chance(8), title) }),
  }));
  // Some are listed by a few occupations, some by about half, and some by nearly all.
  const frequent = list(8, () => pick([5, 40, 45, 60, 95]));
  const rated = facts
    .filter(() => chance(10) > 0)
    .map(({ id }) => {
      const isSpecial = id.startsWith(groups[0]!);
      const hot = list(8, (at) => at).filter((at) => {
        const percent = frequent[at]!;
        return chance(100) < (at % 2 === 0 && isSpecial ? Math.min(100, 2 * percent) : percent);
      });
      return [id, chance(12) === 0 ? {} : { hot }] as const;
    });
  return {
    facts: facts as unknown as OccupationFact[],
    ratings: {
      hotTechnologies: list(8, (at) => `Technology ${at}`),
      occupations: Object.fromEntries(rated),
    } as unknown as RatingsFile,
    skillNames: {
      families: list(5, (at) => ({
        codes: [pick(groups), pick(facts).id],
        names: [`Skill ${at}`, `Skill ${(at + 1) % 5}`],
      })),
    } as unknown as SkillNames,
  };
}

type Content = ReturnType<typeof drawContent>;

/** Runs a check of each occupation with the terms that it was given. */
function holdForEach(
  check: (
    content: Content,
    fact: OccupationFact,
    given: Record<'words' | 'technologies' | 'names', string[]>,
  ) => void,
): void {
  for (let seed = 1; seed <= 12; seed += 1) {
    const content = drawContent(seed);
    const made = collectOccupationSkills(content.facts, content.ratings, content.skillNames);
    const read = (places: readonly number[]) => places.map((place) => made.terms[place]!);
    for (const [at, fact] of content.facts.entries())
      check(content, fact, {
        words: read(made.words[at]!),
        technologies: read(made.technologies[at]!),
        names: read(made.names[at]!),
      });
  }
}

const listWords = ({ title, alternateTitles = [] }: OccupationFact) =>
  [title, ...alternateTitles].flatMap(stemTitle);

terms('are the words of its own title, and those of two alternate titles', () => {
  holdForEach((_, { title, alternateTitles = [] }, { words }) => {
    const others = alternateTitles.flatMap(stemTitle);
    const twice = others.filter((word) => others.filter((other) => other === word).length >= 2);
    assert.equal(words.toSorted(), [...new Set([...stemTitle(title), ...twice])].toSorted());
  });
});

terms('begin with the words that are frequent in its titles and rare in others', () => {
  holdForEach(({ facts }, fact, { words }) => {
    const rate = (word: string) => {
      const own = listWords(fact).filter((other) => other === word).length;
      const inTitle = stemTitle(fact.title).filter((other) => other === word).length;
      const having = facts.filter((other) => listWords(other).includes(word)).length;
      return Math.sqrt(own + inTitle) * Math.log(facts.length / having);
    };
    const sorted = words.toSorted((a, b) => rate(b) - rate(a) || (a < b ? -1 : 1));
    assert.equal(words, sorted);
  });
});

terms('are the technologies that few occupations list, or that are frequent in its minor group', () => {
  let [few, frequent, left] = [0, 0, 0];
  holdForEach(({ ratings }, { id }, { technologies }) => {
    const rated = Object.entries(ratings.occupations).filter(([, { hot }]) => hot !== undefined);
    const own = ratings.occupations[id]?.hot ?? [];
    const expected = own.filter((technology) => {
      const users = rated.filter(([, { hot }]) => hot!.includes(technology)).map(([code]) => code);
      if (users.length <= 60) few += 1;
      if (users.length <= 60) return true;
      const group = rated.filter(([code]) => code.slice(0, 4) === id.slice(0, 4));
      const ofGroup = users.filter((code) => code.slice(0, 4) === id.slice(0, 4));
      const isFrequent = ofGroup.length / group.length >= 1.5 * (users.length / rated.length);
      if (isFrequent) frequent += 1;
      else left += 1;
      return isFrequent;
    });
    assert.equal(
      technologies,
      expected.map((technology) => ratings.hotTechnologies[technology]!),
    );
  });
  for (const count of [few, frequent, left]) assert.ok(count > 20, String([few, frequent, left]));
});

terms('are the skills of the families of its code, each once', () => {
  holdForEach(({ skillNames }, { id }, { names }) => {
    const expected = new Set<string>();
    for (const { codes, names: ofFamily } of skillNames.families)
      for (const code of codes) if (id.startsWith(code)) for (const name of ofFamily) expected.add(name);
    assert.equal(names.toSorted(), [...expected].toSorted());
  });
});

terms('are at most 30 words', () => {
  const title = Array.from({ length: 20 }, (_, at) => `Word${String.fromCharCode(97 + at)}`).join(' ');
  const more = Array.from({ length: 20 }, (_, at) => `Other${String.fromCharCode(97 + at)}`).join(' ');
  const facts = [
    { id: '11-1001.00', title, alternateTitles: [more, more] },
    { id: '11-1002.00', title: 'Baker' },
  ] as unknown as OccupationFact[];
  const made = collectOccupationSkills(
    facts,
    { hotTechnologies: [], occupations: {} } as unknown as RatingsFile,
    { families: [] } as unknown as SkillNames,
  );
  assert.is(made.words[0]!.length, 30);
  assert.equal(made.words[1], made.words[1]!.slice(0, 1));
});

terms.run();
