import * as v from 'valibot';
import type { Call, LogFields, Piece, RequestOptions } from './call.ts';
import type { Warning, WordedIssue } from './envelope.ts';
import type { OtherBody } from './other-body.ts';
import type { Refusal, RefusalKind } from './refusal.ts';
import type { KernelService } from './service.ts';
import { isSteps, type Steps } from './steps.ts';
import type { Wording } from './wording.ts';

/** What an operation does to stored data. All but `read` take an Idempotency-Key. A `create` may mint a workspace. */
export type Effect = 'read' | 'create' | 'update' | 'delete';

/** The methods of operations, each with its default effect. */
export const methods = { GET: 'read', POST: 'create', PATCH: 'update', DELETE: 'delete' } as const;

/** Maximum bytes of a request line with headers, of a body by default, and of any body. */
export const largestHead = 16_384;
export const usualBody = 65_536;
export const largestBody = 1_048_576;

/** Whether the arguments of this HTTP method are in its body. Otherwise they are in its query. */
export const hasBody = (method: string) => !['GET', 'DELETE', 'HEAD', 'OPTIONS'].includes(method);

export type ObjectSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

export interface OpenedWorkspace {
  id: string;
  /** The SHA-256 of its id. A store finds it by this. */
  hash: string;
  /** The key under which its records are stored. */
  key: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  revision: number;
  /**
   * Known only to the holder, or to a host on the holder's behalf. The secrets that a replay repeats derive from it.
   */
  secret: string;
}

export interface OperationContext<S extends KernelService = KernelService> {
  service: S;
  call: Call;
  operation: Operation;
  /** The arguments as they were sent, unknown ones too. */
  args: Readonly<Record<string, unknown>>;
  /** The `{id}` of the path as it was sent: an id, or `#` and a ref. */
  sentId?: string | undefined;
  workspace: OpenedWorkspace | undefined;
  options: RequestOptions;
  warnings: Warning[];
}

/** What the `run` of a row returns. */
type OperationWork = OperationReply | Promise<OperationReply> | Steps<OperationReply>;

/** Runs steps of a call. See `StepRunner`. */
export const runSteps = <T>(
  { service, call, operation }: Pick<OperationContext, 'service' | 'call' | 'operation'>,
  work: Steps<T>,
): T | Promise<Awaited<T>> =>
  service.platform.runSteps(work, { client: call.client, operation: operation.operationId });

/** Runs the rest of a call, if `run` of its row returned steps. */
export const finishWork = (context: OperationContext, work: OperationWork) =>
  isSteps(work) ? runSteps(context, work) : work;

/** The reply of an operation, before it is turned into bytes. */
export interface OperationReply {
  status: number;
  /** An envelope or a document, plain or as `Json`. A string is sent as it is. */
  body: object | string;
  /** The message of its body, if protocols word it differently. */
  message?: Wording;
  /** The same body in pieces, if it was made so (see `Reply`). */
  pieces?: readonly Piece[] | undefined;
  headers?: Record<string, string>;
  /** true if the body has the warnings of the call already. */
  hasWarnings?: true;
  /** Media type; `application/json` by default. */
  type?: string;
  /** Set if another operation ran than the one that was called. */
  logFields?: LogFields;
  /** The workspace that a waiting read was made from, if it is not the workspace of the call. */
  watched?: Pick<OpenedWorkspace, 'key' | 'expiresAt'>;
}

export interface ReplySpec {
  description: string;
  /** Absent if the reply has no body. */
  schema?: v.GenericSchema;
  type?: string;
  headers?: readonly string[] | undefined;
  /** A body that the service would really send. */
  example?(service: KernelService): unknown;
}

/**
 * Who may cache a reply. `public`: it depends only on the address. `brief`: the same, but a change shows within
 * minutes. `record`: it depends on X-Workspace too. `never`: it is made for one caller.
 */
export type CacheRule = 'public' | 'brief' | 'record' | 'never';

/** A secret that gives its holder access. */
export interface Capability {
  /** The request header. */
  header: string;
  /** The argument over MCP. */
  argument: string;
  hint: string;
  /** The prefix of each secret. */
  prefix: string;
  shape: RegExp;
  /** The refusal if the secret is missing or was never issued. */
  unknown: RefusalKind;
}

type RawArgs = Readonly<Record<string, unknown>>;

/** The members of ToolAnnotations (MCP) that depend on the operation. */
export interface ToolHints {
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
}

/** The tool that an operation is over MCP, as a model sees it. */
export interface ToolSpec {
  /** When a model should call it. */
  description: string;
  /** Whether it is in the short list of tools too. */
  isCore?: boolean;
  /** What a model may assume of it, if that does not follow from its effect. */
  hints?: ToolHints;
  /** The input that a model is shown, if that is less than `input` of the row. */
  input?: ObjectSchema;
  /** Arguments that it reads but does not show a model, because the list of tools has a size limit. */
  unlisted?: readonly string[];
}

/** What only the contract and other documents say of an operation. */
export interface Contract {
  tag: string;
  summary: string;
  description: string;
  /** What `{id}` in the path is. */
  idText?: string;
  /** Request headers of its own, each with a description. */
  headers?: Readonly<Record<string, string>>;
  /** Arguments that succeed: `id`, the query of a GET, the body of a POST. */
  sample?: RawArgs;
  /** The replies that do not follow from the rest of the row (see `collectReplies` in documents). */
  replies: Record<number, ReplySpec>;
  /** false if the 200 is a document in a format of others, without a `type` of ours. */
  enveloped?: boolean;
}

/** How long an answer stays true, and who may cache it. */
export interface Caching {
  rule: CacheRule;
  /** The concrete paths whose plain anonymous GET never changes. The build freezes them. */
  frozen?(service: KernelService): string[];
  /** true if it is replayed when a server starts, because it has absolute addresses, a date or a setting. */
  atStart?: boolean;
  /** true if a query changes nothing. The answer has no place for a warning. */
  ignoresQuery?: boolean;
  /** Whether a read of `id` can wait until its answer changes. */
  canWait?(service: KernelService, id: string | undefined): boolean;
}

/** Who may call an operation, and which services and workspaces it needs. */
export interface Access {
  /** Whether X-Workspace, or the argument `workspace`, is read. */
  workspace: boolean | 'required';
  /** Runs before a missing required workspace is refused. Throws a Refusal of its own. */
  withoutWorkspace?(service: KernelService, id: string | undefined): void;
  /** true if each call makes a workspace of its own. */
  mints?: true;
  /** A secret that gives access in addition to a workspace, or without one. */
  capability?: Capability;
  /** Whether it works in this service, if that takes more than a live service. */
  isLive?(service: KernelService): boolean;
  /** true for what supervisors call all the time. It is not limited, and is logged only if every call is. */
  probe?: true;
}

/**
 * One row of the table: everything about one operation.
 *
 * A row may take more of the service than `KernelService`: it names the interface of its room, such as `RecordService`.
 * `Service` in src/service.ts extends all of these, so each row gets what it names.
 */
export interface Operation {
  operationId: string;
  method: keyof typeof methods;
  /** A path with at most one parameter, `{id}`, which is a whole segment. A file may have a suffix: `{id}.md`. */
  path: string;
  /** Another address of the same operation. No document names it. */
  alias?: string;
  /** By default that of its method. */
  effect: Effect;
  /** false keeps a row out of the contract, the rate card and the tools, for discovery that others define. */
  listed: boolean;

  /** Its query, or its body if its method has one. With `id` and `workspace`, it is the arguments of the tool. */
  input: ObjectSchema;
  /** Returns the schema of these arguments, if that depends on them and on what the workspace holds. */
  chooseInput?(
    args: RawArgs,
    service: KernelService,
    workspace: OpenedWorkspace | undefined,
  ): ObjectSchema | undefined;
  /** true if the operation reads and checks the body itself. `input` then only documents it. */
  rawBody?: boolean;
  /** Another form of its body than JSON, if it reads one. */
  otherBody?: OtherBody;
  /** Maximum bytes of its body, if not `usualBody`. */
  bodyLimit?: number;
  /** About how many bytes its answer has at most, if that can be much more than `usualBody`. */
  boundAnswer?(context: OperationContext): number;
  /**
   * true if one call can bring many records. It then counts as one call for each ten records or 64 KiB begun, and its
   * arguments are parsed in steps.
   */
  isBulk?: true;
  /** How many records the arguments of a bulk operation hold. Absent if `run` finds out, and weighs them itself. */
  countRecords?(args: RawArgs): number;
  /** Names that are accepted and ignored, without a warning. */
  unread?: readonly string[];
  /** true if it refuses an If-Match that is not the ETag of what it changes (RFC 9110 section 13.1.1). */
  readsIfMatch?: true;
  /** true if `return=minimal` shortens the reply (RFC 7240 section 4.2). */
  hasMinimal?: true;
  /** Returns the reply to an earlier request with the same key, if that one deleted the workspace. */
  findReplay?(context: OperationContext): Promise<OperationReply | undefined>;
  /** Returns the id that `{id}` names in a workspace, if the path takes other names than ids. */
  findId?(named: string, workspace: OpenedWorkspace, service: KernelService): string;
  /** Returns what is wrong with the arguments that no schema can express. */
  check?(
    args: RawArgs,
    service: KernelService,
    call: Call,
    workspace: OpenedWorkspace | undefined,
  ): WordedIssue[] | Promise<WordedIssue[]> | Steps<WordedIssue[]>;

  contract: Contract;
  tool?: ToolSpec;
  caching: Caching;
  access: Access;

  /** Runs the operation. What goes through many things is a generator, so that others are served in between. */
  run(args: RawArgs, context: OperationContext): OperationWork;
  /** The reply to a refused call, if the row has a form of its own for it. */
  refused?: (refusal: Refusal) => OperationReply | undefined;
  /** Writes the representation at `.md`. */
  markdown?(service: KernelService, id: string | undefined): string | Promise<string | undefined>;
  /** true if the pages have an HTML representation at `.html`. */
  page?: boolean;
}

/** The half of a row that runs. The other half, which is words, is in `contract.ts` of the same folder. */
export type OperationRow = Omit<Operation, 'contract' | 'tool'>;

/** Whether the reply without a workspace depends only on the request, while a process lives. */
export const isSteady = ({ effect, caching: { rule } }: Operation) =>
  effect === 'read' && (rule === 'public' || rule === 'record');

/** Whether a path has the parameter `{id}`. */
export const hasId = ({ path }: Pick<Operation, 'path'>) => path.includes('{id}');

// biome-ignore lint/complexity/noBannedTypes: the entries of an object without members
type NoInput = v.ObjectSchema<{}, undefined>;

/** What a row may leave out; see `defineOperation`. */
type Defaulted = 'effect' | 'listed' | 'input' | 'caching' | 'access';

/**
 * Defines an operation whose `run` is typed by its input schema, with `id` if the path has one. By default it is
 * listed, needs no workspace and is not cached.
 */
export function defineOperation<S extends ObjectSchema = NoInput>(
  row: Omit<OperationRow, 'run' | Defaulted> &
    Partial<Pick<OperationRow, 'effect' | 'listed'>> & {
      input?: S;
      caching?: Partial<Caching>;
      access?: Partial<Access>;
      run(args: v.InferOutput<S> & { id: string }, context: OperationContext): OperationWork;
    },
): OperationRow {
  return {
    effect: methods[row.method],
    listed: true,
    input: v.object({}),
    ...row,
    caching: { rule: 'never', ...row.caching },
    access: { workspace: false, ...row.access },
  } as OperationRow;
}
