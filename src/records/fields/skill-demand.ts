import { toWords } from '../../occupations/titles/words.ts';

/** A skill as it was sent, and its different words: lower case, no accents, singular. */
export interface Skill {
  text: string;
  words: readonly string[];
  /** The same for two texts of the same words. */
  key: string;
}

/** Reads a skill. A text of signs alone, such as "!", is one word. */
export function toSkill(text: string): Skill {
  const found = [...new Set(toWords(text))];
  const words = found.length > 0 ? found : [text.trim()];
  return { text, words, key: words.toSorted().join(' ') };
}

/** What an order looks for in the different skills of a candidate. */
export interface SkillDemand {
  /** The skills that the order names; absent where its occupation decides. */
  asked?: readonly Skill[];
  /** How many there are to have; more count as much. */
  all: number;
  /** Those of the skills asked for that are there or, where none are named, those that go with the occupation. */
  findHad(skills: readonly Skill[]): readonly Skill[];
}

const holds = (skill: Skill, { words }: Skill) => words.every((word) => skill.words.includes(word));

/** The demand of an order that names skills: a candidate has one where a skill holds all of its words. */
export const toNamedDemand = (asked: readonly Skill[]): SkillDemand => ({
  asked,
  all: asked.length,
  findHad: (skills) => asked.filter((one) => skills.some((skill) => holds(skill, one))),
});

/**
 * The demand of an occupation: a skill goes with it that has a word of its titles, holds the name of one of its
 * technologies, or is a part of one. `all` such skills count in full.
 */
export function toOccupationDemand(
  { words: titleWords, technologies }: { words: readonly string[]; technologies: readonly string[] },
  all: number,
): SkillDemand {
  const words = new Set(titleWords);
  const names = technologies.map(toSkill).flatMap((name) => name.words.map((word) => ({ name, word })));
  const byWord = Map.groupBy(names, ({ word }) => word);
  const isPart = (skill: Skill, word: string) =>
    byWord.get(word)?.some(({ name }) => holds(skill, name) || holds(name, skill));
  const known = new WeakMap<Skill, boolean>();
  const goes = (skill: Skill) => {
    let made = known.get(skill);
    if (made === undefined) {
      made = skill.words.some((word) => words.has(word) || isPart(skill, word));
      known.set(skill, made);
    }
    return made;
  };
  return { all, findHad: (skills) => skills.filter(goes) };
}
