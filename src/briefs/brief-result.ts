import * as v from 'valibot';
import { CalendarDate } from '../kernel/text.ts';

const atLeast = (least: number) => {
  const message = `must be a whole number from ${least}`;
  return v.pipe(v.number(message), v.integer(message), v.minValue(least, message));
};
const textUpTo = (most: number) =>
  v.pipe(v.string(), v.maxLength(most, `must have at most ${most} characters`));
const Count = atLeast(0);

/** A file of content/brief-results, as `npm run briefs` writes it: how one agent did on briefs. */
export const BriefResult = v.strictObject({
  /** What its row is called. */
  name: v.pipe(textUpTo(60), v.minLength(1, 'must not be empty')),
  /** A script was written for these briefs; an agent reads them. */
  kind: v.picklist(['script', 'agent']),
  /** What it is and does, in a sentence. */
  about: textUpTo(200),
  /** The UTC day of the runs. */
  day: CalendarDate,
  /** How many variants of each brief it ran, from variant `variant` on. */
  times: atLeast(1),
  variant: Count,
  /** By brief: in how many variants it passed, and its calls in all of them. */
  briefs: v.array(
    v.strictObject({ id: v.string(), level: v.picklist([1, 2, 3, 4]), passed: Count, calls: Count }),
  ),
});
export type BriefResult = v.InferOutput<typeof BriefResult>;

interface LevelResult {
  level: number;
  briefs: number;
  /** Briefs that passed in every variant. */
  passed: number;
  /** Average calls of a run. */
  calls: number;
}

/** Sums a result up by level. `passed / briefs` of a level is its pass^k, for the k of `times`. */
export function sumUpLevels({ briefs, times }: Pick<BriefResult, 'briefs' | 'times'>): LevelResult[] {
  const byLevel = [...Map.groupBy(briefs, ({ level }) => level)].sort(([a], [b]) => a - b);
  return byLevel.map(([level, all]) => ({
    level,
    briefs: all.length,
    passed: all.filter(({ passed }) => passed === times).length,
    calls: Math.round(all.reduce((sum, { calls }) => sum + calls, 0) / (all.length * times)),
  }));
}

/** Sums up the runs of each brief. Briefs are in the order of their first run. */
export function toBriefSums(
  runs: readonly { brief: string; level: number; passed: boolean; calls: number }[],
): BriefResult['briefs'] {
  return [...Map.groupBy(runs, ({ brief }) => brief)].map(([id, all]) => ({
    id,
    level: all[0]!.level as BriefResult['briefs'][number]['level'],
    passed: all.filter(({ passed }) => passed).length,
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
  }));
}
