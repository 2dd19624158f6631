import * as v from 'valibot';
import type { Service } from '../kernel/service.ts';
import { Href, Time, toTime } from '../kernel/text.ts';
import { Ceilings, toCeilingsOf } from './ceilings.ts';
import { kinds } from './kinds.ts';
import type { WorkspaceHead } from './store.ts';
import { toUsage, Usage } from './usage.ts';
import {
  type OpenedBy,
  rungs,
  toCeilings,
  toClaimWord,
  toRung,
  toWorkspaceState,
} from './workspace-state.ts';

export const Count = v.pipe(v.number(), v.integer());

/** How many records of each kind. */
export const Counts = v.object(
  Object.fromEntries(
    kinds.map(({ collection, plural }) => [collection, v.pipe(Count, v.description(`How many ${plural}.`))]),
  ),
);

const Logged = v.object({
  at: Time,
  operation: v.pipe(v.string(), v.description('Its operationId.')),
  by: v.pipe(
    v.picklist(['id', 'owner', 'party']),
    v.description('Who did it: a holder of the id, the owner, or a party with a token.'),
  ),
});

/** What a workspace is, without its id. */
export const Workspace = v.pipe(
  v.object({
    createdAt: Time,
    expiresAt: Time,
    revision: v.pipe(Count, v.description('One more with each change of what it holds.')),
    rung: v.pipe(v.picklist(rungs), v.description('The rung of the ladder that it stands on.')),
    records: v.pipe(Counts, v.description('How many it holds, by kind.')),
    ceilings: v.pipe(Ceilings, v.description('What it may hold at most.')),
    usage: Usage,
    claim: v.pipe(v.picklist(['none', 'pending', 'claimed']), v.description('Whether a person holds it.')),
    links: v.pipe(v.record(v.string(), Href), v.description('Related addresses.')),
    log: v.optional(
      v.pipe(v.array(Logged), v.description('For its owner: the last changes since it was claimed.')),
    ),
  }),
  v.title('Workspace'),
  v.description('What a sandbox workspace holds and until when. It never tells the id.'),
);

const links = {
  self: '/workspace',
  export: '/workspace/export',
  ...Object.fromEntries(kinds.map(({ collection, path }) => [collection, `${path}?scope=workspace`])),
};

/** A fresh workspace, as it would be told. */
export function toWorkspaceExample(service: Service): object {
  const { catalogue, settings } = service;
  const createdAt = Date.parse(`${catalogue.seed.asOf}T00:00:00Z`);
  return {
    createdAt: toTime(createdAt),
    expiresAt: toTime(createdAt + settings.retentionSeconds * 1000),
    revision: 1,
    rung: 'sandbox',
    records: Object.fromEntries(kinds.map(({ collection }, index) => [collection, index === 0 ? 1 : 0])),
    ceilings: toCeilingsOf(settings.recordCeiling, settings),
    usage: toUsage(service, undefined, createdAt),
    claim: 'none',
    links,
  };
}

/** A workspace as its holder reads it; what was done by whom is for its owner. */
export function toWorkspaceMember(head: WorkspaceHead, service: Service, by: OpenedBy = 'id') {
  const { createdAt, expiresAt, revision, counts, state } = head;
  const { settings, platform } = service;
  const now = platform.now();
  const standing = toWorkspaceState(state);
  const { log = [] } = standing;
  return {
    createdAt: toTime(createdAt),
    expiresAt: toTime(expiresAt),
    revision,
    rung: toRung(standing),
    records: Object.fromEntries(kinds.map(({ name, collection }) => [collection, counts[name] ?? 0])),
    ceilings: toCeilingsOf(toCeilings(standing, settings).records, settings),
    usage: toUsage(service, head, now),
    claim: toClaimWord(standing, now),
    links,
    ...(by === 'owner' && {
      log: log.map(([at, operation, holder]) => ({ at: toTime(at), operation, by: holder })).reverse(),
    }),
  };
}
