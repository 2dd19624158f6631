import * as fc from 'fast-check';
import { check, readExport } from './check.ts';
import {
  type Command,
  change,
  hasSpace,
  how,
  isHere,
  isThere,
  leave,
  ofKind,
  place,
  toBody,
  toCommands,
  toId,
  toKey,
  toPlace,
} from './command.ts';
import { type KindName, kindNames, kindOf, record, target } from './members.ts';
import { get, list } from './reads.ts';
import { type Change, inside } from './send.ts';
import { decides, shares } from './shortlists.ts';
import * as values from './values.ts';
import { current, type Space, type World } from './world.ts';

const creates = toCommands(
  'create',
  fc.record({ one: ofKind(values.toCreate), place, ...how }),
  (world, { one: { kind, body }, place: at, key, isStrict }) => {
    const space = toPlace(world, at);
    const sent = toBody(world, body);
    leave(world, space);
    return change(world, { op: 'create', kind, body: sent, space, isStrict, key: toKey(world, key) });
  },
);

const items = Object.fromEntries(
  kindNames.map((kind) => [kind, fc.array(values.toItem(kind), { maxLength: 3 })]),
) as Record<KindName, fc.Arbitrary<values.Members[]>>;

const batches = toCommands(
  'batch',
  fc.record({ all: fc.record(items), place, ...how }),
  (world, { all, place: at, key, isStrict }) => {
    const space = toPlace(world, at);
    const toRefs = (of: values.Members[]) => of.flatMap(({ ref }) => (typeof ref === 'string' ? [ref] : []));
    const refs = { candidate: toRefs(all.candidate), jobOrder: toRefs(all.jobOrder) };
    const lists = kindNames.map((kind) => [
      kindOf[kind].collection,
      all[kind].map((one) => toBody(world, one, refs)),
    ]);
    leave(world, space);
    const body = Object.fromEntries(lists);
    return change(world, { op: 'batch', body, space, isStrict, key: toKey(world, key) });
  },
);

const version = values.rarely(fc.constantFrom('fresh', '*', '"stale"'), 2);

async function toIfMatch(world: World, path: string, said: string | undefined): Promise<string | undefined> {
  if (said !== 'fresh') return said;
  return (await world.subject.ask('GET', path, inside(current(world)))).headers.ETag ?? '*';
}

const updates = toCommands(
  'update',
  fc.record({ one: ofKind(values.toPatch), target: record, version, ...how }),
  async (world, { one: { kind, body }, target, version: said, key, isStrict }) => {
    const id = toId(world, kind, target);
    const ifMatch = await toIfMatch(world, `${kindOf[kind].path}/${id}`, said);
    const sent = toBody(world, body);
    const space = current(world);
    return change(world, {
      op: 'update',
      kind,
      id,
      body: sent,
      space,
      ifMatch,
      isStrict,
      key: toKey(world, key),
    });
  },
  (world, { one: { kind }, target }) => isThere(world, kind, target),
);

const removes = toCommands(
  'remove',
  fc.record({ kind: values.kind, target: record, version, key: how.key }),
  async (world, { kind, target, version: said, key }) => {
    const id = toId(world, kind, target);
    const ifMatch = await toIfMatch(world, `${kindOf[kind].path}/${id}`, said);
    return change(world, { op: 'remove', kind, id, space: current(world), ifMatch, key: toKey(world, key) });
  },
  (world, { kind, target }) => isThere(world, kind, target),
);

const erases = toCommands(
  'erase',
  fc.record({ key: how.key }),
  (world, { key }) => change(world, { op: 'erase', space: current(world), key: toKey(world, key) }),
  hasSpace,
);

/** What was sent under a key, sent again: as it was, with another body, or to another record. */
const repeats = toCommands(
  'repeat',
  fc.record({ pick: fc.nat({ max: 9 }), other: fc.constantFrom('none', 'body', 'id') }),
  (world, { pick, other }) => {
    const sent = world.sent[pick % world.sent.length] as Change;
    const records = sent.space?.records.filter(({ kind, id }) => kind === sent.kind && id !== sent.id) ?? [];
    if (other === 'id' && sent.id !== undefined && records.length > 0) {
      return change(world, { ...sent, id: records[pick % records.length]!.id });
    }
    if (other !== 'body' || sent.op === 'remove') return change(world, sent);
    const candidates = [...(sent.body?.candidates ?? []), { name: 'Zed', onetCode: '15-1252.00' }];
    const body = { ...sent.body, ...(sent.op === 'batch' ? { candidates } : { ref: 'other' }) };
    return change(world, { ...sent, body });
  },
  ({ sent }) => sent.length > 0,
);

/** Every page of an export, made again in a workspace of its own, which is then the one to work in. */
const carries = toCommands(
  'carry',
  fc.record({ limit: fc.constantFrom(1, 2, 5, 200), isStrict: fc.boolean() }),
  async (world, { limit, isStrict }) => {
    let to: Space | undefined;
    const pages = await readExport(world, current(world)!, limit);
    leave(world, undefined);
    for (const body of pages) {
      if (!(await change(world, { op: 'batch', body, space: to, isStrict }))) return;
      to = current(world);
    }
  },
  isHere,
);

const day = 86_400_000;
const passes = toCommands(
  'pass',
  fc.constantFrom(60_000, day, 45 * day, -3_600_000, 101 * day),
  async (world, ms) => {
    world.subject.clock.now += ms;
    const space = current(world);
    if (space) await check(world, space, false);
  },
);

const reads = [
  toCommands(
    'list',
    fc.record({ kind: values.kind, filter: values.filters, limit: fc.constantFrom(1, 3, 20, 200) }),
    list,
    isHere,
  ),
  toCommands('get', fc.record({ kind: values.kind, target: target }), get, isHere),
];

const often = (arbitrary: fc.Arbitrary<Command>, times: number) =>
  Array<typeof arbitrary>(times).fill(arbitrary);

/** Every kind of call, some more often than others. */
export const allCommands: fc.Arbitrary<Command>[] = [
  ...often(creates, 10),
  ...often(batches, 4),
  ...often(updates, 16),
  ...often(removes, 3),
  ...often(shares, 3),
  ...often(decides, 3),
  ...often(repeats, 4),
  ...reads.flatMap((one) => often(one, 3)),
  carries,
  passes,
  erases,
];
