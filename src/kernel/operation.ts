import * as v from 'valibot';
import type { Call, LogFields, Pieces, RequestOptions } from './call.ts';
import type { Effect, Method } from './effect.ts';
import { Blocked, Empty, type Issue, type Warning } from './envelope.ts';
import { type Refusal, type RefusalCode, toBlocked } from './refusal.ts';
import type { Service } from './service.ts';

export type ObjectSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** A workspace that the caller showed the id of. */
export interface OpenedWorkspace {
  id: string;
  /** What a store knows its id by. */
  hash: string;
  /** What its records live under. */
  key: string;
  /** When it is forgotten, in milliseconds since the epoch. */
  expiresAt: number;
  /** One more with each change of what it holds. */
  revision: number;
  /** What only its holder knows, or a host on its holder's behalf: secrets that are told again are derived from it. */
  secret: string;
}

/** What an operation is run with, beside its arguments. */
export interface Context {
  service: Service;
  call: Call;
  operation: Operation;
  /** The arguments as they were sent, unknown ones too. */
  args: Readonly<Record<string, unknown>>;
  workspace: OpenedWorkspace | undefined;
  options: RequestOptions;
  /** What the answer warns of; an operation may add to them. */
  warnings: Warning[];
}

/** What an operation answers, before it is turned into bytes. */
export interface Outcome {
  status: number;
  /** An envelope or a document, as it is or as `Json` of it; a string goes out as it is. */
  body: object | string;
  /** A body that is a string, in pieces. */
  pieces?: Pieces | undefined;
  headers?: Record<string, string>;
  /** Media type; `application/json` unless said. */
  type?: string;
  /** Where something else was performed than the operation that was called. */
  logFields?: LogFields;
}

/** One status an operation can answer with. */
export interface ReplySpec {
  description: string;
  /** Absent where the reply has no body. */
  schema?: v.GenericSchema;
  type?: string;
  headers?: readonly string[];
  /** A body as it would really be answered. */
  example?: (service: Service) => unknown;
}

/** How an operation is offered to a model over MCP. */
interface ToolSpec {
  title: string;
  /** When to use it. */
  description: string;
  /** What a model is told of the input, where that is less than what is taken. */
  input?: ObjectSchema;
}

/**
 * Who may keep an answer. `public`: it depends on nothing but the address. `brief`: the same, but what changed is
 * seen within minutes, and nothing older is given out. `record`: it depends on X-Workspace too. `never`: it is made
 * for one caller.
 */
export type CacheRule = 'public' | 'brief' | 'record' | 'never';

/** A secret that lets in whoever has it: how it is sent, and what it looks like. */
export interface Capability {
  /** The request header, and over MCP the argument. */
  header: string;
  argument: string;
  description: string;
  shape: RegExp;
  /** What is said to a caller who shows none, or one that nobody was given. */
  unknown: RefusalCode;
}

/** One row of the table: everything about one operation, once. */
export interface Operation {
  operationId: string;
  method: Method;
  effect: Effect;
  /** Path with at most one parameter, `{id}`, a whole segment. */
  path: string;
  /** What `{id}` is, where the path has it. */
  idText?: string;
  tag: string;
  summary: string;
  description: string;
  /** false keeps a row out of the contract, the rate card and the tools: discovery that is not ours to define. */
  listed: boolean;
  /** Whether it can be done here, where that is more than whether anything is live. */
  isLive?: (service: Service) => boolean;
  /** true where supervisors ask it all the time: a host neither limits such calls nor, unless all are, logs them. */
  probe?: true;
  /** Its query or, where its method has one, its body; with `id` and `workspace` added, the arguments of the tool. */
  input: ObjectSchema;
  /** Arguments that succeed: `id`, the query of a GET, the body of a POST. */
  sample?: Readonly<Record<string, unknown>>;
  /** Request headers of its own, and what each holds. */
  headers?: Readonly<Record<string, string>>;
  /** true where the operation reads and checks the body itself; `input` then only documents it. */
  rawBody?: boolean;
  replies: Record<number, ReplySpec>;
  /** false where the 200 is a document in someone else's format, without a `type` of ours. */
  enveloped?: boolean;
  cache: CacheRule;
  /** true where a query changes nothing at all: not even a warning has a place in the answer. */
  ignoresQuery?: boolean;
  /** Whether X-Workspace, or the argument `workspace`, is read; `required` where nothing can be done without it. */
  workspace: boolean | 'required';
  /** What a caller shows, beside or in the place of a workspace, to be let in. */
  capability?: Capability;
  /** Bytes of its body at most, where that is not `usualBody`. */
  bodyLimit?: number;
  /** Rows on a page of its list where a caller does not say, where that is not as usual. */
  usualLimit?: number;
  /** Names that are taken and not read, without a word. */
  unread?: readonly string[];
  /** Names that callers guess, and those that they mean, beside what is nearly spelled right. */
  suggestions?: Readonly<Record<string, string>> | undefined;
  tool?: ToolSpec;
  /** The concrete paths whose plain anonymous GET never changes, for pre-rendering. */
  frozen?: (service: Service) => string[];
  /** Replayed when a server starts, because it holds absolute addresses, a date or what an operator sets. */
  atStart?: boolean;
  /** The Markdown representation at `.md`. */
  markdown?: (service: Service, id: string | undefined) => string | Promise<string | undefined>;
  /** true where the pages hold an HTML representation at `.html`. */
  page?: boolean;
  /** What is asked before the arguments are validated. Throws a Refusal. */
  gate?: (args: Readonly<Record<string, unknown>>) => void;
  /** What is said, where a workspace is required, before a caller without one is told so. Throws a Refusal. */
  withoutWorkspace?: (service: Service, id: string | undefined) => void;
  /** What else is amiss in the arguments that no schema can tell, beside what the schema tells. */
  check?: (args: Readonly<Record<string, unknown>>, service: Service) => Issue[] | Promise<Issue[]>;
  /** The reply to a call that was turned down before it was run, where it is worded in a way of the row's own. */
  refused?: (refusal: Refusal) => Outcome | undefined;
  run(args: never, context: Context): Outcome | Promise<Outcome>;
}

declare module './service.ts' {
  interface Service {
    operations: readonly Operation[];
    /**
     * Opens the workspace that a caller names: by its id or, with the bearer of its owner, by its handle. Rejects with
     * the Refusal `unknown_workspace` or `unknown_owner`.
     */
    openWorkspace(id: string, bearer?: string): Promise<OpenedWorkspace>;
    /** Charges a 200 to a read in a workspace, just before it is sent. May answer something else in its place. */
    chargeRead(
      operation: Operation,
      workspace: OpenedWorkspace,
      outcome: Outcome,
    ): Outcome | Promise<Outcome>;
  }
}

/** An operation whose `run` is typed by its input schema; `id` is there where the path has one. */
export function toOperation<S extends v.ObjectSchema<v.ObjectEntries, undefined>>(
  row: Omit<Operation, 'run' | 'input'> & {
    input: S;
    run(args: v.InferOutput<S> & { id: string }, context: Context): Outcome | Promise<Outcome>;
  },
): Operation {
  return row as unknown as Operation;
}

/** A BLOCKED reply, with the boundary that a caller meets there most often as its example. */
export function blocked(code: RefusalCode, description: string, issues?: Issue[]): ReplySpec {
  return { description, schema: Blocked, example: () => toBlocked(code, { issues }) };
}

/** A single record's 404. */
export function emptyRecord(description: string): ReplySpec {
  return { description, schema: Empty, example: () => ({ type: 'EMPTY', message: description }) };
}

/** A collection's 200: a page, or a truthful EMPTY. */
export function emptyList(
  description: string,
  page: v.GenericSchema,
  example: ReplySpec['example'],
): ReplySpec {
  return { description, schema: v.union([page, Empty]), example };
}
