import * as v from 'valibot';
import { say } from '../kernel/text.ts';
import { hasAllWords, readPhrase } from '../kernel/words.ts';
import { kinds } from '../records/kinds.ts';
import type { PresentedRecord } from '../records/record.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { Brief, Check, Condition, Pattern } from './content-file.ts';

/** A record of a graded workspace: as it is stored, and as it is read. Those of the fixture were its first. */
export interface GradedRecord {
  kind: string;
  seq: number;
  fact: StoredRecord;
  row: PresentedRecord;
}

/** How one check went: what was wanted and what was found, in words for whoever reads a transcript. */
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

/** Records that are named in what was found; others are counted. */
const mostNamed = 3;
/** Members of a stored record that no caller sends. */
const incidental = new Set(['id', 'ref', 'status', 'createdAt', 'updatedAt', 'revision']);

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const fold = (value: unknown) => String(value).trim().replace(/\s+/g, ' ').toLowerCase();
const show = (value: unknown) => (value === undefined ? 'not set' : JSON.stringify(value).slice(0, 100));
const labelRecord = ({ row }: GradedRecord) => {
  const name = row.name ?? row.title ?? (row.links.self && row.status);
  return `${row.id} (${String(name).slice(0, 60)})`;
};

/** The members at a path such as `outcome.result`. */
const read = (row: object, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], row);

/** Checks the records of a workspace, which began with the fixture of a brief. */
class Checker {
  readonly #records: readonly GradedRecord[];
  /** What the fixture put in, in the order of its records, by their keys. */
  readonly #items = new Map<string, { seq: number; kind: string; item: Record<string, unknown> }>();
  readonly #byId: ReadonlyMap<unknown, GradedRecord>;
  readonly #bySeq: ReadonlyMap<number, GradedRecord>;

  constructor({ fixture }: Brief, records: readonly GradedRecord[]) {
    this.#records = records;
    for (const { name, collection } of kinds)
      for (const item of fixture[collection] ?? [])
        this.#items.set(String(item.ref), { seq: this.#items.size + 1, kind: name, item });
    this.#byId = new Map(records.map((one) => [one.row.id, one]));
    this.#bySeq = new Map(records.map((one) => [one.seq, one]));
  }

  check(check: Check) {
    if ('kind' in check) return this.#grade(check);
    if ('unchanged' in check) return this.#compare(check.unchanged);
    return this.#compare([...this.#items.keys()].filter((key) => !check.unchangedBut.includes(key)));
  }

  /** The record that the fixture put in under a key, if it is still there: one made again is another. */
  #recordOf(key: string): GradedRecord | undefined {
    const put = this.#items.get(key);
    if (!put) throw new Error(`no record of the fixture is called ${key}`);
    return this.#bySeq.get(put.seq);
  }

  /** The id that `#key` means; nothing has the one that is answered where the record is gone. */
  #resolve(text: unknown): unknown {
    if (typeof text !== 'string' || !text.startsWith('#')) return text;
    return this.#recordOf(text.slice(1))?.row.id ?? `${text} (deleted)`;
  }

  #isMatch(test: Condition, value: unknown): boolean {
    if (Array.isArray(test)) return test.some((one) => this.#isMatch(one, value));
    if (typeof test === 'string')
      return typeof value === 'string' && fold(value) === fold(this.#resolve(test));
    if (typeof test !== 'object') return value === test;
    if ('absent' in test) return value === undefined || value === null || isSame(value, []);
    if ('not' in test) return !this.#isMatch(test.not, value);
    if ('record' in test) {
      const found = this.#byId.get(value);
      return found !== undefined && this.#listMisses(test.record, found).length === 0;
    }
    if ('has' in test) {
      const asked = readPhrase(test.has);
      const texts = (Array.isArray(value) ? value : [value]).map((one) =>
        typeof one === 'object' ? JSON.stringify(one) : String(one ?? ''),
      );
      return texts.some((text) => hasAllWords(readPhrase(text), asked));
    }
    return typeof value === typeof test.min && value! >= test.min;
  }

  /** The members of a record that are not as a pattern has them. */
  #listMisses(pattern: Pattern, { row }: GradedRecord): string[] {
    return Object.keys(pattern).filter((path) => !this.#isMatch(pattern[path]!, read(row, path)));
  }

  #grade({ kind, where, count }: Extract<Check, { kind: string }>) {
    const all = this.#records.filter((one) => one.kind === kind);
    const missed = all.map((one) => ({ one, misses: this.#listMisses(where, one) }));
    const found = missed.filter(({ misses }) => misses.length === 0);
    const measureDistance = (far: string[]) => far.length + (far.includes('id') ? 99 : 0);
    const { one, misses } =
      missed.toSorted((a, b) => measureDistance(a.misses) - measureDistance(b.misses))[0] ?? {};
    const names = found.slice(0, mostNamed).map((match) => labelRecord(match.one));
    const nearest =
      found.length === 0 && one && misses!.length < Object.keys(where).length
        ? [
            `nearest: ${labelRecord(one)}, where ${misses!.map((path) => `${path} is ${show(read(one.row, path))}`).join(', ')}`,
          ]
        : [];
    return {
      passed: found.length === count,
      wanted: `exactly ${count} of kind ${kind} with ${JSON.stringify(where, (_, test) => this.#resolve(test))}`,
      found: [String(found.length), ...names, ...nearest].join('; '),
    };
  }

  /** How a record of the fixture differs from what was put in; undefined where it does not. */
  #describeChange(key: string): string | undefined {
    const { item, kind } = this.#items.get(key)!;
    const record = this.#recordOf(key);
    if (!record) return `${key} (${item.name ?? item.title ?? kind}) is gone`;
    const { fact } = record;
    const kept = kinds.find(({ name }) => name === kind)!.kept.includes(item.status as string);
    const before: Record<string, unknown> = { ...item, ...(kept && { asked: item.status }) };
    const names = [...new Set([...Object.keys(before), ...Object.keys(fact)])].filter(
      (name) => !incidental.has(name),
    );
    const changed = names.filter((name) => !isSame(this.#resolve(before[name]), fact[name]));
    if (changed.length === 0) return undefined;
    const ways = changed.map(
      (name) => `${name} is ${show(fact[name])}, was ${show(this.#resolve(before[name]))}`,
    );
    return `${labelRecord(record)}: ${ways.join('; ')}`;
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

/** Grades the records of a workspace by a brief as it was started, check by check: others have their turn in between. */
export function* evaluate(brief: Brief, records: readonly GradedRecord[]): Generator<GradedCheck> {
  const checker = new Checker(brief, records);
  for (const one of brief.checks) yield { id: one.id, text: one.text, ...checker.check(one) };
}
