import * as v from 'valibot';
import { listSchema, textSchema } from '../../kernel/text.ts';
import {
  type Explanation,
  type Factor,
  keepByText,
  type Matchable,
  type OccupationFacts,
} from '../factor.ts';
import { toWordTest } from '../filters.ts';
import type { Member } from '../kind.ts';
import type { StoredRecord } from '../record.ts';
import { type Skill, type SkillDemand, toNamedDemand, toOccupationDemand, toSkill } from './skill-demand.ts';

type WithSkills = { skills?: readonly string[] };

/** What is compared of a record: different skills, in the order that they were sent in. */
interface Part {
  onetCode: string;
  skills: readonly Skill[];
  /** Characters of all skills that were sent: those that repeat another are read too. */
  size: number;
}

/** Skills that an explanation names at most. */
const mostNamed = 5;
/** The size of a record without skills: what goes with its occupation may have to be read. */
const sizeWithout = 120;

const readSkill = keepByText(toSkill);

function toNames(skills: readonly Skill[]): string {
  const more = skills.length - mostNamed;
  const names = skills.slice(0, mostNamed).map(({ text }) => text);
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function explain({ asked, all, findHad }: SkillDemand, skills: readonly Skill[], title: string): Explanation {
  const had = findHad(skills);
  const named = toNames(had);
  if (asked) {
    const of = all === 1 ? 'the 1 skill' : `the ${all} skills`;
    const missing = asked.filter((one) => !had.includes(one));
    const gap = `lacks ${missing.length} of ${of} asked for: ${toNames(missing)}`;
    return { reason: `has ${had.length} of ${of} asked for: ${named}`, ...(missing.length > 0 && { gap }) };
  }
  if (had.length === 0) {
    return { gap: `names no skill that goes with ${title}, and the order asks for none` };
  }
  const count = had.length === 1 ? '1 skill that goes' : `${had.length} skills that go`;
  const gap = `names only ${count} with ${title}; ${all} count in full`;
  return { reason: `has ${count} with ${title}: ${named}`, ...(had.length < all && { gap }) };
}

/** Returns the demand of an order: the skills that it names or, where it names none, those of its occupation. */
function createDemands({ skillsOf }: OccupationFacts, skillsForAll: number) {
  const byCode = new Map<string, SkillDemand>();
  const byOrder = new WeakMap<Part, SkillDemand>();
  function toCodeDemand(code: string): SkillDemand {
    const demand = byCode.get(code) ?? toOccupationDemand(skillsOf(code), skillsForAll);
    byCode.set(code, demand);
    return demand;
  }
  return (order: Part): SkillDemand => {
    let demand = byOrder.get(order);
    if (demand) return demand;
    demand = order.skills.length > 0 ? toNamedDemand(order.skills) : toCodeDemand(order.onetCode);
    byOrder.set(order, demand);
    return demand;
  };
}

const factor: Factor<Part> = {
  name: 'skills',
  compares: 'the skills asked for that the candidate has',
  points: 'Times the share of the skills asked for that the candidate has.',
  /** How many skills that go with its occupation count in full, where an order asks for none. */
  settings: { skillsForAll: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)) },
  read({ onetCode, skills = [] }: Matchable & WithSkills) {
    const read = skills.map(readSkill);
    const isFirst = ({ key }: Skill, at: number) => read.findIndex((other) => other.key === key) === at;
    return { onetCode, skills: read.filter(isFirst), size: skills.join('').length };
  },
  sizeOf: ({ size }) => size || sizeWithout,
  create({ points, settings: { skillsForAll } }, occupations) {
    const demandOf = createDemands(occupations, skillsForAll!);
    return {
      rate(order, candidate) {
        if (candidate.skills.length === 0) return 0;
        const { all, findHad } = demandOf(order);
        return Math.round((points * 4 * Math.min(all, findHad(candidate.skills).length)) / all);
      },
      explain: (order, candidate) =>
        explain(demandOf(order), candidate.skills, occupations.titleOf(order.onetCode)),
    };
  },
};

/** Skills that a candidate has, or that a job order asks for. */
export const skills = {
  schema: v.optional(
    v.pipe(
      listSchema(textSchema(80, 'Skill', 'One skill, 1 to 80 characters.'), 50, 'skills'),
      v.description('Up to 50 skills.'),
    ),
  ),
  filters: {
    skill: {
      title: 'Skill',
      description: 'Has such a skill: whole words.',
      guesses: ['skills'],
      toTest(value) {
        const hasWords = toWordTest(value);
        return ({ skills = [] }: StoredRecord & WithSkills) => skills.some(hasWords);
      },
    },
  },
  factor,
} satisfies Member;
