import { type Skill, toSkill } from './profile.ts';

/** What an order looks for in the different skills of a candidate. */
export interface Wanted {
  /** Whether the order itself asks, or its occupation stands for what it asks. */
  isAsked: boolean;
  /** How many there are to have. */
  all: number;
  /** How many of them these skills have, at most `all`. */
  count(skills: readonly Skill[]): number;
  /** As they are told: those had, and those missing. */
  tell(skills: readonly Skill[]): { had: string[]; missing: string[] };
}

const holds = (skill: Skill, { words }: Skill) => words.every((word) => skill.words.includes(word));
const toTexts = (skills: readonly Skill[]) => skills.map(({ text }) => text);

/** Different skills that an order asks for: a candidate has one where a skill holds all of its words. */
export function toAsked(asked: readonly Skill[]): Wanted {
  const isHad = (one: Skill, skills: readonly Skill[]) => skills.some((skill) => holds(skill, one));
  return {
    isAsked: true,
    all: asked.length,
    count: (skills) => asked.reduce((count, one) => count + Number(isHad(one, skills)), 0),
    tell: (skills) => ({
      had: toTexts(asked.filter((one) => isHad(one, skills))),
      missing: toTexts(asked.filter((one) => !isHad(one, skills))),
    }),
  };
}

/**
 * What goes with an occupation: a skill does that has a word of its titles, holds the name of one of its
 * technologies, or is a part of one. `all` such skills stand for everything.
 */
export function toSigns(titleWords: readonly string[], technologies: readonly string[], all: number): Wanted {
  const words = new Set(titleWords);
  const names = technologies.map(toSkill);
  const ofNames = Map.groupBy(
    names.flatMap((name) => name.words.map((word) => ({ name, word }))),
    ({ word }) => word,
  );
  const known = new WeakMap<Skill, boolean>();
  const find = (skill: Skill) =>
    skill.words.some(
      (word) =>
        words.has(word) || ofNames.get(word)?.some(({ name }) => holds(skill, name) || holds(name, skill)),
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
    tell: (skills) => ({ had: toTexts(skills.filter(goes)), missing: [] }),
  };
}
