import * as v from 'valibot';
import type { Warning } from '../kernel/envelope.ts';
import type { ObjectSchema, Operation, Outcome } from '../kernel/operation.ts';
import type { Service } from '../kernel/service.ts';
import { Href, Time } from '../kernel/text.ts';
import type { PresentedRecord, StoredRecord } from './record.ts';
import type { RecordsInView } from './records-in-view.ts';

/** What a record needs to know of the records around it. */
interface Surroundings {
  /** The UTC day it is read as of. */
  today: string;
  /** Whether a record of a kind with this id is in view. */
  isKnown(kind: string, id: string): boolean;
  /** How many records in view hold it. */
  occupants: number;
}

/** The texts of one operation on a kind. */
export interface RowTexts {
  operationId: string;
  description: string;
  /** When to use the tool; absent where it is none. */
  tool?: string;
}

/** A move that a caller may ask for. */
interface Move {
  from: readonly string[];
  to: string;
}

/** What its list can be asked beside what every list can. */
interface Filter {
  title: string;
  description: string;
  /** What a value of it has to be, where not any text is one. */
  values?: v.GenericSchema<unknown, string>;
  /** Which facts pass a value. */
  toTest(value: string): (fact: StoredRecord) => boolean;
}

/**
 * One kind of record: all that sets it apart from the others. Its operations, its part of the view, of the seed,
 * the contract, the card and the documents are made from this.
 */
export interface Kind {
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
  /** What a caller sends to create one. */
  body: ObjectSchema;
  /** One as it is read. */
  record: v.GenericSchema;
  /** One in content/seed, which says that it is synthetic. */
  seed: v.GenericSchema<unknown, StoredRecord & { example: true }>;
  statuses: readonly string[];
  /** Every move that a caller may ask for. */
  moves: readonly Move[];
  /** The statuses among those moved to that stay as asked; any other follows from the facts again. */
  kept: readonly string[];
  /** What to do first, in a status that no move leaves. */
  stuck?: Readonly<Record<string, string>>;
  /** What is sent with a move, and what is amiss in it, given the fact with it. */
  moving?: { entries: v.ObjectEntries; check(fact: StoredRecord, today: string): readonly MoveIssue[] };
  /** Names that lead to a record, which go when it goes. */
  leading?(fact: StoredRecord): readonly string[];
  /** What follows for the rest of a fact that is changed. Throws a Refusal where it may not be. */
  amend?(was: StoredRecord, next: StoredRecord, near: RecordsInView): Partial<StoredRecord>;
  /** The members that hold the id of another record, and the kind that it is of. */
  references: Readonly<Record<string, string>>;
  /** Whether one occupies what it refers to. */
  occupies?(fact: StoredRecord): boolean;
  /** true where records of other kinds may hold one. */
  canBeHeld?: true;
  /** The members of a record that follow from its fact and from what is around it. */
  present(
    fact: StoredRecord,
    around: Surroundings,
  ): Pick<PresentedRecord, 'status' | 'links'> & Record<string, unknown>;
  /** What may be amiss in one, beside its references, given the records near it. */
  warn?(fact: StoredRecord, near: RecordsInView): Warning[];
  /** A body that creates one. */
  sample: Record<string, unknown>;
  texts: Record<'list' | 'create' | 'get' | 'update' | 'delete', RowTexts>;
  /** What its list can be asked beside what every list can. */
  filters: Readonly<Record<string, Filter>>;
  list?: ListExtension;
}

/** A member that a move needs, and what is wrong with it. */
interface MoveIssue {
  path: string;
  message: string;
}

/** What sets the list of a kind apart. */
interface ListExtension {
  query: v.ObjectEntries;
  replies: Operation['replies'];
  /** Answers in the place of the list, or nothing. */
  answer?(input: Readonly<Record<string, unknown>>, service: Service): Outcome | undefined;
}

/** What a kind may leave out. */
const plain = { moves: [], kept: [], filters: {} };

type Typed<B extends ObjectSchema, R, F> = Omit<
  Kind,
  'body' | 'record' | 'occupies' | 'present' | 'warn' | 'moving' | 'amend' | keyof typeof plain
> &
  Partial<Pick<Kind, keyof typeof plain>> & {
    body: B;
    record: v.GenericSchema<unknown, R>;
    amend?(was: F, next: F, near: RecordsInView): Partial<F>;
    occupies?(fact: F): boolean;
    present(
      fact: F,
      around: Surroundings,
    ): Pick<PresentedRecord, 'status' | 'links'> & Record<string, unknown>;
    warn?(fact: F, near: RecordsInView): Warning[];
    moving?: { entries: v.ObjectEntries; check(fact: F, today: string): readonly MoveIssue[] };
  };

/** A kind whose facts and records are typed by its schemas. */
export function toKind<
  B extends ObjectSchema,
  R extends PresentedRecord,
  F = v.InferOutput<B> & StoredRecord,
>(kind: Typed<B, R, F>): Kind {
  return { ...plain, ...kind } as unknown as Kind;
}

/** A seed record says that it is synthetic. */
export const synthetic = { id: v.string(), example: v.literal(true) };

/** The caller's own name for a record. */
export const Ref = v.pipe(
  v.string('must be a string'),
  v.regex(/^[A-Za-z0-9._:-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 . _ : -'),
  v.title('Ref'),
  v.description('Your own name for the record, unique within its kind; "#" and it stands for its id.'),
);

/** The members that the record of every kind has, beside its id and its body. */
export function toRecordEntries<const S extends readonly string[], L extends v.ObjectEntries>(
  statuses: S,
  links: L,
) {
  return {
    ref: v.optional(Ref),
    status: v.pipe(v.picklist(statuses), v.description('Follows from the records, but for what you ask.')),
    createdAt: v.optional(Time),
    updatedAt: v.optional(Time),
    revision: v.optional(
      v.pipe(v.number(), v.description('From 1, and one more with each change; a seed record has none.')),
    ),
    transitions: v.optional(
      v.pipe(
        v.array(
          v.object({
            at: Time,
            from: v.pipe(v.picklist(statuses), v.description('The status before.')),
            to: v.pipe(v.picklist(statuses), v.description('The status after.')),
            reason: v.optional(v.pipe(v.string(), v.description('Why, as it was sent.'))),
          }),
        ),
        v.description('The moves between statuses that you asked for.'),
      ),
    ),
    example: v.pipe(v.boolean(), v.description('true on the synthetic seed, false on what a caller made.')),
    links: v.pipe(v.object({ self: Href, ...links }), v.description('Related addresses.')),
  };
}

export const toId = (prefix: string) => v.pipe(v.string(), v.description(`Identifier, \`${prefix}…\`.`));

export const toOccupationHref = (code: string) => `/occupations/${code}`;
