import type { Body } from '../http.ts';
import { type KindName, kindNames, kindOf, openStages } from './members.ts';
import type { Subject } from './subject.ts';

/** A record as the model has it: what was asked, and nothing that follows from other records. */
export interface Rec {
  kind: KindName;
  id: string;
  ref?: string;
  members: Record<string, unknown>;
  asked?: string;
  createdAt: number;
  updatedAt: number;
  revision: number;
  transitions: { at: number; from: string; to: string; reason?: string; by?: 'shortlist' }[];
  /** The link to its shortlist that was made last. */
  link?: { token: string; expiresAt: number };
}

/** A reply that is kept under a key until a moment. */
interface Kept {
  what: string;
  status: number;
  text: string;
  until: number;
}

/** A workspace as the model has it, its records in the order in which they were made. */
export interface Space {
  id: string;
  createdAt: number;
  expiresAt: number;
  isErased: boolean;
  records: Rec[];
  kept: Map<string, Kept>;
  /** What getWorkspace said last. */
  seen?: { revision: number; expiresAt: string };
}

/** Everything that one sequence of calls is about. */
export interface World {
  /** What tells the keys of this sequence from those of others. */
  name: string;
  subject: Subject;
  seed: Record<KindName, Body[]>;
  /** The last one is the one that is worked in. */
  spaces: Space[];
  /** What is kept of creates that made a workspace, and which. */
  keyless: Map<string, Kept & { space: Space }>;
  /** Every link to a shortlist that was made. */
  links: { space: Space; orderId: string; token: string }[];
  /** Ids of records that are erased, or in a workspace that was left. */
  gone: string[];
  /** Changes that were sent under a key. */
  sent: object[];
  /** What lists said, by workspace and address. */
  lists: Map<string, { tag: string; text: string }>;
  tally: Record<string, number>;
}

export const nowOf = ({ subject }: World) => subject.clock.now;
export const toDay = (at: number) => new Date(at).toISOString().slice(0, 10);
export const addDays = (day: string, days: number) => toDay(Date.parse(day) + days * 86_400_000);
const toTime = (at: number) => new Date(at).toISOString();

/** The workspace that is worked in, whether or not it lives. */
export const current = ({ spaces }: World) => spaces.at(-1);
export const isAlive = (world: World, space: Space) => !space.isErased && nowOf(world) < space.expiresAt;

/** What has an id in a workspace: a record of it, or one of the seed. */
export function lookUp(
  { seed }: World,
  records: readonly Rec[],
  kind: KindName,
  id: unknown,
): { code: unknown; openings: number; members: Record<string, unknown> } | undefined {
  const own = records.find((one) => one.kind === kind && one.id === id);
  if (own) {
    const { onetCode: code, openings = 1 } = own.members;
    return { code, openings: openings as number, members: own.members };
  }
  const row = seed[kind].find((one) => one.id === id);
  return row && { code: row.onetCode, openings: row.openings ?? 1, members: row };
}

/** How many placements that have not ended early hold a record. */
export function countHolders({ seed }: World, records: readonly Rec[], kind: KindName, id: unknown): number {
  const member = `${kind}Id`;
  const own = records.filter(
    (one) => one.kind === 'placement' && !one.asked && one.members[member] === id,
  ).length;
  return own + seed.placement.filter((row) => row.status !== 'ended-early' && row[member] === id).length;
}

/** How many placements are open for an order. */
export const countProposals = (records: readonly Rec[], id: string) =>
  records.filter(({ asked, members }) => openStages.includes(asked ?? '') && members.jobOrderId === id)
    .length;

function toStatus(world: World, records: readonly Rec[], { kind, id, members, asked }: Rec): string {
  if (asked) return asked;
  const today = toDay(nowOf(world));
  const holders = countHolders(world, records, kind, id);
  if (kind === 'candidate') return holders > 0 ? 'placed' : 'available';
  if (kind === 'jobOrder') return holders >= ((members.openings as number) ?? 1) ? 'filled' : 'open';
  const start = members.startDate as string | undefined;
  if (start === undefined || start > today) return 'scheduled';
  return addDays(start, 90) <= today ? 'completed' : 'active';
}

/** What an order tells of its openings. */
function toOpenings(world: World, records: readonly Rec[], id: string, openings: number) {
  const openingsLeft = Math.max(0, openings - countHolders(world, records, 'jobOrder', id));
  return { openings, openingsLeft, proposals: countProposals(records, id) };
}

/** The record as it has to read. */
export function toRow(world: World, records: readonly Rec[], rec: Rec): Body {
  const { kind, id, ref, members, revision } = rec;
  const { path, toListed } = kindOf[kind];
  const status = toStatus(world, records, rec);
  const self = `${path}/${id}`;
  const occupation = `/occupations/${members.onetCode}`;
  const toLink = (of: KindName) =>
    lookUp(world, records, of, members[`${of}Id`]) ? `${kindOf[of].path}/${members[`${of}Id`]}` : null;
  const start = members.startDate as string | undefined;
  const ofPlacement = {
    outcome: {
      result: 'pending',
      validateBy: start && (!rec.asked || rec.asked === 'ended-early') ? addDays(start, 90) : null,
      validated: false,
      confirmations: [],
      disputed: false,
    },
    links: { self, occupation, candidate: toLink('candidate'), jobOrder: toLink('jobOrder') },
  };
  return {
    id,
    ...(ref !== undefined && { ref }),
    ...members,
    ...(kind === 'jobOrder' && toOpenings(world, records, id, (members.openings as number) ?? 1)),
    status,
    ...(rec.link &&
      toDay(rec.link.expiresAt) >= toDay(nowOf(world)) && {
        shortlist: { expiresAt: toTime(rec.link.expiresAt) },
      }),
    createdAt: toTime(rec.createdAt),
    updatedAt: toTime(rec.updatedAt),
    revision,
    transitions: rec.transitions.map(({ at, ...move }) => ({ at: toTime(at), ...move })),
    example: false,
    links: {
      self,
      occupation,
      ...(toListed && { matches: `${self}/matches`, ...toListed(members.onetCode) }),
    },
    ...(kind === 'placement' && ofPlacement),
  };
}

/** All that a kind's list holds in a workspace: its own records, newest first, and the seed as it is seen there. */
export function toRows(world: World, { records }: Space, kind: KindName): { own: Body[]; seed: Body[] } {
  const own = records.filter((one) => one.kind === kind).map((one) => toRow(world, records, one));
  const seed = world.seed[kind].map((row) => {
    if (kind === 'placement') return row;
    const holders = countHolders(world, records, kind, row.id);
    const [held, free] = kind === 'candidate' ? ['placed', 'available'] : ['filled', 'open'];
    const openings = kind === 'jobOrder' && toOpenings(world, records, row.id, row.openings ?? 1);
    return { ...row, ...openings, status: holders >= (row.openings ?? 1) ? held : free };
  });
  return { own: own.reverse(), seed };
}

/** The seed, as everybody sees it. */
export async function readSeed({ ask }: Subject): Promise<World['seed']> {
  const lists = kindNames.map(async (kind) => {
    const { path, collection } = kindOf[kind];
    return [kind, (await ask('GET', `${path}?limit=200`)).body[collection]];
  });
  return Object.fromEntries(await Promise.all(lists));
}
