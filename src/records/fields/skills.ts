import * as v from 'valibot';
import { keepByText } from '../../kernel/cache.ts';
import { createWordTest, PhraseList } from '../../kernel/phrase-list.ts';
import { listSchema, may, textSchema } from '../../kernel/text.ts';
import { hasAllWords, type Phrase, readPhrase, sizeOfPhrase } from '../../kernel/words.ts';
import type { StoredRecord } from '../../workspace/record.ts';
import type { Explanation, Factor, Matchable, OccupationFacts } from '../factor.ts';
import type { Member } from '../kind.ts';
import { isNegated, type WithPhrases } from './must-haves.ts';

interface Skill extends Phrase {
  /** The same for two texts of the same words. */
  key: string;
}

function parseSkill(text: string): Skill {
  const phrase = readPhrase(text);
  const singulars = new Set(phrase.wanted.map(({ forms }) => forms[1] ?? forms[0]!));
  return { ...phrase, key: [...singulars].sort().join(' ') };
}

const readSkill = keepByText(parseSkill, sizeOfPhrase);
const readShown = (text: string) => (isNegated(text) ? undefined : readSkill(text));

/** What is compared of a record. Skills are read only if they are needed: of fifty, most orders ask for few. */
class SkillSet {
  readonly onetCode: string;
  /** What is looked for if it is an order's, once that was asked. */
  demand: SkillDemand | undefined;
  readonly #texts: readonly string[];
  readonly #list: PhraseList;
  #skills: readonly Skill[] | undefined;

  constructor(onetCode: string, texts: readonly string[]) {
    this.onetCode = onetCode;
    this.#texts = texts;
    this.#list = new PhraseList(texts, readShown);
  }

  /** Different skills, in the order that they were sent in. */
  get skills(): readonly Skill[] {
    if (!this.#skills) {
      const read = this.#texts.flatMap((text) => readShown(text) ?? []);
      const isFirst = ({ key }: Skill, at: number) => read.findIndex((other) => other.key === key) === at;
      this.#skills = read.filter(isFirst);
    }
    return this.#skills;
  }

  /** Skills that say what is lacking. */
  get negated(): string[] {
    return this.#texts.filter(isNegated);
  }

  /** Whether one of the skills has all words of another. */
  has(asked: Skill): boolean {
    return this.#list.find(asked) !== undefined;
  }
}

interface SkillDemand {
  /** The skills that the order names; absent if its occupation decides. */
  asked?: readonly Skill[];
  /** How many there are to have; more count as much. */
  all: number;
  /** Whether one of the skills asked for is there or, if none are named, one of the candidate's is in demand. */
  isHad(one: Skill, candidate: SkillSet): boolean;
}

/** The demand of an order that names skills: a candidate has one where a skill holds all of its words. */
const createNamedDemand = (asked: readonly Skill[]): SkillDemand => ({
  asked,
  all: asked.length,
  isHad: (one, candidate) => candidate.has(one),
});

/**
 * The demand of an occupation: a skill goes with it that has a word of its titles, holds the name of one of its
 * technologies or is a part of one, or holds the name of one of its skills. `all` such skills count in full.
 */
function createOccupationDemand(known: ReturnType<OccupationFacts['skillsOf']>, all: number): SkillDemand {
  const words = new Set(known.words);
  const names = known.technologies
    .map(parseSkill)
    .flatMap((name) => [...name.alone].map((word) => ({ name, word })));
  const byWord = Map.groupBy(names, ({ word }) => word);
  const isPart = (skill: Skill, word: string) =>
    byWord.get(word)?.some(({ name }) => hasAllWords(skill, name) || hasAllWords(name, skill));
  const skillNames = new Map<string, Skill[]>();
  for (const name of known.names.map(parseSkill))
    for (const form of name.wanted[0]!.forms) skillNames.set(form, [...(skillNames.get(form) ?? []), name]);
  const isNamed = (skill: Skill, word: string) =>
    skillNames.get(word)?.some((name) => hasAllWords(skill, name));
  const seen = new WeakMap<Skill, boolean>();
  const isHad = (skill: Skill) => {
    let isDemanded = seen.get(skill);
    if (isDemanded === undefined) {
      isDemanded = [...skill.alone].some(
        (word) => words.has(word) || isPart(skill, word) || isNamed(skill, word),
      );
      seen.set(skill, isDemanded);
    }
    return isDemanded;
  };
  return { all, isHad };
}

const mostNamed = 5;

function joinNames(skills: readonly Skill[]): string {
  const more = skills.length - mostNamed;
  const names = skills.slice(0, mostNamed).map(({ text }) => text);
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function explain({ asked, all, isHad }: SkillDemand, candidate: SkillSet, title: string): Explanation {
  const had = (asked ?? candidate.skills).filter((one) => isHad(one, candidate));
  const named = joinNames(had);
  if (asked) {
    const of = all === 1 ? 'the 1 skill' : `the ${all} skills`;
    const missing = asked.filter((one) => !had.includes(one));
    const gap = `lacks ${missing.length} of ${of} asked for: ${joinNames(missing)}`;
    return { reason: `has ${had.length} of ${of} asked for: ${named}`, ...(missing.length > 0 && { gap }) };
  }
  if (had.length === 0) {
    return { gap: `names no skill that goes with ${title}, and the order asks for none` };
  }
  const count = had.length === 1 ? '1 skill that goes' : `${had.length} skills that go`;
  const gap = `names only ${count} with ${title}; ${all} count in full`;
  return { reason: `has ${count} with ${title}: ${named}`, ...(had.length < all && { gap }) };
}

const factor: Factor<SkillSet> = {
  name: 'skills',
  compares: 'the skills asked for that the candidate has',
  points: 'Times the share of the skills asked for that the candidate has.',
  /** How many skills that go with its occupation count in full, where an order asks for none. */
  settings: { skillsForAll: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)) },
  read: ({ onetCode, skills = [] }: Matchable & WithPhrases) => new SkillSet(onetCode, skills),
  create({ points, settings: { skillsForAll } }, occupations) {
    const ofCode = keepByText((code) => createOccupationDemand(occupations.skillsOf(code), skillsForAll!));
    /** The skills that an order names or, where it names none, those of its occupation. */
    const demandOf = (order: SkillSet): SkillDemand => {
      order.demand ??= order.skills.length > 0 ? createNamedDemand(order.skills) : ofCode(order.onetCode);
      return order.demand;
    };
    return {
      rate(order, candidate) {
        const { asked = candidate.skills, all, isHad } = demandOf(order);
        let had = 0;
        for (const one of asked) if (had < all && isHad(one, candidate)) had += 1;
        return Math.round((points * 4 * had) / all);
      },
      explain(order, candidate) {
        const { negated } = candidate;
        const explained = explain(demandOf(order), candidate, occupations.titleOf(order.onetCode));
        const lacking = negated.length > 0 && `says that it lacks: ${negated.slice(0, mostNamed).join(', ')}`;
        return lacking
          ? { ...explained, gap: [explained.gap, lacking].filter(Boolean).join('; ') }
          : explained;
      },
    };
  },
};

export const skills = {
  schema: may(
    listSchema(textSchema(80, 'Skill', 'One skill, 1 to 80 characters.'), 50, 'skills'),
    'Up to 50 skills.',
  ),
  filters: {
    skill: {
      title: 'Skill',
      description: 'Has such a skill: whole words.',
      createTest(value) {
        const hasWords = createWordTest(value);
        return ({ skills = [] }: StoredRecord & WithPhrases) =>
          skills.some((one) => hasWords(one) && !isNegated(one));
      },
    },
  },
  factor,
} satisfies Member;
