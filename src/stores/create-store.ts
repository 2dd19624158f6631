import type { Change, Changed, Found, Store } from '../records/store.ts';
import { applyChange, type Seen, toPruned } from './apply-change.ts';
import {
  doors,
  fromDoorText,
  fromReplyText,
  fromTexts,
  type Head,
  replyKind,
  toEntry,
  toReplyName,
  toShort,
  toSize,
} from './codec.ts';
import type { Driver, Named, Reader, Row, Step } from './driver.ts';

/** Kept replies that one change removes at most, once they expired. */
const repliesAtOnce = 100;

/** What is found under names: a record under another name than its id is occupied as its id is. */
async function toFound(
  reader: Reader,
  key: string,
  names: readonly string[],
  named: readonly Named[],
): Promise<Found[]> {
  const found = names.map((_, at): Found => {
    const { row, occupants } = named[at]!;
    return row && row.kind !== replyKind ? { record: toEntry(row), occupants } : { occupants };
  });
  const others = found.filter(({ record }, at) => record && record.fact.id !== names[at]);
  if (others.length === 0) return found;
  const ids = others.map(({ record }) => record!.fact.id);
  for (const [at, { occupants }] of (await reader.names(key, ids)).entries())
    others[at]!.occupants = occupants;
  return found;
}

/** The workspace that was made with a hash, unless it expired. */
async function see(reader: Reader, place: string, now: number, names: readonly string[] = []) {
  const kept = await reader.see(place, names);
  const head = kept && fromTexts(place, kept);
  return head && head.expiresAt > now ? { head, named: kept.named } : undefined;
}

/** The workspace that a hash opens: the one made with it, or one that was renamed to it. */
async function open(reader: Reader, hash: string, now: number, names?: readonly string[]) {
  let opened = await see(reader, hash, now, names);
  if (!opened) {
    const door = fromDoorText(await reader.door(doors.hash(hash)), now);
    opened = door && (await see(reader, door.place, now, names));
  }
  return opened?.head.hash === hash ? opened : undefined;
}

const toKeptReply = ({ seq, text }: Row) => ({ seq, ...fromReplyText(text) });

/** A workspace with the replies in it that expired, so many at most, and `own` among them where that did. */
async function withExpired(step: Step, head: Head, now: number, own: Row | undefined): Promise<Seen> {
  if (head.lapsesAt === 0 || head.lapsesAt > now) return { head, expired: [] };
  const slice = { kind: replyKind, order: 'oldest', limit: repliesAtOnce } as const;
  const replies = (await step.rows(head.key, slice)).map(toKeptReply);
  const first = replies.findIndex(({ expiresAt }) => expiresAt > now);
  const expired = first < 0 ? replies : replies.slice(0, first);
  if (own && !expired.some(({ seq }) => seq === own.seq)) expired.push(toKeptReply(own));
  // Where all of them expired, more may be behind them.
  const lapsesAt = replies[first]?.expiresAt ?? (replies.length === repliesAtOnce ? head.lapsesAt : 0);
  const bytes = expired.reduce((left, { reply }) => left - toSize(reply), head.bytes);
  return { head: { ...head, lapsesAt, bytes }, expired };
}

/** What a change is answered, or what its decision threw, which is no fault of the driver. */
type Outcome<T> = Changed<T> | { result: 'thrown'; thrown: unknown };

async function takeStep<T>(step: Step, change: Change<T>, confirm: Driver['confirm']): Promise<Outcome<T>> {
  const { key, now, mint: isMint, needs, workspace } = change;
  const doorName = key && isMint ? doors.key(key.name) : undefined;
  const door = doorName && (await step.door(doorName));
  const place = isMint ? fromDoorText(door, now)?.place : workspace;
  const names = key ? [...needs, toReplyName(key.name)] : needs;
  const opened = place && (await (isMint ? see : open)(step, place, now, names));
  if (!isMint && !opened) return { result: 'unknown' };
  const own = key && opened ? opened.named.at(-1)?.row : undefined;
  const kept = own && fromReplyText(own.text);
  if (opened && kept && kept.expiresAt > now) {
    await confirm?.(opened.head.place, doorName);
    const isSame = kept.fingerprint === toShort(key!.fingerprint);
    return isSame ? { result: 'replay', reply: kept.reply } : { result: 'mismatch' };
  }
  let seen: Seen | undefined;
  let found: Found[] = needs.map(() => ({ occupants: 0 }));
  if (opened && !isMint) {
    seen = await withExpired(step, opened.head, now, own);
    found = await toFound(step, seen.head.key, needs, opened.named);
  }
  let applied: ReturnType<typeof applyChange<T>>;
  try {
    applied = applyChange(change, seen, found, door);
  } catch (thrown) {
    return { result: 'thrown', thrown };
  }
  if (typeof applied === 'string') {
    if (applied === 'full' && seen && seen.expired.length > 0) await step.write(toPruned(seen));
    return { result: applied };
  }
  const isWritten = await step.write(applied.batch);
  return isWritten ? { result: 'done', answer: applied.answer } : { result: 'unknown' };
}

/** A store of workspaces, in what a driver keeps. */
export function createStore<D extends Driver>(driver: D): Store & D {
  return {
    ...driver,
    open: (workspace, now) => driver.look(async (reader) => (await open(reader, workspace, now))?.head),
    follow: (name, now) =>
      driver.look(async (reader) => {
        const door = fromDoorText(await reader.door(doors.pointer(name)), now);
        const seen = door && (await see(reader, door.place, now));
        return seen && { ...seen.head, to: door.to };
      }),
    find: (key, names) =>
      driver.look(async (reader) => toFound(reader, key, names, await reader.names(key, names))),
    read: async (key, slice) => (await driver.look((reader) => reader.rows(key, slice))).map(toEntry),
    async change<T>(one: Change<T>): Promise<Changed<T>> {
      const outcome = await driver.step(one.mint ? undefined : one.workspace, (step) =>
        takeStep(step, one, driver.confirm),
      );
      if (outcome.result === 'thrown') throw outcome.thrown;
      return outcome;
    },
  };
}
