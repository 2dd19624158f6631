import * as v from 'valibot';
import type { Call, LogFields, Pieces, RequestOptions } from './call.ts';
import type { Issue, Warning } from './envelope.ts';
import type { Refusal, RefusalCode } from './refusal.ts';
import type { Service } from './service.ts';

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

export interface Context {
  service: Service;
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
  example?: (service: Service) => unknown;
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

/** What a model is told of an operation that is a tool over MCP. */
export interface ToolSpec {
  /** When a model should call it. */
  description: string;
  /** Whether it is in the short list of tools too. */
  isCore?: boolean;
  /** What a model may assume of it, if that does not follow from its effect. */
  hints?: ToolHints;
  /** What a model is shown of the input, if that is less. */
  input?: ObjectSchema;
}

/** What only the contract and other documents say of an operation. */
export interface Contract {
  tag: string;
  summary: string;
  description: string;
  /** What `{id}` in the path is. */
  idText?: string;
  /** Request headers of its own, with a description each. */
  headers?: Readonly<Record<string, string>>;
  /** Arguments that succeed: `id`, the query of a GET, the body of a POST. */
  sample?: RawArgs;
  /** The replies that do not follow from the rest of the row (see `collectReplies`). */
  replies: Record<number, ReplySpec>;
  /** false if the 200 is a document in someone else's format, without a `type` of ours. */
  enveloped?: boolean;
}

/** How long an answer stays true, and who may keep it. */
export interface Caching {
  rule: CacheRule;
  /** Lists the concrete paths whose plain anonymous GET never changes, for pre-rendering. */
  frozen?: (service: Service) => string[];
  /** Replayed when a server starts, because it has absolute addresses, a date or a setting. */
  atStart?: boolean;
  /** true if a query changes nothing at all: the answer has no place for a warning. */
  ignoresQuery?: boolean;
  /** Whether a read of `id` can wait for a change of its answer. */
  canWait?: (service: Service, id: string | undefined) => boolean;
}

/** Who may call an operation, and where it works. */
export interface Access {
  /** Whether X-Workspace, or the argument `workspace`, is read. */
  workspace: boolean | 'required';
  /** Runs if a required workspace is missing, before that is refused. Throws a Refusal. */
  withoutWorkspace?: (service: Service, id: string | undefined) => void;
  /** true if each call makes a workspace of its own. */
  mints?: true;
  /** Lets a caller in beside or without a workspace. */
  capability?: Capability;
  /** Whether it works here, if that takes more than a live service. */
  isLive?: (service: Service) => boolean;
  /** true if supervisors call it all the time: not limited, and not logged unless every call is. */
  probe?: true;
}

/** One row of the table: everything about one operation, once. */
export interface Operation {
  operationId: string;
  method: keyof typeof methods;
  /** Path with at most one parameter, `{id}`, a whole segment. */
  path: string;
  /** Another address of the same operation, which no document names. */
  alias?: string;
  /** By its method unless it says. */
  effect: Effect;
  /** false keeps a row out of the contract, the rate card and the tools: discovery that is not ours to define. */
  listed: boolean;

  /** Its query or, if its method has one, its body; with `id` and `workspace` added, the arguments of the tool. */
  input: ObjectSchema;
  /** true if the operation reads and checks the body itself; `input` then only documents it. */
  rawBody?: boolean;
  /** Most bytes of its body, if that is not `usualBody`. */
  bodyLimit?: number;
  /** Default limit of its list, if that is not the usual one. */
  usualLimit?: number;
  /** Names that are accepted and not read, without a warning. */
  unread?: readonly string[];
  /** The id that `{id}` names in a workspace, if that takes other names than ids. */
  findId?: (named: string, workspace: OpenedWorkspace, service: Service) => string;
  /** Finds what is wrong with the arguments that no schema can say. */
  check?: (args: RawArgs, service: Service, call: Call) => Issue[] | Promise<Issue[]>;

  contract: Contract;
  tool?: ToolSpec;
  caching: Caching;
  access: Access;

  run(args: never, context: Context): OperationReply | Promise<OperationReply>;
  /** The reply to a refused call, if the row has a form of its own for it. */
  refused?: (refusal: Refusal) => OperationReply | undefined;
  /** Writes the representation at `.md`. */
  markdown?: (service: Service, id: string | undefined) => string | Promise<string | undefined>;
  /** true if the pages have an HTML representation at `.html`. */
  page?: boolean;
}

/** The half of a row that runs. The other half, which is words, is in `contract.ts` of the same folder. */
export type OperationRow = Omit<Operation, 'contract' | 'tool'>;

/** Whether what a caller without a workspace is answered depends on nothing but what is asked, while a process lives. */
export const isSteady = ({ effect, caching: { rule } }: Operation) =>
  effect === 'read' && (rule === 'public' || rule === 'record');

/** Whether a path has the parameter `{id}`. */
export const hasId = ({ path }: Pick<Operation, 'path'>) => path.includes('{id}');

declare module './service.ts' {
  interface Service {
    operations: readonly Operation[];
    /** Opens a workspace by its id or, with its owner's bearer, by its handle. Rejects with a Refusal. */
    openWorkspace(id: string, bearer?: string): Promise<OpenedWorkspace>;
    /** Charges a 200 to a read in a workspace, just before it is sent. May answer something else in its place. */
    chargeRead(
      of: Operation,
      workspace: OpenedWorkspace,
      outcome: OperationReply,
    ): OperationReply | Promise<OperationReply>;
  }
}

// biome-ignore lint/complexity/noBannedTypes: the entries of an object without members
type NoInput = v.ObjectSchema<{}, undefined>;

/** What a row may leave out; see `defineOperation`. */
type Defaulted = 'effect' | 'listed' | 'input' | 'caching' | 'access';

/**
 * An operation whose `run` is typed by its input schema; `id` is there if the path has one. It is listed, its answers are
 * made for one caller, and it takes no workspace, unless it says.
 */
export function defineOperation<S extends ObjectSchema = NoInput>(
  row: Omit<OperationRow, 'run' | Defaulted> &
    Partial<Pick<OperationRow, 'effect' | 'listed'>> & {
      input?: S;
      caching?: Partial<Caching>;
      access?: Partial<Access>;
      run(
        args: v.InferOutput<S> & { id: string },
        context: Context,
      ): OperationReply | Promise<OperationReply>;
    },
): OperationRow {
  return {
    effect: methods[row.method],
    listed: true,
    input: v.object({}),
    ...row,
    caching: { rule: 'never', ...row.caching },
    access: { workspace: false, ...row.access },
  } as unknown as OperationRow;
}
