import * as v from 'valibot';
import type { OperationReply } from '../kernel/operation.ts';
import { dayMs, Href, say, toIsoDate } from '../kernel/text.ts';
import { defineTokenKind } from '../kernel/token.ts';
import type { Context, RecordService } from '../records/service.ts';
import type { Brief, Names } from './content-file.ts';
import { briefRefusals } from './refusals.ts';

/** The token of the person who runs the agent. */
export const graderToken = defineTokenKind(
  'grader',
  'grd_',
  'The token, `grd_…`, that startBrief answered.',
  briefRefusals.unknown_grader,
);

/** The highest variant of a brief. */
export const lastVariant = 999;
/** The most days or dollars that a variant adds. */
const mostShift = 6;

/** Creates a function that returns numbers from 0 to below 1: a linear congruential generator modulo 2^32. */
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

/** Returns a variant of a brief. `start` is a date. Without it days are shown as their distance from the start. */
export function createVariant(brief: Brief, names: Names, variant: number, start?: string): Brief {
  const random = createRandom(variant);
  const shift = Math.floor(random() * (mostShift + 1));
  const pools = {
    p: shuffle(names.people, random),
    k: shuffle(names.clients, random),
    m: shuffle(names.metros, random),
  };
  const formatDay = (days: number) => {
    const distance = days + Math.sign(days) * shift;
    if (start !== undefined) return toIsoDate(Date.parse(start) + distance * dayMs);
    return distance === 0
      ? 'today'
      : `${Math.abs(distance)} days ${distance < 0 ? 'before' : 'after'} the start`;
  };
  const replacePlaceholder = (placeholder: string, ...[pool, index, days, usd]: (string | undefined)[]) => {
    if (days !== undefined) return formatDay(Number(days));
    return usd !== undefined
      ? String(Number(usd) + shift)
      : (pools[pool as 'p'][Number(index)] ?? placeholder);
  };
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const text = value.replace(/\{(?:([pkm])(\d+)|day (-?\d+)|usd (\d+))\}/g, replacePlaceholder);
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

/** A rule of every brief. */
const ofWorkspace = 'Our records are those of the workspace. The public examples are no part of the task.';

/** A rule of every brief with people who react. */
const ofPeople =
  'The people named here answer your changes at once. Read what they say: the reason of a move is in transitions, an answer in outcome.confirmations, and a note in its record.';

/** Returns a brief as callers see it: without its fixture, its checks and the rules of its people. */
export const presentBrief = ({ id, title, level, text, rules, parties }: Brief) => ({
  id,
  title,
  level,
  text: text.join('\n'),
  rules: [...rules, ...(parties.length > 0 ? [ofPeople] : []), ofWorkspace],
});
export type ShownBrief = ReturnType<typeof presentBrief>;

/** Says how to start a brief, and how to be graded. */
export const explainRun = (id: string): string =>
  `POST /briefs/${id}/start, and at the end GET /grade with its grader as X-Grader.`;

/** One line of the list of briefs. */
export const BriefEntry = v.object({
  id: say(v.string(), 'Send it to start the brief.'),
  title: say(v.string(), 'What it is about.'),
  level: say(v.picklist([1, 2, 3, 4]), '1 is simple; 3 is long, with traps; in 4 people react.'),
  checks: say(v.pipe(v.number(), v.integer()), 'How many things are checked in the end.'),
  links: say(v.object({ self: say(Href, 'The brief.') }), 'Addresses.'),
});
export type BriefEntry = v.InferOutput<typeof BriefEntry>;

/** What the briefs need of the service. */
export interface BriefService extends RecordService {
  catalogue: RecordService['catalogue'] & {
    briefs: readonly BriefEntry[];
    brief(id: string): ShownBrief | undefined | Promise<ShownBrief | undefined>;
    briefBook(): BriefBook | Promise<BriefBook>;
  };
}

export type BriefContext = Context<BriefService>;

/** Creates the reply to an unknown id. It names all briefs, because a model may not have the list. */
export function explainUnknownBrief({ catalogue: { briefs } }: BriefService): OperationReply {
  const ids = briefs.map(({ id }) => id).join(', ');
  const message = `There is no brief with this id. The briefs are ${ids}.`;
  return { status: 404, body: { type: 'EMPTY', message, links: { list: '/briefs' } } };
}

export interface BriefBook {
  briefs: readonly Brief[];
  names: Names;
}
