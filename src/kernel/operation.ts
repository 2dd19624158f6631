import * as v from 'valibot';
import type { Call, LogFields, Pieces, RequestOptions } from './call.ts';
import { Blocked, Empty, type Issue, okSchema, type Warning } from './envelope.ts';
import { createBlocked, type Refusal, type RefusalCode } from './refusal.ts';
import type { KernelService } from './service.ts';

/** What an operation does to what is stored. All but a `read` take an Idempotency-Key; a `create` may mint a workspace. */
export type Effect = 'read' | 'create' | 'update' | 'delete';

/** Each method that an operation may have, and its effect unless the row says. */
export const methods = { GET: 'read', POST: 'create', PATCH: 'update', DELETE: 'delete' } as const;

/** Most bytes of a request line with headers, of a body unless the operation says, and of any body. */
export const largestHead = 16_384;
export const usualBody = 65_536;
export const largestBody = 1_048_576;

/** Whether a request of this HTTP method is read with its body; else its arguments are its query. */
export const hasBody = (method: string) => !['GET', 'DELETE', 'HEAD', 'OPTIONS'].includes(method);

export type ObjectSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

export interface OpenedWorkspace {
  id: string;
  /** The SHA-256 that a store finds its id by. */
  hash: string;
  /** The key that its records are stored under. */
  key: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  revision: number;
  /** Known to its holder alone, or to a host on its behalf. Secrets that a replay repeats are derived from it. */
  secret: string;
}

export interface OperationContext<S extends KernelService = KernelService> {
  service: S;
  call: Call;
  operation: Operation;
  /** The arguments as they were sent, unknown ones too. */
  args: Readonly<Record<string, unknown>>;
  workspace: OpenedWorkspace | undefined;
  options: RequestOptions;
  warnings: Warning[];
}

/** The answer of an operation, before it is turned into bytes. */
export interface OperationReply {
  status: number;
  /** An envelope or a document, as it is or as `Json` of it; a string is sent as it is. */
  body: object | string;
  pieces?: Pieces | undefined;
  headers?: Record<string, string>;
  /** Media type; `application/json` by default. */
  type?: string;
  /** Where another operation ran than the one that was called. */
  logFields?: LogFields;
  /** What a read that can wait was made from, where that is not the workspace of the call. */
  watched?: Pick<OpenedWorkspace, 'key' | 'expiresAt'>;
}

export interface ReplySpec {
  description: string;
  /** Absent where the reply has no body. */
  schema?: v.GenericSchema;
  type?: string;
  headers?: readonly string[] | undefined;
  /** A body as it would really be answered. */
  example?(service: KernelService): unknown;
}

/**
 * Who may cache an answer. `public`: it depends on nothing but the address. `brief`: the same, and a change shows
 * within minutes. `record`: it depends on X-Workspace too. `never`: it is made for one caller.
 */
export type CacheRule = 'public' | 'brief' | 'record' | 'never';

/** A secret that lets in whoever has it. */
export interface Capability {
  /** The request header, and over MCP the argument. */
  header: string;
  argument: string;
  hint: string;
  /** What each begins with. */
  prefix: string;
  shape: RegExp;
  /** The refusal without one, and with one that was never issued. */
  unknown: RefusalCode;
}

type RawArgs = Readonly<Record<string, unknown>>;

/** Of ToolAnnotations (MCP), those that depend on the operation. */
export interface ToolHints {
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
}

/** The replies of a row as they are. They are for the contract alone: a bundle without it leaves them out here. */
export const describeReplies = (replies: Record<number, ReplySpec>) => replies;

/**
 * One row of the table: everything about one operation, once.
 *
 * A row may take more of the service than `KernelService`: it names the interface of its room, such as `RecordService`.
 * `Service` in src/service.ts extends all of these, so each row gets what it names.
 */
export interface Operation {
  operationId: string;
  method: keyof typeof methods;
  /** By its method unless it says. */
  effect: Effect;
  /** Path with at most one parameter, `{id}`, a whole segment. */
  path: string;
  /** Another address of the same operation, which no document names. */
  alias?: string;
  idText?: string;
  tag: string;
  summary: string;
  description: string;
  /** false keeps a row out of the contract, the rate card and the tools: discovery that is not ours to define. */
  listed: boolean;
  /** Whether it works here, where that takes more than a live service. */
  isLive?(service: KernelService): boolean;
  /** true where supervisors call it all the time: not limited, and not logged unless every call is. */
  probe?: true;
  /** Its query or, where its method has one, its body; with `id` and `workspace` added, the arguments of the tool. */
  input: ObjectSchema;
  /** Arguments that succeed: `id`, the query of a GET, the body of a POST. */
  sample?: RawArgs;
  /** Request headers of its own, with a description each. */
  headers?: Readonly<Record<string, string>>;
  /** true where the operation reads and checks the body itself; `input` then only documents it. */
  rawBody?: boolean;
  /** Those that do not follow from the rest of the row (see `toAllReplies`). */
  replies: Record<number, ReplySpec>;
  /** false where the 200 is a document in someone else's format, without a `type` of ours. */
  enveloped?: boolean;
  cache: CacheRule;
  /** true where a query changes nothing at all: the answer has no place for a warning. */
  ignoresQuery?: boolean;
  /** Whether X-Workspace, or the argument `workspace`, is read. */
  workspace: boolean | 'required';
  /** true where each call makes a workspace of its own. */
  mints?: true;
  /** Lets a caller in beside or without a workspace. */
  capability?: Capability;
  /** Whether a read of `id` can wait for a change of its answer. */
  canWait?(service: KernelService, id: string | undefined): boolean;
  /** Most bytes of its body, where that is not `usualBody`. */
  bodyLimit?: number;
  /** Default limit of its list, where that is not the usual one. */
  usualLimit?: number;
  /** Names that are accepted and not read, without a warning. */
  unread?: readonly string[];
  /** When a model should call it, where it is a tool over MCP. */
  tool?: string;
  /** Whether the tool is in the short list of tools too. */
  isCore?: true;
  /** What a model may assume of the tool, if that does not follow from its effect. */
  hints?: ToolHints;
  /** What a model is shown of `input`, where that is less. */
  toolInput?: ObjectSchema;
  /** The concrete paths whose plain anonymous GET never changes, for pre-rendering. */
  frozen?(service: KernelService): string[];
  /** Replayed when a server starts, because it has absolute addresses, a date or a setting. */
  atStart?: boolean;
  markdown?(service: KernelService, id: string | undefined): string | Promise<string | undefined>;
  /** true where the pages have an HTML representation at `.html`. */
  page?: boolean;
  /** The id that `{id}` names in a workspace, where that takes other names than ids. */
  findId?(named: string, workspace: OpenedWorkspace, service: KernelService): string;
  /** Runs where a required workspace is missing, before that is refused. Throws a Refusal. */
  withoutWorkspace?(service: KernelService, id: string | undefined): void;
  /** Finds what is wrong with the arguments that no schema can say. */
  check?(args: RawArgs, service: KernelService, call: Call): Issue[] | Promise<Issue[]>;
  /** The reply to a refused call, if the row has a form of its own for it. */
  refused?: (refusal: Refusal) => OperationReply | undefined;
  run(args: never, context: OperationContext): OperationReply | Promise<OperationReply>;
}

/** Whether what a caller without a workspace is answered depends on nothing but what is asked, while a process lives. */
export const isSteady = ({ effect, cache }: Operation) =>
  effect === 'read' && (cache === 'public' || cache === 'record');

type Usual = 'effect' | 'listed' | 'replies' | 'cache' | 'workspace';
// biome-ignore lint/complexity/noBannedTypes: the entries of an object without members
type NoInput = v.ObjectSchema<{}, undefined>;

/**
 * An operation whose `run` is typed by its input schema; `id` is there where the path has one. It is listed, made for
 * one caller and without a workspace, unless it says.
 */
export function defineOperation<S extends ObjectSchema = NoInput>(
  row: Omit<Operation, 'run' | 'input' | Usual> &
    Partial<Pick<Operation, Usual>> & {
      input?: S;
      run(
        args: v.InferOutput<S> & { id: string },
        context: OperationContext,
      ): OperationReply | Promise<OperationReply>;
    },
): Operation {
  const usual = { listed: true, input: v.object({}), replies: {}, cache: 'never', workspace: false };
  return { ...usual, effect: methods[row.method], ...row } as Operation;
}

/** An OK envelope of these members; the example is what is beside its type. */
export const ok = <S extends KernelService = KernelService>(
  description: string,
  entries: v.ObjectEntries,
  example: (service: S) => object | Promise<object>,
  headers?: readonly string[],
): ReplySpec => ({
  description,
  schema: okSchema(entries),
  headers,
  example: async (service: S) => ({ type: 'OK', ...(await example(service)) }),
});

/** A BLOCKED reply; its example is the refusal that callers meet there most often. */
export function blocked(code: RefusalCode, description: string, issues?: Issue[]): ReplySpec {
  return { description, schema: Blocked, example: () => createBlocked(code, { issues }) };
}

/** The 400 of arguments that are not valid, with one place as its example. */
export const invalid = (path: string, message: string): ReplySpec =>
  blocked('invalid_request', 'The arguments are not valid; issues names each place.', [{ path, message }]);

export function emptyRecord(description: string): ReplySpec {
  return { description, schema: Empty, example: () => ({ type: 'EMPTY', message: description }) };
}

export const emptyList = (
  description: string,
  page: v.GenericSchema,
  example: ReplySpec['example'],
  headers?: readonly string[],
): ReplySpec => ({ description, schema: v.union([page, Empty]), example, headers });
