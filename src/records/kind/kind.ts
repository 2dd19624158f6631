import * as v from 'valibot';
import type { Warning } from '../../kernel/envelope.ts';
import type { ObjectSchema, OperationReply } from '../../kernel/operation.ts';
import { Href, may, NonNegativeInteger, named, say, Time, trimmed } from '../../kernel/text.ts';
import { OnetCode } from '../../occupations/occupation.ts';
import type { OccupationService } from '../../occupations/service.ts';
import type { Boundary, PricingService } from '../../pricing/offer.ts';
import type { StoredRecord } from '../../workspace/record.ts';
import type { View } from '../../workspace/view.ts';
import type { Factor } from './factor.ts';
import type { Filters } from './filters.ts';
import type { Lifecycle } from './lifecycle.ts';
import { type FullMember, listMembersWith, type Member } from './member.ts';
import { createSearchFilter } from './search.ts';
import { createCommonSorts, type Sorts, sortByStored } from './sort.ts';
import { createTransitionsSchema } from './transitions.ts';

/**
 * The texts of one operation on a kind. `tool` says when to call it. `isCore`: it is in the short list of tools.
 */
interface RowTexts {
  operationId: string;
  description: string;
  tool?: string;
  isCore?: boolean;
}

type Action = 'list' | 'create' | 'get' | 'update' | 'delete';

/** Every record has a code: lists of every kind are filtered by it. */
type Members = Readonly<Record<string, Member> & { onetCode: Member }>;
type SchemaOf<M> = M extends { schema: infer S } ? S : M;
type BodyOf<M extends Members> = v.ObjectSchema<
  { [Name in keyof M]: SchemaOf<M[Name]> & v.GenericSchema },
  undefined
>;

/** A record with a merge patch applied. */
export interface PatchedRecord<R> {
  before: R;
  merged: R;
  patch: Readonly<Record<string, unknown>>;
  /** The UTC day. */
  today: string;
}

/** The record and status that a patch asks for. `result` is set if the move can end in another status. */
interface PatchMove<R> {
  record: R;
  to?: string;
  result?: string;
}

/** A change that is about to be written. */
export interface RecordChange<R = StoredRecord> {
  before: R;
  after: R;
  patch: Readonly<Record<string, unknown>>;
  to?: string | undefined;
  view: View;
  /** Milliseconds since the epoch. */
  now: number;
}

/** A change of another record that follows from a change. */
interface FollowingChange {
  /** The name of its kind. */
  kind: string;
  id: string;
  patch: Readonly<Record<string, unknown>>;
}

/** Rules that only one kind has. */
interface Rules<R> {
  /** Completes the members of a patch, and finds the move that it asks for. Throws a Refusal. */
  readPatch?(change: PatchedRecord<R>): PatchMove<R>;
  /** Returns other members that follow from a change. Throws a Refusal if the change is not allowed. */
  revise?(change: RecordChange<R>): Partial<R>;
  /** Lists the changes of other records that a change makes too. */
  follow?(change: Pick<RecordChange<R>, 'after' | 'patch' | 'view'>): FollowingChange[];
  /** Throws a Refusal if there are too many records like this one. */
  refuseSurplus?(record: R, view: View): void;
  /** Warns of conflicts with other records. The view does not hold this version of the record yet. */
  warn?(record: R, view: View, service: OccupationService, today: string): Warning[];
  /** Whether a change must get all warnings of a new record, because it starts to hold what it refers to. */
  startsHolding?(before: R, after: R): boolean;
  /** Says what was decided for the caller because these bodies do not say it, if anything was. */
  explainDefaults?(sent: readonly Readonly<Record<string, unknown>>[]): string | undefined;
  /** Warns of records that refer to a record that is to be deleted. */
  warnOfRemoval?(id: string, view: View, today: string): Warning[];
}

/** How an export presents a record, and how a batch restores it. */
interface Transfer<R> {
  /** Restores a record that was exported with this status. If absent, only a stored status is restored. */
  restore?(record: R, status: unknown, now: number): R;
  /** Whether the status of a sent record follows from its other members on a UTC day. A batch does not store it then. */
  isStatusDerived?(record: R, today: string): boolean;
  /** Returns the changes of a known record, in order, by which it becomes as a page has it. If absent, `patch` is one. */
  toPatches?(
    again: { record: R; patch: Readonly<Record<string, unknown>>; sent: Readonly<Record<string, unknown>> },
    days: Record<'exported' | 'today', string>,
  ): Readonly<Record<string, unknown>>[];
  /**
   * Returns what of a record an export presents: what a batch or `restore` can store again. If absent, all but the
   * evidence.
   */
  toPortable?(record: R): R;
  /** Returns members of an export that a batch does not read, and links of its record. */
  presentExtras?(record: R, today: string): Record<string, unknown> & { links?: Record<string, string> };
  /** Columns of a table of records that follow from other records. An import does not take them. */
  derivedColumns?: readonly string[];
}

/** What the file of a kind declares. `R` is the type of its stored records. */
interface Definition<M extends Members, R extends StoredRecord> {
  /** The member that holds one record of the kind, such as `jobOrder`. */
  name: string;
  noun: string;
  plural: string;
  /** The member that holds a list of its records, and its tag in the contract. */
  collection: string;
  path: string;
  prefix: string;
  description: string;
  about: string;
  texts: Record<Action, Omit<RowTexts, 'operationId'>>;
  members: M;
  /** Members of a record that do not belong to its body. */
  derived?: v.ObjectEntries;
  /** Links of a record beside `self`. */
  links: v.ObjectEntries;
  /** Paths of derived members that the history tells too, such as `outcome.result`. */
  toldMembers?: readonly string[];
  /** Derived members of which the history tells that they changed, without values. */
  privateMembers?: readonly string[];
  /** Members of a seed record beside its body. */
  seedMembers?: v.ObjectEntries;
  lifecycle: Lifecycle<R>;
  rules?: Rules<R>;
  transfer?: Transfer<R>;
  /** Two members that are days. The second must not be before the first. */
  period?: readonly [from: string, to: string];
  /** Pairs of members that are numbers. The second must not be below the first. */
  ranges?: readonly (readonly [least: string, most: string])[];
  /** The members that hold the id of another record, and the kind of that record. */
  references: Readonly<Record<string, string>>;
  /** The tokens that lead to a record, as SHA-256 in hex. They are deleted with it. */
  tokens?(record: R): readonly string[];
  /** Returns the status that `present` shows, if that is cheaper alone. Lists and matches ask for it of many records. */
  readStatus?(record: R, view: View, today: string): string;
  /** Returns the members that follow from a record and from the view, on a UTC day. */
  present(
    record: R,
    view: View,
    today: string,
  ): { status: string; links: Readonly<Record<string, string | null>> } & Record<string, unknown>;
  /** The body of an example of a create. */
  sample: Record<string, unknown>;
  /** The body of an example of a change of that record. */
  changeSample: Record<string, unknown>;
  /** Filters of its lists beside those of its members. */
  filters?: Filters;
  /** What its lists can be sorted by, beside its members and what every kind has. */
  sorts?: Sorts;
  /** Set if its list can reply with an offer. `answer` returns that reply, or undefined for the usual list. */
  list?: {
    query: v.ObjectEntries;
    /** The offer that `answer` can return, and when it does. */
    offer: { boundary: Boundary; description: string };
    answer(input: Readonly<Record<string, unknown>>, service: PricingService): OperationReply | undefined;
  };
  canWait?: true;
}

type Declared = Definition<Members, StoredRecord>;
type Defaulted = 'readStatus' | 'rules' | 'transfer' | 'filters' | 'sorts';

/** One kind of record. Its operations, its seed, its contract and its documents are made from this. */
export interface Kind
  extends Omit<Declared, 'texts' | 'members' | 'derived' | 'links' | 'seedMembers' | 'lifecycle' | Defaulted>,
    Required<Pick<Declared, Defaulted>> {
  lifecycle: Lifecycle<StoredRecord> & Required<Pick<Lifecycle<StoredRecord>, 'stored' | 'moves'>>;
  texts: Record<Action, RowTexts>;
  /** What is said of each member that a caller sends, without `ref`. */
  members: Readonly<Record<string, FullMember>>;
  /** The members that a caller sends, with `ref`. */
  body: ObjectSchema;
  record: v.GenericSchema & { entries: Record<string, v.GenericSchema> };
  /** A record in content/seed. `example` marks it as synthetic. */
  seed: v.GenericSchema<unknown, StoredRecord & { example: true }>;
  factors: readonly Factor[];
}

const capitalize = (name: string) => name[0]!.toUpperCase() + name.slice(1);

/** Adds the name of each operation to its texts: `listJobOrders`, `createJobOrder`. */
function nameTexts({ name, collection, texts }: Pick<Declared, 'name' | 'collection' | 'texts'>) {
  const entries = Object.entries(texts).map(([action, rowTexts]) => {
    const subject = action === 'list' ? collection : name;
    return [action, { operationId: action + capitalize(subject), ...rowTexts }];
  });
  return Object.fromEntries(entries);
}

export const createIdSchema = (prefix: string, description: string) =>
  say(v.pipe(v.string(), v.regex(new RegExp(`^${prefix}[0-9a-z]+$`))), description);

/** Builds a kind from its definition. The types of its members give the type of its stored records. */
export function defineKind<
  const M extends Members,
  R extends StoredRecord = StoredRecord & v.InferOutput<BodyOf<M>>,
>(definition: Definition<M, R>): Kind {
  const { members, derived, links, seedMembers, lifecycle, filters, sorts, ...rest } = definition;
  const { prefix, description } = rest;
  const full = Object.fromEntries(
    Object.entries(members).map(([name, member]): [string, FullMember] => [
      name,
      'schema' in member ? member : { schema: member },
    ]),
  );
  const declared = Object.values(full);
  const entries: v.ObjectEntries = Object.fromEntries(
    Object.entries(full).map(([name, { schema }]) => [name, schema]),
  );
  const record = v.object({
    id: createIdSchema(prefix, `Identifier, \`${prefix}…\`.`),
    ...entries,
    ...lifecycle.details?.entries,
    ...createCommonEntries(lifecycle.statuses),
    ...derived,
    links: say(v.object({ self: Href, ...links }), 'Related addresses.'),
  });
  return {
    readStatus: (record: R, view: View, today: string) => rest.present(record, view, today).status,
    rules: {},
    transfer: {},
    ...rest,
    lifecycle: { stored: [], moves: [], ...lifecycle },
    texts: nameTexts(definition),
    body: v.object({ ...entries, ref: v.optional(Ref) }),
    record: named(record, capitalize(rest.name), description),
    seed: v.strictObject({
      id: v.string(),
      example: v.literal(true),
      ...entries,
      onetCode: OnetCode,
      ...seedMembers,
    }),
    members: full,
    filters: Object.assign(
      {},
      ...declared.map(({ filters }) => filters),
      refFilter,
      createSearchFilter(full),
      filters,
    ),
    sorts: {
      ...createCommonSorts(lifecycle.statuses),
      ...sortByStored(...listMembersWith(full, ({ isSortable }) => isSortable === true)),
      ...sorts,
    },
    factors: declared.flatMap(({ factor }) => factor ?? []),
  };
}

export const Ref = named(
  v.pipe(
    v.string('must be a string'),
    trimmed(),
    v.regex(/^[A-Za-z0-9._:-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 . _ : -'),
  ),
  'Ref',
  'Your own name for it; "#" and it work as an id.',
);

const refFilter: Filters = {
  ref: {
    title: 'Ref',
    description: 'The one that you gave this ref.',
    createTest: (value) => (record) => record.ref === value.replace(/^#/, ''),
  },
};

/** Returns the members that every record has beside its id, its body and its links. */
function createCommonEntries(statuses: readonly string[]) {
  return {
    ref: v.optional(Ref),
    status: say(v.picklist(statuses), 'Derived from the records, except the moves you ask for.'),
    createdAt: v.optional(Time),
    updatedAt: v.optional(Time),
    revision: may(
      NonNegativeInteger,
      'From 1, and one more with each change of this record. What follows from other records does not move it. A seed record has none.',
    ),
    transitions: v.optional(createTransitionsSchema(statuses)),
    example: say(v.boolean(), 'true on the synthetic seed, false on what a caller made.'),
  };
}
