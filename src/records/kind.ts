import * as v from 'valibot';
import type { Issue, Warning } from '../kernel/envelope.ts';
import type { ObjectSchema, Operation, Outcome } from '../kernel/operation.ts';
import type { Service } from '../kernel/service.ts';
import { Count, Href, Time } from '../kernel/text.ts';
import type { Factor } from './factor.ts';
import { equals, type Filters } from './filters.ts';
import type { PresentedRecord, StoredRecord } from './record.ts';
import type { RecordsInView } from './records-in-view.ts';

/** What a record needs to know of the records around it. */
interface Surroundings {
  /** The UTC day it is read as of. */
  today: string;
  /** Whether a record of a kind with this id is in view. */
  isKnown(kind: string, id: string): boolean;
  /** How many records in view occupy it. */
  occupants: number;
  /** How many hold a name of those that it is counted as. */
  countOf(name: string): number;
}

/** The texts of one operation on a kind. */
export interface RowTexts {
  operationId: string;
  description: string;
  /** When to use the tool; absent where it is not a tool. */
  tool?: string;
}

type Action = 'list' | 'create' | 'get' | 'update' | 'delete';

/** One member of a body: a schema with its words and bounds or, where more depends on the member, that too. */
export type Member = v.GenericSchema | FullMember;

interface FullMember {
  schema: v.GenericSchema;
  /** What lists of the kind, and matches with it, can be filtered by, under the names of query parameters. */
  filters?: Filters;
  /** How it counts in matches. */
  factor?: Factor;
}

type Members = Readonly<Record<string, Member>>;
type SchemaOf<M> = M extends { schema: infer S } ? S : M;
type BodyOf<M extends Members> = v.ObjectSchema<
  { [Name in keyof M]: SchemaOf<M[Name]> & v.GenericSchema },
  undefined
>;

/** What a kind may declare. `R` is what is stored of one. */
interface Common<R extends StoredRecord> {
  /** What it is called where a member holds one of it: `jobOrder`. */
  name: string;
  noun: string;
  plural: string;
  /** The member that holds a list of it, and its tag in the contract. */
  collection: string;
  path: string;
  /** What its ids begin with. */
  prefix: string;
  /** What the contract says of its operations. */
  about: string;
  statuses: readonly string[];
  /** What to do first, in a status that no move leaves. */
  stuck?: Readonly<Record<string, string>>;
  /** What is sent with a move, and what is wrong with it, given the record after the move. */
  moving?: { entries: v.ObjectEntries; check(record: R, today: string): readonly Issue[] };
  /** Names that lead to a record from outside its workspace; they are deleted with it. */
  pointers?(record: R): readonly string[];
  /** Other members that follow from a change. Throws a Refusal where the change is not allowed. */
  amend?(was: R, next: R, near: RecordsInView): Partial<R>;
  /** The members that hold the id of another record, and the kind of that record. */
  references: Readonly<Record<string, string>>;
  /** The names that a record holds: ids of those that it occupies, and others that are counted by. */
  occupies?(record: R): readonly string[];
  /** true where records of other kinds may occupy one. */
  canBeOccupied?: true;
  /** Names beside its id that records of other kinds hold of it. */
  countedAs?(id: string): readonly string[];
  /** What a match tells of one beside what every record has. */
  summary?: readonly string[];
  /** Two members that are days, of which the second is not before the first. */
  period?: readonly [from: string, to: string];
  /** The statuses that a create may ask for. */
  born?: readonly string[];
  /** The members that follow from a record and from what is around it. */
  present(
    record: R,
    around: Surroundings,
  ): Pick<PresentedRecord, 'status' | 'links'> & Record<string, unknown>;
  /** What a record disagrees with among those near it, unresolved references aside. */
  warn?(record: R, near: RecordsInView, service: Service): Warning[];
  /** A body that creates one. */
  sample: Record<string, unknown>;
  list?: ListExtension;
  /** true where a read of one can wait for its change. */
  canWait?: true;
}

/** What a kind may leave out. */
interface Optional {
  /** Every move that a caller may ask for. */
  moves: readonly { from: readonly string[]; to: string; takes?: readonly string[] }[];
  /** The statuses among those moved to that stay as asked; any other follows from the records again. */
  kept: readonly string[];
  /** What lists can be filtered by: the filters of its members, and these. */
  filters: Filters;
}

/** What one file declares of its kind. */
interface Definition<M extends Members, R extends StoredRecord> extends Common<R>, Partial<Optional> {
  /** What a caller sends to create one. */
  members: M;
  texts: Record<Action, Omit<RowTexts, 'operationId'>>;
  /** The name and the description of its schema. */
  title: string;
  description: string;
  /** Members of a record that are no part of its body. */
  derived?: v.ObjectEntries;
  /** The links of a record beside `self`. */
  links: v.ObjectEntries;
  /** What a seed record has beside its body. */
  seedMembers?: v.ObjectEntries;
}

/**
 * One kind of record: all that sets it apart from the others. Its operations, its part of the view, of the seed,
 * the contract, the card and the documents are made from this.
 */
export interface Kind extends Common<StoredRecord>, Optional {
  texts: Record<Action, RowTexts>;
  body: ObjectSchema;
  /** One as it is read. */
  record: v.GenericSchema;
  /** One in content/seed, which says that it is synthetic. */
  seed: v.GenericSchema<unknown, StoredRecord & { example: true }>;
  /** How its members count in matches. */
  factors: readonly Factor[];
}

/** What sets the list of a kind apart. */
interface ListExtension {
  query: v.ObjectEntries;
  replies: Operation['replies'];
  /** Answers in the place of the list, or nothing. */
  answer?(input: Readonly<Record<string, unknown>>, service: Service): Outcome | undefined;
}

/** The texts of the operations with their names: `listJobOrders`, `createJobOrder`. */
function mapTexts({
  name,
  collection,
  texts,
}: Pick<Definition<Members, never>, 'name' | 'collection' | 'texts'>) {
  const toOperationId = (action: string, of: string) => action + of[0]!.toUpperCase() + of.slice(1);
  return Object.fromEntries(
    Object.entries(texts).map(([action, more]) => [
      action,
      { operationId: toOperationId(action, action === 'list' ? collection : name), ...more },
    ]),
  );
}

/** The id of a record, whose kind begins it. */
export const toIdSchema = (prefix: string, description: string) =>
  v.pipe(v.string(), v.regex(new RegExp(`^${prefix}[0-9a-z]+$`)), v.description(description));

/** Makes a kind of what its file declares; its stored records are typed by its members. */
export function toKind<
  const M extends Members,
  R extends StoredRecord = StoredRecord & v.InferOutput<BodyOf<M>>,
>(definition: Definition<M, R>): Kind {
  const { members, title, description, derived, links, seedMembers, filters, ...rest } = definition;
  const full = Object.entries(members).map(([name, member]): [string, FullMember] => [
    name,
    'schema' in member ? member : { schema: member },
  ]);
  const entries: v.ObjectEntries = Object.fromEntries(full.map(([name, { schema }]) => [name, schema]));
  const record = v.object({
    id: toIdSchema(rest.prefix, `Identifier, \`${rest.prefix}…\`.`),
    ...entries,
    ...rest.moving?.entries,
    ...toLifeEntries(rest.statuses),
    ...derived,
    links: v.pipe(v.object({ self: Href, ...links }), v.description('Related addresses.')),
  });
  return {
    moves: [],
    kept: [],
    ...rest,
    texts: mapTexts(definition),
    body: v.object(entries),
    record: v.pipe(record, v.title(title), v.description(description)),
    seed: v.strictObject({ id: v.string(), example: v.literal(true), ...entries, ...seedMembers }),
    filters: Object.assign({}, ...full.map(([, one]) => one.filters), refFilter, filters),
    factors: full.flatMap(([, { factor }]) => factor ?? []),
  } as unknown as Kind;
}

/** The caller's own name for a record. */
export const Ref = v.pipe(
  v.string('must be a string'),
  v.regex(/^[A-Za-z0-9._:-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 . _ : -'),
  v.title('Ref'),
  v.description('Your own name for the record, unique within its kind. "#" and the ref work as its id.'),
);

/** An issue where the second day of a kind's period is before the first; `at` stands before its name. */
export function checkPeriod({ period }: Pick<Kind, 'period'>, record: StoredRecord, at = ''): Issue[] {
  const [from, to] = (period ?? []).map((member) => record[member] as string | undefined);
  if (from === undefined || to === undefined || to >= from) return [];
  return [{ path: at + period![1], message: `must not be before ${period![0]}, ${from}` }];
}

const refFilter = { ref: equals('ref', 'Ref', 'The one that you gave this ref.') };

/** Moves that a record keeps; those before the last so many are forgotten. */
export const mostTransitions = 50;

/** The members that the record of every kind has, beside its id, its body and its links. */
function toLifeEntries(statuses: readonly string[]) {
  return {
    ref: v.optional(Ref),
    status: v.pipe(
      v.picklist(statuses),
      v.description('Derived from the records, except the moves you ask for.'),
    ),
    createdAt: v.optional(Time),
    updatedAt: v.optional(Time),
    revision: v.optional(
      v.pipe(Count, v.description('From 1, and one more with each change; a seed record has none.')),
    ),
    transitions: v.optional(
      v.pipe(
        v.array(
          v.object({
            at: Time,
            from: v.pipe(v.picklist(statuses), v.description('The status before.')),
            to: v.pipe(v.picklist(statuses), v.description('The status after.')),
            reason: v.optional(
              v.pipe(
                v.string(),
                v.maxLength(200),
                v.description('Why: the reason, endReason or declineReason that was sent.'),
              ),
            ),
            by: v.optional(
              v.pipe(
                v.literal('shortlist'),
                v.description('It came through the link of a shortlist. Who used that is not known.'),
              ),
            ),
          }),
        ),
        v.maxLength(mostTransitions),
        v.description('The moves between statuses that you asked for.'),
      ),
    ),
    example: v.pipe(v.boolean(), v.description('true on the synthetic seed, false on what a caller made.')),
  };
}

/** The address of an occupation. */
export const toOccupationHref = (code: string) => `/occupations/${code}`;
