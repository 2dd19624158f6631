import * as v from 'valibot';
import { hasId, type Operation } from '../kernel/operation.ts';
import { may, say } from '../kernel/text.ts';

const textArgument = (words: string) => say(v.string('must be a string'), words);
const optionalTextArgument = (words: string) => v.optional(textArgument(words));
const seconds = 'must be a whole number from 1 to 25';

// HTTP has these in headers.
const strict = v.boolean('must be true or false');
const idempotencyKey = v.string('must be a string');
const minimal = v.boolean('must be true or false');
const createArguments = {
  strict: may(strict, 'Refuse what would warn.'),
  idempotencyKey: may(idempotencyKey, 'A UUID: safe to repeat.'),
};
const otherWriteArguments = { strict: v.optional(strict), idempotencyKey: v.optional(idempotencyKey) };

/** Arguments that every write reads. Only creates list them, to keep the list of tools small. */
const listedByCreates = ['strict', 'idempotencyKey', 'minimal'];

/** Whether a tool lists an argument that is no member of its input. Some replies have no shorter form. */
export function isListed(argument: string, { effect, hasMinimal }: Operation): boolean {
  if (!listedByCreates.includes(argument)) return true;
  return effect === 'create' && (argument !== 'minimal' || hasMinimal === true);
}

const revision = may(v.number('must be a number'), 'Refuse at another revision.');
const tag = optionalTextArgument('Of your last reply.');
const waitSeconds = may(
  v.pipe(
    v.number(seconds),
    v.check((count) => Number.isInteger(count) && count >= 1 && count <= 25, seconds),
  ),
  'With tag: wait up to 25 for a change.',
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

/** Returns the arguments of a tool besides its input: those that HTTP has in the path and in headers. */
export function listTransportArguments(operation: Operation): v.ObjectEntries {
  const { effect, method, contract } = operation;
  const { workspace, capability } = operation.access;
  return {
    ...(hasId(operation) && { id: textArgument(contract.idText ?? '') }),
    ...(workspace && { workspace: workspaceArgument(operation) }),
    ...(capability && { [capability.argument]: textArgument(capability.hint) }),
    ...(effect === 'create' && createArguments),
    ...((effect === 'update' || effect === 'delete') && otherWriteArguments),
    ...(effect !== 'read' && {
      minimal: effect === 'create' ? may(minimal, 'Answer ids and statuses.') : v.optional(minimal),
    }),
    ...(method === 'PATCH' && { revision }),
    ...(canToolWait(operation) && { tag, waitSeconds }),
  };
}
