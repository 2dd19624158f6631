import * as v from 'valibot';
import { may, named } from '../../kernel/text.ts';
import { workspacePattern } from '../account/workspace.ts';
import { Retention } from '../account/workspace-state.ts';

export const keptFor = 'Kept until retention in the result.';

/** Members of a 201 beside the created record: its workspace, and how long that is kept. */
export const createdEntries = {
  workspace: named(
    v.pipe(v.string(), v.regex(new RegExp(workspacePattern))),
    'WorkspaceId',
    'Send it as X-Workspace (HTTP) or `workspace` (MCP) to read, add and change here.',
  ),
  retention: Retention,
};

/** A member of a 201 that says what the service decided because the caller did not. */
export const defaultsEntry = {
  statement: may(v.string(), 'What was decided for you because the body does not say it, and how to say it.'),
};
