import { Refusal } from '../kernel/refusal.ts';
import type { Change, Changed, FollowedHead, Found, Store } from '../records/store.ts';
import { applyChange, type Decided, type Seen, toPruned } from './apply-change.ts';
import {
  doors,
  fromDoorText,
  fromReplyText,
  fromTexts,
  type Head,
  type KeptReply,
  replyKind,
  toEntry,
  toReplyName,
  toShort,
  toSize,
} from './codec.ts';
import type { Driver, Kept, Named, Row, Soon, Step } from './driver.ts';

/** How often a change is decided where other instances change the same workspace in between. */
const mostDecisions = 50;
/** Kept replies that one change removes at most, once they expired. */
const repliesAtOnce = 100;

/** Goes on with a value, at once where it is no promise. */
const then = <T, U>(value: Soon<T>, goOn: (value: T) => Soon<U>): Soon<U> =>
  value instanceof Promise ? value.then(goOn) : goOn(value);

/** A run that yields what may be a promise, and goes on with what that resolves to: at once where it is none. */
type Run<T> = Generator<unknown, T, unknown>;

function finish<T>(run: Run<T>): Soon<T> {
  const goOn = (value?: unknown): Soon<T> => {
    let next = run.next(value);
    while (!next.done) {
      if (next.value instanceof Promise) return next.value.then(goOn);
      next = run.next(next.value);
    }
    return next.value;
  };
  return goOn();
}

/** Waits for one value within a run. */
function* wait<T>(value: Soon<T>): Run<T> {
  return (yield value) as T;
}

type Reader = Pick<Driver, 'see' | 'names' | 'rows' | 'door'>;

/** What is found under names: a record under another name than its id is occupied as its id is. */
function toFound(
  reader: Reader,
  key: string,
  names: readonly string[],
  named: readonly Named[],
): Soon<Found[]> {
  const others: string[] = [];
  const found = named.map(({ row, occupants }, at): Found => {
    if (!row || row.kind === replyKind) return { occupants };
    const record = toEntry(row);
    if (record.fact.id !== names[at]) others.push(record.fact.id);
    return { record, occupants };
  });
  if (others.length === 0) return found;
  return then(reader.names(key, others), (own) =>
    found.map((one, at) => {
      const by = one.record && one.record.fact.id !== names[at] ? others.indexOf(one.record.fact.id) : -1;
      return by < 0 ? one : { ...one, occupants: own[by]!.occupants };
    }),
  );
}

interface Opened {
  head: Head;
  kept: Kept;
  named: Named[];
}

/** The workspace that was made with a hash, unless it expired. */
const see = (
  reader: Reader,
  place: string,
  now: number,
  names: readonly string[],
): Soon<Opened | undefined> =>
  then(reader.see(place, names), (kept) => {
    const head = kept && fromTexts(place, kept);
    return head && head.expiresAt > now ? { head, kept, named: kept.named } : undefined;
  });

/** The workspace that a hash opens: the one made with it, or one that was renamed to it. */
const open = (
  reader: Reader,
  hash: string,
  now: number,
  names: readonly string[],
): Soon<Opened | undefined> =>
  then(see(reader, hash, now, names), (own) => {
    if (own) return own.head.hash === hash ? own : undefined;
    return then(reader.door(doors.hash(hash)), (text) => {
      const door = fromDoorText(text, now);
      if (!door) return undefined;
      return then(see(reader, door.place, now, names), (renamed) =>
        renamed?.head.hash === hash ? renamed : undefined,
      );
    });
  });

/** What is kept under a key in a workspace. */
const toKept = (row: Row | undefined): KeptReply | undefined => row && fromReplyText(row.text);

/** What a change is answered where its key was used. */
function toRepeated<T>({ key, now }: Change<T>, row: Row | undefined): Changed<T> | undefined {
  const kept = toKept(row);
  if (!kept || kept.expiresAt <= now) return undefined;
  const isSame = kept.fingerprint === toShort(key!.fingerprint);
  return isSame ? { result: 'replay', reply: kept.reply } : { result: 'mismatch' };
}

const toExpired = ({ seq, text }: Row) => {
  const { key, reply, expiresAt } = fromReplyText(text);
  return { seq, key, bytes: toSize(reply), expiresAt };
};

/** A workspace with the replies in it that expired, so many at most, and `own` among them where that did. */
function* withExpired(step: Step, { head, kept }: Opened, now: number, own: Row | undefined): Run<Seen> {
  if (head.lapsesAt === 0 || head.lapsesAt > now) return { head, kept, expired: [] };
  const slice = { kind: replyKind, order: 'oldest', limit: repliesAtOnce } as const;
  const rows = (yield* wait(step.rows(head.key, slice))).map(toExpired);
  const first = rows.findIndex(({ expiresAt }) => expiresAt > now);
  const expired = first < 0 ? rows : rows.slice(0, first);
  if (own && !expired.some(({ seq }) => seq === own.seq)) expired.push(toExpired(own));
  // Where all of them expired, more may be behind them.
  const lapsesAt = rows[first]?.expiresAt ?? (rows.length === repliesAtOnce ? head.lapsesAt : 0);
  const bytes = expired.reduce((left, one) => left - one.bytes, head.bytes);
  return { head: { ...head, lapsesAt, bytes }, kept, expired };
}

/** What a step came to: what the change is answered, or what its decision threw; `again` where others were quicker. */
type Outcome<T> =
  | { changed: Changed<T>; confirms?: [place: string, door: string | undefined]; key?: string | undefined }
  | { thrown: unknown }
  | 'again';

/** How many occupy each name that is to be occupied by more, or less. */
function* toOccupants(step: Step, names: readonly string[], found: ReadonlyMap<string, number>, head?: Head) {
  const occupants = new Map(found);
  const missing = names.filter((name) => !occupants.has(name));
  if (!head || missing.length === 0) return occupants;
  const named = yield* wait(step.names(head.key, missing));
  for (const [at, name] of missing.entries()) occupants.set(name, named[at]!.occupants);
  return occupants;
}

function* change<T>(step: Step, change: Change<T>): Run<Outcome<T>> {
  const { key, now, mint: isMint, needs, workspace } = change;
  const doorName = key && isMint ? doors.key(key.name) : undefined;
  const door = doorName && (yield* wait(step.door(doorName)));
  const made = fromDoorText(door, now);
  const names = key ? [...needs, toReplyName(key.name)] : needs;
  const opened = made
    ? yield* wait(see(step, made.place, now, [toReplyName(key!.name)]))
    : isMint
      ? undefined
      : yield* wait(open(step, workspace, now, names));
  const own = key && opened?.named.at(-1)?.row;
  const repeated = toRepeated(change, own);
  if (repeated && opened) return { changed: repeated, confirms: [opened.head.place, doorName] };
  if (!isMint && !opened) return { changed: { result: 'unknown' } };
  const seen = opened && !isMint ? yield* withExpired(step, opened, now, own) : undefined;
  const none: Found[] = needs.map(() => ({ occupants: 0 }));
  const found = seen
    ? yield* wait(toFound(step, seen.head.key, needs, opened!.named.slice(0, needs.length)))
    : none;
  let decision: ReturnType<Change<T>['decide']>;
  try {
    decision = change.decide(found, seen?.head);
  } catch (thrown) {
    return { thrown };
  }
  const { writing, charge, answer } = decision;
  const known = new Map(needs.map((name, at) => [name, found[at]!.occupants]));
  const occupants = yield* toOccupants(step, Object.keys(writing.occupies ?? {}), known, seen?.head);
  const batch = applyChange({ change, seen, writing, charge, occupants } satisfies Decided<T>, door);
  if (typeof batch === 'string') {
    if (batch === 'full' && seen && seen.expired.length > 0) yield step.write(toPruned(seen));
    return { changed: { result: batch } };
  }
  try {
    if (batch.growth) change.admit?.(batch.growth);
  } catch (thrown) {
    return { thrown };
  }
  const written = yield* wait(step.write(batch));
  if (written === 'done') return { changed: { result: 'done', answer }, key: seen?.head.key };
  if (written === 'over') return { changed: { result: 'over' } };
  return isMint && written === 'moved' ? { changed: { result: 'unknown' } } : 'again';
}

/** A store of workspaces, in what a driver keeps. */
export function createStore<D extends Driver>(driver: D): Store & D {
  let hear: (key?: string) => void = () => {};
  return {
    ...driver,
    open: (workspace, now) => then(open(driver, workspace, now, []), (opened) => opened?.head),
    follow: (name, now) =>
      then(driver.door(doors.pointer(name)), (text): Soon<FollowedHead | undefined> => {
        const door = fromDoorText(text, now);
        return (
          door && then(see(driver, door.place, now, []), (seen) => seen && { ...seen.head, to: door.to })
        );
      }),
    find: (key, names) => then(driver.names(key, names), (named) => toFound(driver, key, names, named)),
    onChange(heard) {
      hear = heard;
      driver.onChange?.(heard);
    },
    read: (key, slice) => then(driver.rows(key, slice), (rows) => rows.map(toEntry)),
    async change<T>(one: Change<T>): Promise<Changed<T>> {
      for (let count = 0; count < mostDecisions; count += 1) {
        const outcome = await driver.step(one.mint ? undefined : one.workspace, (step) =>
          finish(change(step, one)),
        );
        if (outcome === 'again') continue;
        if ('thrown' in outcome) throw outcome.thrown;
        if (outcome.confirms) await driver.confirm?.(...outcome.confirms);
        if (outcome.key !== undefined) hear(outcome.key);
        return outcome.changed;
      }
      throw new Refusal('store_unavailable', { cause: driver.crowded?.() });
    },
  };
}
