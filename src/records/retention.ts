import * as v from 'valibot';
import type { Durability } from '../kernel/service.ts';
import { Count, named, say, Time, toDuration, toTime } from '../kernel/text.ts';
import { idShape } from './workspace.ts';

export const Retention = named(
  v.object({
    policy: say(
      v.picklist(['ephemeral', 'claimed']),
      'Ephemeral, or claimed where a person keeps the workspace.',
    ),
    expiresAt: Time,
    seconds: say(Count, 'Seconds from the last write to expiry.'),
    statement: say(v.string(), 'What is kept, and for how long.'),
  }),
  'Retention',
  'Retention disclosure: until when the workspace, an ephemeral sandbox or claimed by a person, is kept; each write extends that. Anyone with the workspace id can read it: keep it to yourself.',
);

export const keptFor = 'It is kept until retention in the result says.';

/** The members of a 201 beside what was created: where it lives and until when. */
export const createdEntries = {
  workspace: named(
    v.pipe(v.string(), v.regex(idShape)),
    'WorkspaceId',
    'Send it as X-Workspace (HTTP) or `workspace` (MCP) to read, add and change here.',
  ),
  retention: Retention,
};

/** What a crash of the store may lose, as a sentence behind a space; nothing where it keeps all. */
export function toLoss(durability: Durability = 'always'): string {
  if (durability === 'always') return '';
  return ` A crash of its store may lose ${durability === 'second' ? 'the last second' : 'it'}.`;
}

/** What a 201 says of how long it is kept: until `expiresAt`, in milliseconds since the epoch, `seconds` after the last write. */
export function toRetention(
  expiresAt: number,
  seconds: number,
  isClaimed: boolean,
  durability?: Durability,
): v.InferOutput<typeof Retention> {
  return {
    policy: isClaimed ? 'claimed' : 'ephemeral',
    expiresAt: toTime(expiresAt),
    seconds,
    statement: `Forgotten ${toDuration(seconds)} after the last write.${toLoss(durability)} Send no personal data.`,
  };
}
