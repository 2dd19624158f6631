import * as v from 'valibot';
import { okSchema } from '../../src/kernel/envelope.ts';
import { blocked, defineOperation } from '../../src/kernel/operation.ts';
import { textSchema } from '../../src/kernel/text.ts';

/** An operation with PATCH, which the service does not have, in one row as a newcomer would write it. */
export const renameWorkspace = defineOperation({
  operationId: 'renameWorkspace',
  method: 'PATCH',
  effect: 'update',
  path: '/workspace-name/{id}',
  idText: 'Any word.',
  tag: 'commerce',
  summary: 'Rename a workspace',
  description: 'Says back what it was sent.',
  listed: true,
  input: v.object({ name: textSchema(50, 'Name', 'The new name.') }),
  sample: { id: 'one', name: 'First' },
  replies: {
    200: { description: 'Renamed.', schema: okSchema({ name: v.string(), of: v.string() }) },
    400: blocked('invalid_request', 'Not valid.'),
    401: blocked('unknown_workspace', 'No such workspace.'),
  },
  cache: 'never',
  workspace: true,
  tool: 'Rename a workspace.',
  run: ({ id, name }, { workspace }) => ({
    status: 200,
    body: { type: 'OK', name, of: workspace ? 'a workspace' : id },
  }),
});
