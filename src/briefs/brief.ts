import * as v from 'valibot';
import { dayMs, toDay } from '../kernel/text.ts';
import { toTokenKind } from '../kernel/token.ts';

/** The token of whoever runs the agent. */
export const graderToken = toTokenKind('grader', 'grd_', 'The token, `grd_…`, that startBrief answered.');

/** The highest variant of a brief. */
export const lastVariant = 999;
/** Days, or dollars, that a variant adds at most. */
const mostShift = 6;

/**
 * What one member of a record has to be: this value (letters alike in both cases), one of several, or what an object
 * says. `min` and `max` are numbers or days; `has` are words of a text or of one item of a list; `record` is a pattern
 * of the record that is referred to. A text `#key` is the id of a record of the fixture.
 */
export type Test =
  | string
  | number
  | boolean
  | Test[]
  | { min?: number | string; max?: number | string }
  | { has: string }
  | { absent: true }
  | { not: Test }
  | { record: Pattern };
export type Pattern = { [member: string]: Test };
const Pattern = v.record(
  v.string(),
  v.custom<Test>((value) => value !== undefined && value !== null),
);

const said = { id: v.string(), text: v.string() };

/** One thing that must be so in the end. */
const Check = v.union([
  /** So many records of a kind match: 1 unless said. */
  v.strictObject({ ...said, kind: v.string(), where: Pattern, count: v.optional(v.number(), 1) }),
  /** These records of the fixture, or all of them but some, are as they were. */
  v.strictObject({ ...said, unchanged: v.array(v.string()) }),
  v.strictObject({ ...said, unchangedBut: v.array(v.string()) }),
]);
export type Check = v.InferOutput<typeof Check>;

/** Records by collection, as a batch takes them. A `ref` names one within its brief, and is not kept. */
const Fixture = v.record(v.string(), v.array(v.record(v.string(), v.unknown())));

/**
 * A file of content/briefs. In its text, rules, fixture and checks, `{p0}`, `{k0}` and `{m0}` are a person, a client
 * and a city of the variant, `{day 14}` a day after the start, `{day -14}` one before it, and `{usd 40}` an amount.
 */
export const Brief = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z]+(-[a-z]+)*$/)),
  title: v.string(),
  level: v.picklist([1, 2, 3]),
  text: v.array(v.string()),
  rules: v.array(v.string()),
  fixture: Fixture,
  checks: v.pipe(v.array(Check), v.minLength(2)),
});
export type Brief = v.InferOutput<typeof Brief>;

/** What variants choose from: content/briefs-names.json. */
export const Names = v.strictObject({
  people: v.array(v.string()),
  clients: v.array(v.string()),
  metros: v.array(v.string()),
});
export type Names = v.InferOutput<typeof Names>;

/** Numbers from 0 to below 1 that follow from a seed: a linear congruential generator modulo 2^32. */
const createRandom =
  (seed: number, state = Math.imul(seed + 1, 2654435761)) =>
  () => {
    state = Math.imul(state, 1664525) + 1013904223;
    return (state >>> 0) / 2 ** 32;
  };

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const rest = [...items];
  return items.map(() => rest.splice(Math.floor(random() * rest.length), 1)[0]!);
}

/** A brief in one of its variants. `start` is a day; without it, days are told by their distance from the start. */
export function toVariant(brief: Brief, names: Names, variant: number, start?: string): Brief {
  const random = createRandom(variant);
  const shift = Math.floor(random() * (mostShift + 1));
  const pools = {
    p: shuffle(names.people, random),
    k: shuffle(names.clients, random),
    m: shuffle(names.metros, random),
  };
  const toDate = (days: number) => {
    const away = days + Math.sign(days) * shift;
    if (start !== undefined) return toDay(Date.parse(start) + away * dayMs);
    return away === 0 ? 'today' : `${Math.abs(away)} days ${away < 0 ? 'before' : 'after'} the start`;
  };
  const place = (whole: string, pool?: string, index?: string, days?: string, usd?: string) => {
    if (days !== undefined) return toDate(Number(days));
    return usd !== undefined ? String(Number(usd) + shift) : (pools[pool as 'p'][Number(index)] ?? whole);
  };
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const text = value.replace(/\{(?:([pkm])(\d+)|day (-?\d+)|usd (\d+))\}/g, place);
      return /^\{usd \d+\}$/.test(value) ? Number(text) : text;
    }
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item)]));
  };
  const filled = fill(brief) as Brief;
  const fixture = Object.entries(filled.fixture).map(([collection, records]) => [
    collection,
    shuffle(records, random),
  ]);
  return { ...filled, fixture: Object.fromEntries(fixture) };
}

/** What is told of a brief: what a person would write, and what an agent must not do. */
export const toShown = ({ id, title, level, text, rules }: Brief) => ({
  id,
  title,
  level,
  text: text.join('\n'),
  rules,
});
type ShownBrief = ReturnType<typeof toShown>;

/** One line of the list of briefs; `checks` is how many there are. */
export const BriefEntry = v.object({
  id: v.string(),
  title: v.string(),
  level: v.pipe(v.picklist([1, 2, 3]), v.description('1 is simple; 3 is long, with traps.')),
  checks: v.pipe(v.number(), v.integer(), v.description('How many things are checked in the end.')),
});
export type BriefEntry = v.InferOutput<typeof BriefEntry>;

declare module '../kernel/service.ts' {
  interface Catalogue {
    /** In the order of their levels. */
    briefs: readonly BriefEntry[];
    /** A brief in variant 0, its days told by their distance from the start. */
    brief(id: string): ShownBrief | undefined | Promise<ShownBrief | undefined>;
    /** Whole, with what variants choose from. */
    briefBook(): BriefBook | Promise<BriefBook>;
  }
}

export interface BriefBook {
  briefs: readonly Brief[];
  names: Names;
}
