import * as v from 'valibot';
import type { ObjectSchema, Operation, Outcome } from '../kernel/operation.ts';
import type { Service } from '../kernel/service.ts';
import { Href } from '../kernel/text.ts';

/** What is kept of a record: its id and what its caller sent; nothing that follows from other records. */
export interface Fact {
  id: string;
  onetCode: string;
  /** The caller's own name for it, unique within its kind in a workspace. */
  ref?: string;
  [member: string]: unknown;
}

/** A record as it is read. */
export interface Row {
  id: string;
  onetCode: string;
  status: string;
  links: { self: string } & Record<string, string | null>;
}

/** What a record needs to know of the records around it. */
interface Surroundings {
  /** The UTC day it is read as of. */
  today: string;
  example: boolean;
  /** Whether a record of a kind with this id is in view. */
  isKnown(kind: string, id: string): boolean;
  /** Whether a record that refers to this one holds it. */
  isHeld: boolean;
}

/** The texts of one operation on a kind. */
export interface RowTexts {
  operationId: string;
  description: string;
  /** When to use the tool. */
  tool: string;
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
  seed: v.GenericSchema<unknown, Fact & { example: true }>;
  statuses: readonly string[];
  /** The status of one that is held, whatever it was before; absent where none can be. */
  heldStatus?: string;
  /** The members that hold the id of another record, and the kind that it is of. */
  references: Readonly<Record<string, string>>;
  /** Whether one holds what it refers to on a day. */
  holds?(fact: Fact, today: string): boolean;
  present(fact: Fact, around: Surroundings): Row;
  /** A body that creates one. */
  sample: Record<string, unknown>;
  texts: Record<'list' | 'create' | 'get', RowTexts>;
  /** What its list can be asked beside what every list can. */
  list?: ListExtension;
}

/** What sets the list of a kind apart. */
interface ListExtension {
  query: v.ObjectEntries;
  replies: Operation['replies'];
  gate?: Operation['gate'];
  /** Answers in the place of the list, or nothing. */
  answer?(input: Readonly<Record<string, unknown>>, service: Service): Outcome | undefined;
}

type Typed<B extends ObjectSchema, R, F> = Omit<Kind, 'body' | 'record' | 'holds' | 'present'> & {
  body: B;
  record: v.GenericSchema<unknown, R>;
  holds?(fact: F, today: string): boolean;
  present(fact: F, around: Surroundings): R;
};

/** A kind whose facts and records are typed by its schemas. */
export function toKind<B extends ObjectSchema, R extends Row>(
  kind: Typed<B, R, v.InferOutput<B> & { id: string }>,
): Kind {
  return kind as unknown as Kind;
}

/** A seed record says that it is synthetic. */
export const synthetic = { id: v.string(), example: v.literal(true) };

/** The members that the record of every kind has, beside its id and its body. */
export function toRecordEntries<const S extends readonly string[], L extends v.ObjectEntries>(
  statuses: S,
  links: L,
) {
  return {
    status: v.picklist(statuses),
    example: v.pipe(v.boolean(), v.description('true on the synthetic seed, false on what a caller made.')),
    links: v.object({ self: Href, ...links }),
  };
}

export const toId = (prefix: string) => v.pipe(v.string(), v.description(`Identifier, \`${prefix}…\`.`));

export const toOccupationHref = (code: string) => `/occupations/${code}`;
