import * as v from 'valibot';
import { may, NonNegativeInteger, named, say, Time } from '../kernel/text.ts';
import { idShape } from './workspace.ts';

export const Retention = named(
  v.object({
    policy: say(
      v.picklist(['ephemeral', 'claimed']),
      'Ephemeral, or claimed where a person keeps the workspace.',
    ),
    expiresAt: Time,
    seconds: say(NonNegativeInteger, 'Seconds from the last write to expiry.'),
    statement: say(v.string(), 'What is kept, and for how long.'),
  }),
  'Retention',
  'Retention disclosure: until when the workspace, an ephemeral sandbox or claimed by a person, is kept; each write extends that. Anyone with the workspace id can read it: keep it to yourself.',
);

export const keptFor = 'Kept until retention in the result.';

/** Members of a 201 beside the created record: its workspace, and how long that is kept. */
export const createdEntries = {
  workspace: named(
    v.pipe(v.string(), v.regex(idShape)),
    'WorkspaceId',
    'Send it as X-Workspace (HTTP) or `workspace` (MCP) to read, add and change here.',
  ),
  retention: Retention,
};

/** A member of a 201 that says what the service decided because the caller did not. */
export const defaultsEntry = {
  statement: may(v.string(), 'What was decided for you because the body does not say it, and how to say it.'),
};
