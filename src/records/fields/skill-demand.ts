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
  /** Whether the order names skills itself; else its occupation decides. */
  isAsked: boolean;
  /** How many there are to have. */
  all: number;
  /** How many of them these skills have, at most `all`. */
  count(skills: readonly Skill[]): number;
  /** The texts of those that these skills have, and of those that are missing. */
  split(skills: readonly Skill[]): { had: string[]; missing: string[] };
}

const holds = (skill: Skill, { words }: Skill) => words.every((word) => skill.words.includes(word));
const toTexts = (skills: readonly Skill[]) => skills.map(({ text }) => text);

/** The demand of an order that names skills: a candidate has one where a skill holds all of its words. */
export function toNamedDemand(asked: readonly Skill[]): SkillDemand {
  const isHad = (one: Skill, skills: readonly Skill[]) => skills.some((skill) => holds(skill, one));
  return {
    isAsked: true,
    all: asked.length,
    count: (skills) => asked.reduce((count, one) => count + Number(isHad(one, skills)), 0),
    split: (skills) => ({
      had: toTexts(asked.filter((one) => isHad(one, skills))),
      missing: toTexts(asked.filter((one) => !isHad(one, skills))),
    }),
  };
}

/**
 * The demand of an occupation: a skill goes with it that has a word of its titles, holds the name of one of its
 * technologies, or is a part of one. `all` such skills count in full.
 */
export function toOccupationDemand(
  { words: titleWords, technologies }: { words: readonly string[]; technologies: readonly string[] },
  all: number,
): SkillDemand {
  const words = new Set(titleWords);
  const names = technologies.map(toSkill);
  const byWord = Map.groupBy(
    names.flatMap((name) => name.words.map((word) => ({ name, word }))),
    ({ word }) => word,
  );
  const known = new WeakMap<Skill, boolean>();
  const find = (skill: Skill) =>
    skill.words.some(
      (word) =>
        words.has(word) || byWord.get(word)?.some(({ name }) => holds(skill, name) || holds(name, skill)),
    );
  const goes = (skill: Skill) => {
    const before = known.get(skill);
    if (before !== undefined) return before;
    const made = find(skill);
    known.set(skill, made);
    return made;
  };
  return {
    isAsked: false,
    all,
    count(skills) {
      let count = 0;
      for (const skill of skills) if (count < all && goes(skill)) count += 1;
      return count;
    },
    split: (skills) => ({ had: toTexts(skills.filter(goes)), missing: [] }),
  };
}
