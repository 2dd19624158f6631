import * as v from 'valibot';
import { type Effect, effects } from '../kernel/effect.ts';
import type { Operation } from '../kernel/operation.ts';

/** What a caller who names no workspace gets. */
const without = {
  read: 'Leave out for the seed.',
  create: 'Leave out to mint one.',
  update: '',
  delete: '',
} as const satisfies Record<Effect, string>;

function toWorkspace({ effect, workspace }: Operation): v.GenericSchema {
  const said = `Id from a create. ${workspace === 'required' ? '' : without[effect]}`;
  const text = v.pipe(v.string('must be a string'), v.description(said.trim()));
  return workspace === 'required' ? text : v.optional(text);
}

/** What a tool that writes takes beside its input. */
const strict = v.optional(
  v.pipe(v.boolean('must be true or false'), v.description('Refuse what would warn.')),
);
const idempotencyKey = v.optional(
  v.pipe(v.string('must be a string'), v.description('A UUID: safe to repeat then.')),
);

const revision = v.optional(
  v.pipe(v.number('must be a number'), v.description('Refuse at another revision.')),
);

/** The arguments of a tool beside its input: what HTTP says in the path and in headers. */
export function toTransportArguments(operation: Operation): v.ObjectEntries {
  const { idText, workspace, effect, capability, method } = operation;
  return {
    ...(idText && { id: v.pipe(v.string('must be a string'), v.description(idText)) }),
    ...(workspace && { workspace: toWorkspace(operation) }),
    ...(capability && {
      [capability.argument]: v.pipe(v.string('must be a string'), v.description(capability.hint)),
    }),
    ...(effects[effect].isKeyed && { strict, idempotencyKey }),
    ...(method === 'PATCH' && { revision }),
  };
}
