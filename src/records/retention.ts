import * as v from 'valibot';
import type { Durability } from '../kernel/service.ts';
import { formatDuration, may, NonNegativeInteger, named, say, Time, toIsoTime } from '../kernel/text.ts';
import { idShape } from './workspace.ts';
import { computeLife, readWorkspaceState } from './workspace-state.ts';
import type { WriteContext } from './write.ts';

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

/**
 * Returns a sentence, after a space, about what a crash of the store may lose. Returns an empty text if a crash
 * loses nothing.
 */
export function describeLoss(durability: Durability = 'always'): string {
  if (durability === 'always') return '';
  return ` A crash of its store may lose ${durability === 'second' ? 'the last second' : 'it'}.`;
}

/** Presents the members of `createdEntries`. The workspace id is filled in when the reply is sent. */
export function presentCreated({ now, head, service: { settings } }: Omit<WriteContext, 'view'>) {
  const state = readWorkspaceState(head?.state);
  const life = computeLife(state, settings);
  const retention: v.InferOutput<typeof Retention> = {
    policy: state.owner ? 'claimed' : 'ephemeral',
    // The store keeps the later time if its clock was set back.
    expiresAt: toIsoTime(Math.max(now + life, head?.expiresAt ?? 0)),
    seconds: life / 1000,
    statement: `Forgotten ${formatDuration(life / 1000)} after the last write.${describeLoss(settings.durability)} Send no personal data.`,
  };
  return { workspace: '', retention };
}
