import * as v from 'valibot';
import { say } from '../kernel/text.ts';
import { kinds } from '../kinds.ts';
import type { PresentedRecord } from '../records/kind/record.ts';
import type { ActivityEntry } from '../workspace/activity.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { Brief, Check } from './content-file.ts';
import { BriefHistory, type EventPattern } from './history.ts';
import { isSame, listMisses, type PatternScope, readPath } from './pattern.ts';

/** A record of a graded workspace, as stored (`fact`) and as presented (`row`). The fixture has the first `seq`s. */
export interface GradedRecord {
  kind: string;
  seq: number;
  fact: StoredRecord;
  row: PresentedRecord;
}

/** Creates the schema of the result of a check: what was wanted and what was found, in words. */
/* @__NO_SIDE_EFFECTS__ */
export const createGradedCheckSchema = () =>
  v.object({
    id: say(v.string(), 'Of the check.'),
    text: say(v.string(), 'What has to be so.'),
    passed: say(v.boolean(), 'Whether it is.'),
    wanted: say(v.string(), 'What was looked for.'),
    found: say(v.string(), 'What there was.'),
  });
type GradedCheck = v.InferOutput<ReturnType<typeof createGradedCheckSchema>>;

/** The most records that `found` names. Further ones are only counted. */
const mostNamed = 3;
/** Members of a stored record that no caller sends. */
const incidental = new Set(['id', 'ref', 'status', 'createdAt', 'updatedAt', 'revision']);

const show = (value: unknown) => (value === undefined ? 'not set' : JSON.stringify(value).slice(0, 100));
const labelRecord = ({ row }: GradedRecord) => {
  const name = row.name ?? row.title ?? (row.links.self && row.status);
  return `${row.id} (${String(name).slice(0, 60)})`;
};

const describeRevisions = (revisions: readonly number[]): string =>
  revisions.length === 0
    ? 'never'
    : `${revisions.length} times, first at revision ${revisions[0]} of the activity`;

/** Checks the records of a workspace that began with the fixture of a brief. */
class Checker {
  readonly #records: readonly GradedRecord[];
  /** The records of the fixture by their keys, with the `seq` that each got. */
  readonly #items = new Map<string, { seq: number; kind: string; item: Record<string, unknown> }>();
  readonly #byId: ReadonlyMap<unknown, GradedRecord>;
  readonly #bySeq: ReadonlyMap<number, GradedRecord>;
  readonly #scope: PatternScope;
  readonly #history: BriefHistory;

  constructor(
    { fixture }: Brief,
    { records, entries }: { records: readonly GradedRecord[]; entries: readonly ActivityEntry[] },
  ) {
    this.#records = records;
    for (const { name, collection } of kinds)
      for (const item of fixture[collection] ?? [])
        this.#items.set(String(item.ref), { seq: this.#items.size + 1, kind: name, item });
    this.#byId = new Map(records.map((record) => [record.row.id, record]));
    this.#bySeq = new Map(records.map((record) => [record.seq, record]));
    this.#scope = {
      resolve: (value) => this.#resolve(value),
      findRow: (id) => this.#byId.get(id)?.row,
    };
    this.#history = new BriefHistory(entries, this.#scope);
  }

  check(check: Check) {
    if ('kind' in check) return this.#grade(check);
    if ('happened' in check) return this.#count(check.happened, check.count);
    if ('never' in check) return this.#count(check.never, 0);
    if ('before' in check) return this.#compareTimes(check.before);
    if ('unchanged' in check) return this.#compare(check.unchanged);
    return this.#compare([...this.#items.keys()].filter((key) => !check.unchangedBut.includes(key)));
  }

  /** Returns the record of a key of the fixture, or undefined if it was deleted. A new one like it does not count. */
  #recordOf(key: string): GradedRecord | undefined {
    const item = this.#items.get(key);
    if (!item) throw new Error(`no record of the fixture is called ${key}`);
    return this.#bySeq.get(item.seq);
  }

  /** Replaces `#key` by the id of its record. If the record was deleted, returns a text that matches nothing. */
  #resolve(text: unknown): unknown {
    if (typeof text !== 'string' || !text.startsWith('#')) return text;
    return this.#recordOf(text.slice(1))?.row.id ?? `${text} (deleted)`;
  }

  /** Formats a pattern with the ids of its records. */
  #showPattern = (pattern: object): string => JSON.stringify(pattern, (_, test) => this.#resolve(test));

  #grade({ kind, where, count }: Extract<Check, { kind: string }>) {
    const all = this.#records.filter((record) => record.kind === kind);
    const candidates = all.map((record) => ({ record, misses: listMisses(where, record.row, this.#scope) }));
    const found = candidates.filter(({ misses }) => misses.length === 0);
    const measureDistance = (misses: string[]) => misses.length + (misses.includes('id') ? 99 : 0);
    const { record, misses } =
      candidates.toSorted((a, b) => measureDistance(a.misses) - measureDistance(b.misses))[0] ?? {};
    const names = found.slice(0, mostNamed).map((match) => labelRecord(match.record));
    const nearest =
      found.length === 0 && record && misses!.length < Object.keys(where).length
        ? [
            `nearest: ${labelRecord(record)}, where ${misses!.map((path) => `${path} is ${show(readPath(record.row, path))}`).join(', ')}`,
          ]
        : [];
    return {
      passed: found.length === count,
      wanted: `exactly ${count} of kind ${kind} with ${this.#showPattern(where)}`,
      found: [String(found.length), ...names, ...nearest].join('; '),
    };
  }

  /** Grades how often something happened: this often, or at least once. */
  #count(pattern: EventPattern, count?: number) {
    const revisions = this.#history.listRevisions(pattern);
    const times = count === undefined ? 'at least once' : `exactly ${count} times`;
    return {
      passed: count === undefined ? revisions.length > 0 : revisions.length === count,
      wanted: `${times}: ${this.#showPattern(pattern)}`,
      found: describeRevisions(revisions),
    };
  }

  /**
   * Grades whether the first of each pattern happened before the first of the next, or in one change with it. Describes the
   * first pair that did not.
   */
  #compareTimes(patterns: readonly EventPattern[]) {
    const found = patterns.map((pattern) => this.#history.listRevisions(pattern));
    const late = found.findIndex(([first], index) => {
      const [before = 0] = found[index - 1] ?? [];
      return first === undefined || before > first;
    });
    const describe = (index: number) =>
      `${this.#showPattern(patterns[index]!)}: ${describeRevisions(found[index]!)}`;
    return {
      passed: late < 0,
      wanted: patterns.map((pattern) => this.#showPattern(pattern)).join(' before '),
      found:
        late < 0
          ? 'in this order'
          : [late - 1, late]
              .filter((index) => index >= 0)
              .map(describe)
              .join('; '),
    };
  }

  /** Describes how a record differs from the fixture, or returns undefined if it does not differ. */
  #describeChange(key: string): string | undefined {
    const { item, kind } = this.#items.get(key)!;
    const record = this.#recordOf(key);
    if (!record) return `${key} (${item.name ?? item.title ?? kind}) is gone`;
    const { fact } = record;
    const { stored } = kinds.find(({ name }) => name === kind)!.lifecycle;
    const isHeldStatus = stored.includes(item.status as string);
    const before: Record<string, unknown> = { ...item, ...(isHeldStatus && { asked: item.status }) };
    const names = [...new Set([...Object.keys(before), ...Object.keys(fact)])].filter(
      (name) => !incidental.has(name),
    );
    const changed = names.filter((name) => !isSame(this.#resolve(before[name]), fact[name]));
    if (changed.length === 0) return undefined;
    const differences = changed.map(
      (name) => `${name} is ${show(fact[name])}, was ${show(this.#resolve(before[name]))}`,
    );
    return `${labelRecord(record)}: ${differences.join('; ')}`;
  }

  #compare(keys: readonly string[]) {
    const changes = keys.flatMap((key) => this.#describeChange(key) ?? []);
    const more = changes.length > mostNamed ? ` and ${changes.length - mostNamed} more` : '';
    return {
      passed: changes.length === 0,
      wanted: `${keys.length} records as they were at the start`,
      found: changes.length === 0 ? 'no change' : changes.slice(0, mostNamed).join(' | ') + more,
    };
  }
}

/** Grades a workspace by its records and its activity, oldest first. Each step is one check. */
export function* evaluate(
  brief: Brief,
  found: { records: readonly GradedRecord[]; entries: readonly ActivityEntry[] },
): Generator<GradedCheck> {
  const checker = new Checker(brief, found);
  for (const item of brief.checks) yield { id: item.id, text: item.text, ...checker.check(item) };
}
