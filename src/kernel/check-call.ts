import { readActor } from './actor.ts';
import type { WordedIssue } from './envelope.ts';
import { type RawArgs, type ReadArgs, refuseIssues, warnUnknown } from './input.ts';
import { type OperationContext, runSteps } from './operation.ts';
import type { OpenedCall, OperationRequest } from './operation-request.ts';
import { checkInSteps, type Parsed, parseAtOnce } from './parse-in-steps.ts';
import { Refusal } from './refusal.ts';
import { isSteps, type Steps, wait } from './steps.ts';
import { warnOrRefuse } from './warnings.ts';
import { weighRecords } from './weight.ts';
import { compose } from './wording.ts';

/** Refuses a malformed capability like an unknown one. */
function checkCapability({ operation, options }: OperationRequest): void {
  const { access, tool } = operation;
  const { capability } = access;
  if (!capability || capability.shape.test(options.capability ?? '')) return;
  if (options.capability) throw new Refusal(capability.unknown);
  const { header, argument, hint, unknown } = capability;
  const name = `the header ${header}`;
  const either = { http: `${name} (over MCP the argument ${argument})`, argument };
  throw new Refusal(unknown, { reason: compose`This needs ${tool ? either : name}. ${hint}` });
}

/** A call whose arguments are checked. */
export interface CheckedCall {
  context: OperationContext;
  input: Readonly<Record<string, unknown>>;
}

/** Checks the capability, the scope and the arguments of a call, in this order. Throws a Refusal. */
export async function checkCall(
  request: OperationRequest,
  { workspace, id }: OpenedCall,
): Promise<CheckedCall> {
  const { service, operation, call, options, id: sentId } = request;
  checkCapability(request);
  const { args, issues, warnings: ignored = [] } = request.read();
  const isScoped = 'scope' in operation.input.entries;
  if (isScoped && ['admin', 'internal'].includes(args.scope as string)) throw new Refusal('forbidden_scope');
  const { actor, issues: ofActor } = operation.effect === 'read' ? { issues: [] } : readActor(options);
  const context = {
    service,
    call,
    operation,
    args,
    sentId,
    workspace,
    options: actor === options.actor ? options : { ...options, actor },
    warnings: [],
  };
  if (operation.rawBody) return { context, input: {} };
  if (operation.isBulk) await weighRecords(call, operation.countRecords?.(args) ?? 0);
  const sent = { args, issues: [...issues, ...ofActor], warnings: ignored };
  const checked = isShort(request) ? checkByRow(context) : undefined;
  const output = Array.isArray(checked)
    ? refuseWrong(context, sent, { found: checked, parsed: parseAtOnce(operation.input, args) })
    : await runSteps(context, checkArguments(context, sent, checked));
  return { context, input: id === undefined ? output : { ...output, id } };
}

/** A call of at most this many bytes is checked in microseconds, so it does not wait for its turn. */
const mostCheckedAtOnce = 256;

const isShort = ({ operation, call: { query, body } }: OperationRequest) =>
  !operation.isBulk && query.length + body.length <= mostCheckedAtOnce;

/** Returns what is wrong with the arguments that no schema can express. */
const checkByRow = ({ service, operation, args, call, workspace }: OperationContext) =>
  operation.check?.(args, service, call, workspace) ?? [];

/**
 * Checks arguments by the check and the schema of their row, and returns them parsed. It is done in the turn of the client,
 * because many calls of one client in the same turn of the event loop would take long together. Throws a Refusal.
 */
function* checkArguments(
  context: OperationContext,
  sent: ReadArgs,
  checked = checkByRow(context),
): Steps<RawArgs> {
  const { operation, service, workspace } = context;
  const { isBulk } = operation;
  const input = operation.chooseInput?.(context.args, service, workspace) ?? operation.input;
  if (isBulk) return refuseWrong(context, sent, yield* checkInSteps(input, sent.args, checked));
  const found = isSteps(checked) ? yield* checked : yield* wait(checked);
  return refuseWrong(context, sent, { found, parsed: parseAtOnce(input, sent.args) });
}

/** Returns the parsed arguments. Throws a Refusal if anything is wrong with them. */
function refuseWrong(
  context: OperationContext,
  { args, issues, warnings = [] }: ReadArgs,
  { found, parsed }: { found: readonly WordedIssue[]; parsed: Parsed },
): RawArgs {
  const { service, operation } = context;
  const misses = service.catalogue.nearMisses;
  refuseIssues(operation, args, { earlier: [...issues, ...found], found: parsed.issues }, misses);
  warnOrRefuse(context, [...warnings, ...warnUnknown(args, operation, misses)]);
  return parsed.output;
}
