import * as v from 'valibot';
import type { Issue, Warning } from '../kernel/envelope.ts';
import type { ObjectSchema, OperationReply } from '../kernel/operation.ts';
import { Href, may, NonNegativeInteger, named, say, Time, textSchema, upTo } from '../kernel/text.ts';
import type { OccupationService } from '../occupations/service.ts';
import type { Boundary, PricingService } from '../pricing/offer.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';
import type { Factor } from './factor.ts';
import type { Filters } from './filters.ts';

/** The texts of one operation on a kind; `tool` says when to use it, if it is one, and `isCore` lists it in short. */
interface RowTexts {
  operationId: string;
  description: string;
  tool?: string;
  isCore?: boolean;
}

type Action = 'list' | 'create' | 'get' | 'update' | 'delete';

/** One member of a body: a schema with its words and bounds or, where more depends on the member, that too. */
export type Member = v.GenericSchema | FullMember;

interface FullMember {
  schema: v.GenericSchema;
  /** What lists of the kind, and matches with it, can be filtered by, under the names of query parameters. */
  filters?: Filters;
  factor?: Factor;
}

/** Every record has a code: lists of every kind are filtered by it. */
type Members = Readonly<Record<string, Member> & { onetCode: Member }>;
type SchemaOf<M> = M extends { schema: infer S } ? S : M;
type BodyOf<M extends Members> = v.ObjectSchema<
  { [Name in keyof M]: SchemaOf<M[Name]> & v.GenericSchema },
  undefined
>;

/** The status that a record was sent with: of one change or create, or of an export or a batch. */
export interface SentStatus {
  status?: unknown;
  isOne: boolean;
}

interface Move<R> {
  from: readonly string[];
  to: string;
  /** The members that can be sent with it. */
  takes?: readonly string[];
  /** Whether a record in a status of `from` can make it, if the status alone does not say. */
  isLegal?(record: R, from: string, view: View, today: string): boolean;
}

/** Members that are sent with a move, and are no part of the body. */
interface MoveDetails<R> {
  entries: v.ObjectEntries;
  /** By member, those that have to be sent with it: in a change, and in a batch. */
  needs: Record<'change' | 'batch', Record<string, readonly string[]>>;
  /** Those that hold the reason of the move, the first of them first. */
  reasons: readonly string[];
  /** Finds what is wrong with them in a record after its move. */
  check(record: R, today: string, sent: SentStatus): readonly Issue[];
}

/** The statuses of a kind, and the moves between them. */
interface Lifecycle<R> {
  statuses: readonly string[];
  /** The statuses that are stored when a caller asks for them. All others are derived. */
  stored?: readonly string[];
  /** The statuses that a record can be created with. If absent, a create takes no status. */
  initial?: readonly string[];
  moves?: readonly Move<R>[];
  /** What to do first, by a status that no move leaves. */
  hints?: Readonly<Record<string, string>>;
  details?: MoveDetails<R>;
}

/** A record with a merge patch applied. */
export interface PatchedRecord<R> {
  before: R;
  merged: R;
  patch: Readonly<Record<string, unknown>>;
  /** The UTC day. */
  today: string;
}

/** The record that a patch asks for, the status to move to, and the status that results if that can be another. */
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
  /** The status that it moves to, if it moves. */
  to?: string | undefined;
  view: View;
  /** Milliseconds since the epoch. */
  now: number;
}

/** What holds for the records of a kind alone. */
interface Rules<R> {
  /** Completes the members of a patch, and finds the move that it asks for. Throws a Refusal. */
  readPatch?(change: PatchedRecord<R>): PatchMove<R>;
  /** Returns other members that follow from a change. Throws a Refusal if the change is not allowed. */
  revise?(change: RecordChange<R>): Partial<R>;
  /** Throws a Refusal if there are too many records like this one. */
  refuseSurplus?(record: R, view: View): void;
  /** Warns of other records that a record disagrees with. It is not in the view yet, or as it was before. */
  warn?(record: R, view: View, service: OccupationService, today: string): Warning[];
  /** Whether a change is warned of as a new record is, because from then on the record holds those it refers to. */
  startsHolding?(before: R, after: R): boolean;
  /** Warns of what refers to a record that is to be deleted. */
  warnOfRemoval?(id: string, view: View, today: string): Warning[];
}

/** How a record leaves with an export and comes back with a batch. */
interface Transfer<R> {
  /** Restores a record that was exported with this status, if the status alone says too much or too little. */
  restore?(record: R, status: unknown, now: number): R;
  /** Whether an export shows a record with the evidence that the service keeps, because `restore` brings it back. */
  includesEvidence?: true;
  /** Members of an export that are only for its reader. */
  presentExtras?(record: R, today: string): object;
}

/** What one file declares of its kind. `R` is what is stored of one. */
interface Definition<M extends Members, R extends StoredRecord> {
  /** What it is called where a member holds one of it: `jobOrder`. */
  name: string;
  noun: string;
  plural: string;
  /** The member that holds a list of it, and its tag in the contract. */
  collection: string;
  path: string;
  prefix: string;
  description: string;
  about: string;
  texts: Record<Action, Omit<RowTexts, 'operationId'>>;
  members: M;
  /** Members of a record that are no part of its body. */
  derived?: v.ObjectEntries;
  /** Its links beside that to itself. */
  links: v.ObjectEntries;
  /** What a seed record has beside its body. */
  seedMembers?: v.ObjectEntries;
  lifecycle: Lifecycle<R>;
  rules?: Rules<R>;
  transfer?: Transfer<R>;
  /** Two members that are days, of which the second is not before the first. */
  period?: readonly [from: string, to: string];
  /** The members that hold the id of another record, and the kind of that record. */
  references: Readonly<Record<string, string>>;
  /** What a match tells of one beside what every record has. */
  summary?: readonly string[];
  /** The tokens that lead to a record, as SHA-256 in hex. They are deleted with it. */
  tokens?(record: R): readonly string[];
  /** The members that follow from a record and from what is around it, on a UTC day. */
  present(
    record: R,
    view: View,
    today: string,
  ): { status: string; links: Readonly<Record<string, string | null>> } & Record<string, unknown>;
  sample: Record<string, unknown>;
  /** What lists can be filtered by: the filters of its members, and these. */
  filters?: Filters;
  /** What sets its list apart: `answer` may answer in its place. */
  list?: {
    query: v.ObjectEntries;
    /** The offer that it may answer with, and when. */
    offer: { boundary: Boundary; description: string };
    answer(input: Readonly<Record<string, unknown>>, service: PricingService): OperationReply | undefined;
  };
  canWait?: true;
}

type Declared = Definition<Members, StoredRecord>;
type Defaulted = 'rules' | 'transfer' | 'filters';

/** One kind of record. Its operations, its part of the view, the seed, the contract and the documents are made from this. */
export interface Kind
  extends Omit<Declared, 'texts' | 'members' | 'derived' | 'links' | 'seedMembers' | 'lifecycle' | Defaulted>,
    Required<Pick<Declared, Defaulted>> {
  lifecycle: Lifecycle<StoredRecord> & Required<Pick<Lifecycle<StoredRecord>, 'stored' | 'moves'>>;
  texts: Record<Action, RowTexts>;
  /** What its caller says of one, its `ref` too. */
  body: ObjectSchema;
  record: v.GenericSchema & { entries: Record<string, v.GenericSchema> };
  /** One in content/seed, which says that it is synthetic. */
  seed: v.GenericSchema<unknown, StoredRecord & { example: true }>;
  factors: readonly Factor[];
}

/** The name of a kind or collection as a part of others: `JobOrder`. */
const capitalize = (name: string) => name[0]!.toUpperCase() + name.slice(1);

/** The texts of the operations with their names: `listJobOrders`, `createJobOrder`. */
function nameTexts({ name, collection, texts }: Pick<Declared, 'name' | 'collection' | 'texts'>) {
  const named = Object.entries(texts).map(([action, more]) => {
    const of = action === 'list' ? collection : name;
    return [action, { operationId: action + capitalize(of), ...more }];
  });
  return Object.fromEntries(named);
}

export const createIdSchema = (prefix: string, description: string) =>
  say(v.pipe(v.string(), v.regex(new RegExp(`^${prefix}[0-9a-z]+$`))), description);

/** Makes a kind of what its file declares; its stored records are typed by its members. */
export function defineKind<
  const M extends Members,
  R extends StoredRecord = StoredRecord & v.InferOutput<BodyOf<M>>,
>(definition: Definition<M, R>): Kind {
  const { members, derived, links, seedMembers, lifecycle, filters, ...rest } = definition;
  const { prefix, description } = rest;
  const full = Object.entries(members).map(([name, member]): [string, FullMember] => [
    name,
    'schema' in member ? member : { schema: member },
  ]);
  const entries: v.ObjectEntries = Object.fromEntries(full.map(([name, { schema }]) => [name, schema]));
  const record = v.object({
    id: createIdSchema(prefix, `Identifier, \`${prefix}…\`.`),
    ...entries,
    ...lifecycle.details?.entries,
    ...createCommonEntries(lifecycle.statuses),
    ...derived,
    links: say(v.object({ self: Href, ...links }), 'Related addresses.'),
  });
  return {
    rules: {},
    transfer: {},
    ...rest,
    lifecycle: { stored: [], moves: [], ...lifecycle },
    texts: nameTexts(definition),
    body: v.object({ ...entries, ref: v.optional(Ref) }),
    record: named(record, capitalize(rest.name), description),
    seed: v.strictObject({ id: v.string(), example: v.literal(true), ...entries, ...seedMembers }),
    filters: Object.assign({}, ...full.map(([, one]) => one.filters), refFilter, filters),
    factors: full.flatMap(([, { factor }]) => factor ?? []),
  } as unknown as Kind;
}

export const Ref = named(
  v.pipe(
    v.string('must be a string'),
    v.regex(/^[A-Za-z0-9._:-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 . _ : -'),
  ),
  'Ref',
  'Your own name for the record, unique within its kind. "#" and the ref work as its id.',
);

const refFilter: Filters = {
  ref: {
    title: 'Ref',
    description: 'The one that you gave this ref.',
    createTest: (value) => (record) => record.ref === value.replace(/^#/, ''),
  },
};

/** Moves that a record keeps; those before the last so many are forgotten. */
export const mostTransitions = 50;

/** The members that the record of every kind has, beside its id, its body and its links. */
function createCommonEntries(statuses: readonly string[]) {
  const Transition = v.object({
    at: Time,
    from: say(v.picklist(statuses), 'The status before.'),
    to: say(v.picklist(statuses), 'The status after.'),
    reason: v.optional(
      textSchema(200, 'Reason', 'Why: the reason, endReason or declineReason that was sent.'),
    ),
    by: may(v.literal('shortlist'), 'It came through the link of a shortlist. Who used that is not known.'),
  });
  return {
    ref: v.optional(Ref),
    status: say(v.picklist(statuses), 'Derived from the records, except the moves you ask for.'),
    createdAt: v.optional(Time),
    updatedAt: v.optional(Time),
    revision: may(NonNegativeInteger, 'From 1, and one more with each change; a seed record has none.'),
    transitions: v.optional(
      upTo(mostTransitions, Transition, 'The moves between statuses that you asked for.'),
    ),
    example: say(v.boolean(), 'true on the synthetic seed, false on what a caller made.'),
  };
}

export const toOccupationHref = (code: string) => `/occupations/${code}`;
