import * as v from 'valibot';
import { memoize } from '../kernel/cache.ts';
import { mostWaitSeconds } from '../kernel/call.ts';
import { cutExcerpt, mostPlaces, type WordedIssue } from '../kernel/envelope.ts';
import { clearName, isLikeWorkspace, listRemovable } from '../kernel/input.ts';
import {
  createNearNameSearch,
  type FindNearName,
  isMisspelled,
  type NearMisses,
} from '../kernel/near-miss.ts';
import { hasId, type ObjectSchema, type Operation } from '../kernel/operation.ts';
import { may, say } from '../kernel/text.ts';
import { compose } from '../kernel/wording.ts';

const textArgument = (words: string) => say(v.string('must be a string'), words);
const optionalTextArgument = (words: string) => v.optional(textArgument(words));
const seconds = `must be a whole number from 1 to ${mostWaitSeconds}`;

// HTTP has these in headers.
const strict = v.boolean('must be true or false');
const idempotencyKey = v.string('must be a string');
const minimal = v.boolean('must be true or false');
const createArguments = {
  strict: may(strict, 'Refuse what would warn.'),
  idempotencyKey: may(idempotencyKey, 'A UUID: safe to repeat.'),
};
const otherWriteArguments = { strict: v.optional(strict), idempotencyKey: v.optional(idempotencyKey) };

/** Arguments that every write reads, and `strict` every read. Only creates list them, to keep the list of tools small. */
const listedByCreates = ['strict', 'idempotencyKey', 'minimal'];

/** Whether a tool lists an argument that is no member of its input. Some replies have no shorter form. */
export function isListed(argument: string, operation: Operation): boolean {
  const { effect, method, hasMinimal, isBulk } = operation;
  if (argument === 'actor') return method === 'PATCH' || isBulk === true;
  if (!listedByCreates.includes(argument)) return true;
  return effect === 'create' && (argument !== 'minimal' || hasMinimal === true);
}

const actor = optionalTextArgument('Who asked, for the history.');

const revision = may(v.number('must be a number'), 'Refuse at another revision.');
const tag = optionalTextArgument('Of your last reply.');
const waitSeconds = may(
  v.pipe(
    v.number(seconds),
    v.check((count) => Number.isInteger(count) && count >= 1 && count <= mostWaitSeconds, seconds),
  ),
  `With tag: wait up to ${mostWaitSeconds} for a change.`,
);

function workspaceArgument({ effect, access: { workspace } }: Operation): v.GenericSchema {
  if (workspace === 'required')
    return effect === 'read' ? textArgument('Id from a create.') : v.string('must be a string');
  return optionalTextArgument(
    effect === 'read' ? 'Without it: the seed.' : 'Id from a create. Leave out to mint one.',
  );
}

/** Whether a tool can wait for a change. Over MCP only reads of a workspace wait. */
export const canToolWait = ({ caching, access }: Operation) =>
  caching.canWait !== undefined && access.workspace !== false;

function createTransportEntries(operation: Operation): v.ObjectEntries {
  const { effect, method, contract } = operation;
  const { workspace, capability } = operation.access;
  return {
    ...(hasId(operation) && { id: textArgument(contract.idText ?? '') }),
    ...(workspace && { workspace: workspaceArgument(operation) }),
    ...(capability && { [capability.argument]: textArgument(capability.hint) }),
    ...(effect === 'create' && createArguments),
    ...((effect === 'update' || effect === 'delete') && otherWriteArguments),
    ...(effect === 'read' && { strict: v.optional(strict) }),
    ...(effect !== 'read' && {
      minimal: effect === 'create' ? may(minimal, 'Answer ids and statuses.') : v.optional(minimal),
    }),
    ...(effect !== 'read' && { actor }),
    ...(method === 'PATCH' && { revision }),
    ...(canToolWait(operation) && { tag, waitSeconds }),
  };
}

/** The arguments of a tool. */
interface ToolArguments {
  /** Those that HTTP has in the path and in headers. All others are the input of the operation. */
  transport: ObjectSchema;
  /** The names of all arguments. */
  names: readonly string[];
}

function createToolArguments(operation: Operation): ToolArguments {
  const own = operation.input.entries;
  const transport = v.object(createTransportEntries(operation));
  const names = [...Object.keys(own), ...Object.keys(transport.entries)];
  if (listRemovable(own).length > 0) names.push(clearName);
  return { transport, names };
}

/** More than there are operations. */
const mostOperations = 1000;

/** Returns the arguments of the tool that calls an operation. */
export const getToolArguments = memoize(createToolArguments, { most: mostOperations });

/** Returns the known argument that an unknown one probably means, or undefined. */
function findIntendedArgument(
  name: string,
  known: readonly string[],
  { fillers }: NearMisses,
  findNearName: FindNearName,
): string | undefined {
  if (fillers.includes(name.toLowerCase().replaceAll(/[_-]/g, ''))) return undefined;
  if (known.includes('workspace') && isLikeWorkspace(name)) return 'workspace';
  return findNearName(name);
}

/**
 * Returns an issue for each unknown argument that is nearly a known one, so that a model that guessed a name learns it.
 *
 * Any other unknown argument only warns: the client may have added it, and the model cannot leave it out. An argument that
 * only resembles one that was sent warns too: beside `id`, a `threadId` is probably no `id`.
 */
export function checkUnknown(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  misses: NearMisses,
): WordedIssue[] {
  const { unread = [] } = operation;
  const { names } = getToolArguments(operation);
  const unknown = Object.keys(given).filter((name) => !names.includes(name) && !unread.includes(name));
  const findNearName = createNearNameSearch(names, misses);
  return unknown.slice(0, mostPlaces).flatMap((name) => {
    const meant = findIntendedArgument(name, names, misses, findNearName);
    if (meant === undefined || (Object.hasOwn(given, meant) && !isMisspelled(name, meant))) return [];
    const note = Object.hasOwn(misses.notes, meant) ? compose` (${misses.notes[meant]!})` : '';
    const message = compose`is no argument of this tool; did you mean ${meant}${note}?`;
    return [{ path: cutExcerpt(name), message }];
  });
}
