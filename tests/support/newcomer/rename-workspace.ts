import * as v from 'valibot';
import { blocked, type Contracts } from '../../../src/kernel/contract.ts';
import { okSchema } from '../../../src/kernel/envelope.ts';
import { defineOperation } from '../../../src/kernel/operation.ts';
import { textSchema } from '../../../src/kernel/text.ts';

/** An operation with PATCH, which the service does not have, as a newcomer would write it in `operations.ts`. */
export const renameWorkspace = defineOperation({
  operationId: 'renameWorkspace',
  method: 'PATCH',
  path: '/workspace-name/{id}',
  input: v.object({ name: textSchema(50, 'Name', 'The new name.') }),
  access: { workspace: true },
  run: ({ id, name }, { workspace }) => ({
    status: 200,
    body: { type: 'OK', name, of: workspace ? 'a workspace' : id },
  }),
});

/** Its words, as a newcomer would write them in `contract.ts` of the same folder. */
export const renameContracts: Contracts = {
  renameWorkspace: {
    tag: 'commerce',
    summary: 'Rename a workspace',
    description: 'Says back what it was sent.',
    idText: 'Any word.',
    sample: { id: 'one', name: 'First' },
    replies: {
      200: { description: 'Renamed.', schema: okSchema({ name: v.string(), of: v.string() }) },
      400: blocked('invalid_request', 'Not valid.'),
      401: blocked('unknown_workspace', 'No such workspace.'),
    },
    tool: { description: 'Rename a workspace.' },
  },
};
