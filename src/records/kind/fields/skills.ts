import * as v from 'valibot';
import { memoize, mostTextBytes } from '../../../kernel/cache.ts';
import { createWordTest, PhraseList } from '../../../kernel/phrase-list.ts';
import { listSchema, may, textSchema } from '../../../kernel/text.ts';
import { hasAllWords, type Phrase, sizeOfPhrase } from '../../../kernel/words.ts';
import type { StoredRecord } from '../../../workspace/record.ts';
import type { Explanation, Factor, Matchable, OccupationFacts } from '../factor.ts';
import type { Member } from '../member.ts';
import { isLackingSkill, listQualified, readHeldSkill } from '../phrases/held-phrase.ts';
import type { WithPhrases } from '../phrases/shown-phrases.ts';
import { readSkillPhrase } from '../phrases/statement.ts';
import { createShownTest } from './must-haves.ts';

interface Skill extends Phrase {
  /** Whether it says that it is lacking. */
  isLacking: boolean;
  /** Equal for two texts of the same words. */
  key: string;
}

function parseSkill(text: string): Skill {
  const phrase = readSkillPhrase(text);
  const singulars = new Set(phrase.wanted.map(({ forms }) => forms[1] ?? forms[0]!));
  return { ...phrase, key: [...singulars].sort().join(' '), isLacking: isLackingSkill(text) };
}

const readSkill = memoize(parseSkill, { most: mostTextBytes, sizeOf: sizeOfPhrase });

/** Whether a text shows a skill. One that says that it is lacking shows only what has that word itself. */
const hasSkill = (text: string, wanted: Phrase): boolean =>
  hasAllWords(readSkillPhrase(text), wanted) && !isLackingSkill(text, wanted);

/** The skills of a record. A text is parsed only if it is needed: of fifty, most orders ask for few. */
class SkillSet {
  readonly onetCode: string;
  /** The demand of the order, once it was computed. */
  demand: SkillDemand | undefined;
  readonly #texts: readonly string[];
  #list: PhraseList | undefined;
  #lacking: readonly string[] | undefined;
  #skills: readonly Skill[] | undefined;

  constructor(onetCode: string, texts: readonly string[]) {
    this.onetCode = onetCode;
    this.#texts = texts;
  }

  /** The different skills, in the order in which they were sent. */
  get skills(): readonly Skill[] {
    if (!this.#skills) {
      const byKey = new Map<string, Skill>();
      for (const skill of this.#texts.map(readSkill))
        if (!skill.isLacking && !byKey.has(skill.key)) byKey.set(skill.key, skill);
      this.#skills = [...byKey.values()];
    }
    return this.#skills;
  }

  /** The texts that say what is lacking. */
  get lacking(): readonly string[] {
    this.#lacking ??= listQualified(this.#texts, readHeldSkill).map(({ text }) => text);
    return this.#lacking;
  }

  /** Whether one of the skills has all words of `skill`. */
  has(skill: Skill): boolean {
    const { lacking } = this;
    this.#list ??= new PhraseList(
      lacking.length > 0 ? this.#texts.filter((text) => !lacking.includes(text)) : this.#texts,
      readSkillPhrase,
    );
    return this.#list.has(skill) || lacking.some((text) => hasSkill(text, skill));
  }
}

/** How many demands of occupations are remembered, and how many skills of candidates each has met. */
const mostDemands = 1000;
const mostMet = 10_000;

interface SkillDemand {
  /** The skills that the order asks for. Absent if its occupation decides. */
  orderSkills?: readonly Skill[];
  /** How many skills count in full. More do not count. */
  all: number;
  /**
   * Whether a candidate has a skill that the order asks for. If it asks for none, whether a skill of the candidate
   * goes with the occupation.
   */
  isMet(skill: Skill, candidate: SkillSet): boolean;
}

/**
 * Returns the demand of an order that asks for skills. A candidate has one if a single skill holds all its words.
 */
const createNamedDemand = (orderSkills: readonly Skill[]): SkillDemand => ({
  orderSkills,
  all: orderSkills.length,
  isMet: (skill, candidate) => candidate.has(skill),
});

/**
 * Returns the demand of an occupation. A skill goes with it if it has a word of its titles. So does one that holds
 * the name of a technology or skill of the occupation. So does one that is a part of a technology's name. `all`
 * such skills count in full.
 */
function createOccupationDemand(
  vocabulary: ReturnType<OccupationFacts['skillsOf']>,
  all: number,
): SkillDemand {
  const words = new Set(vocabulary.words);
  const names = vocabulary.technologies
    .map(parseSkill)
    .flatMap((name) => [...name.alone].map((word) => ({ name, word })));
  const byWord = Map.groupBy(names, ({ word }) => word);
  const isPart = (skill: Skill, word: string) =>
    byWord.get(word)?.some(({ name }) => hasAllWords(skill, name) || hasAllWords(name, skill));
  const skillNames = new Map<string, Skill[]>();
  for (const name of vocabulary.names.map(parseSkill))
    for (const form of name.wanted[0]!.forms) skillNames.set(form, [...(skillNames.get(form) ?? []), name]);
  const isNamed = (skill: Skill, word: string) =>
    skillNames.get(word)?.some((name) => hasAllWords(skill, name));
  const isMet = memoize(
    (skill: Skill) =>
      [...skill.alone].some((word) => words.has(word) || isPart(skill, word) || isNamed(skill, word)),
    { most: mostMet },
  );
  return { all, isMet };
}

const mostNamed = 5;

function joinNames(skills: readonly Skill[]): string {
  const more = skills.length - mostNamed;
  const names = skills.slice(0, mostNamed).map(({ text }) => text);
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function explain({ orderSkills, all, isMet }: SkillDemand, candidate: SkillSet, title: string): Explanation {
  const metSkills = (orderSkills ?? candidate.skills).filter((skill) => isMet(skill, candidate));
  const names = joinNames(metSkills);
  if (orderSkills) {
    const allSkills = all === 1 ? 'the 1 skill' : `the ${all} skills`;
    const missing = orderSkills.filter((skill) => !metSkills.includes(skill));
    const gap = `lacks ${missing.length} of ${allSkills} asked for: ${joinNames(missing)}`;
    return {
      reason: `has ${metSkills.length} of ${allSkills} asked for: ${names}`,
      ...(missing.length > 0 && { gap }),
    };
  }
  if (metSkills.length === 0) {
    return { gap: `names no skill that goes with ${title}, and the order asks for none` };
  }
  const count = metSkills.length === 1 ? '1 skill that goes' : `${metSkills.length} skills that go`;
  const gap = `names only ${count} with ${title}; ${all} count in full`;
  return { reason: `has ${count} with ${title}: ${names}`, ...(metSkills.length < all && { gap }) };
}

const factor: Factor<SkillSet> = {
  name: 'skills',
  compares: 'the skills asked for that the candidate has',
  points: 'Times the share of the skills asked for that the candidate has.',
  isSlow: true,
  /** How many skills that go with the occupation count in full, if an order asks for none. */
  settings: { skillsForAll: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)) },
  read: ({ onetCode, skills = [] }: Matchable & WithPhrases) => new SkillSet(onetCode, skills),
  create({ points, settings: { skillsForAll } }, occupations) {
    const ofCode = memoize(
      (code: string) => createOccupationDemand(occupations.skillsOf(code), skillsForAll!),
      { most: mostDemands },
    );
    /** Returns the demand of an order: its own skills or, if it asks for none, those of its occupation. */
    const demandOf = (order: SkillSet): SkillDemand => {
      order.demand ??= order.skills.length > 0 ? createNamedDemand(order.skills) : ofCode(order.onetCode);
      return order.demand;
    };
    return {
      rate(order, candidate) {
        const { orderSkills, all, isMet } = demandOf(order);
        let count = 0;
        for (const skill of orderSkills ?? candidate.skills)
          if (count < all && isMet(skill, candidate)) count += 1;
        return Math.round((points * 4 * count) / all);
      },
      explain(order, candidate) {
        const { lacking: without } = candidate;
        const explanation = explain(demandOf(order), candidate, occupations.titleOf(order.onetCode));
        const lacking = without.length > 0 && `says that it lacks: ${without.slice(0, mostNamed).join(', ')}`;
        return lacking
          ? { ...explanation, gap: [explanation.gap, lacking].filter(Boolean).join('; ') }
          : explanation;
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
      description: 'Has such skills, by whole words: Redis,Node.js.',
      createTest(value) {
        const isShown = createShownTest(value, readSkillPhrase, (wanted) => {
          const hasWords = createWordTest(wanted, readSkillPhrase);
          return (skills) => skills.some((text) => hasWords(text) && !isLackingSkill(text, wanted));
        });
        return ({ skills = [] }: StoredRecord & WithPhrases) => isShown(skills);
      },
    },
  },
  factor,
  search: 'words',
  client: 'shown',
  file: { form: 'list' },
} satisfies Member;
