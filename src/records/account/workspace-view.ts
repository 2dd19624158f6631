import * as v from 'valibot';
import { largestBody, usualBody } from '../../kernel/operation.ts';
import type { Settings } from '../../kernel/service.ts';
import { Href, may, NonNegativeInteger, named, say, Time, toIsoTime, upTo } from '../../kernel/text.ts';
import type { Head } from '../../workspace/head.ts';
import type { Kind } from '../kind/kind.ts';
import { byCollection } from '../kind/kind-list.ts';
import type { RecordService } from '../service.ts';
import { presentUsage, Usage } from './usage.ts';
import {
  bytesPerRecord,
  computeCeilings,
  findClaimStatus,
  findRung,
  mostLogged,
  type OpenedBy,
  readWorkspaceState,
  rungs,
} from './workspace-state.ts';

export const mostRecords = 200;

const Ceilings = v.object({
  records: say(NonNegativeInteger, 'Records that it may hold.'),
  bytes: say(NonNegativeInteger, 'Bytes of JSON that they and kept replies may take.'),
  batch: say(NonNegativeInteger, 'Records of a batch.'),
  body: say(NonNegativeInteger, 'Bytes of a body.'),
  batchBody: say(NonNegativeInteger, 'Bytes of the body of a batch.'),
  rates: may(
    v.object({
      live: say(NonNegativeInteger, 'Live answers a minute.'),
      mint: say(NonNegativeInteger, 'New workspaces a minute.'),
    }),
    'Live answers, and new workspaces, a minute for one address; absent where not limited.',
  ),
});

/** Presents every limit of a workspace for this many records. */
export function presentCeilings(records: number, { rates }: Pick<Settings, 'rates'>) {
  return {
    records,
    bytes: records * bytesPerRecord,
    batch: mostRecords,
    body: usualBody,
    batchBody: largestBody,
    ...(rates && { rates }),
  };
}

/* @__NO_SIDE_EFFECTS__ */
export const createCountsSchema = (kinds: readonly Kind[]) =>
  v.object(byCollection(kinds, ({ plural }) => say(NonNegativeInteger, `How many ${plural}.`)));

const Logged = v.object({
  at: Time,
  operation: say(v.string(), 'Its operationId.'),
  by: say(
    v.picklist(['id', 'owner', 'party']),
    'Who did it: a holder of the id, the owner, or a party with a token.',
  ),
});

/* @__NO_SIDE_EFFECTS__ */
export const createWorkspaceSchema = (kinds: readonly Kind[]) =>
  named(
    v.object({
      createdAt: Time,
      expiresAt: Time,
      revision: say(NonNegativeInteger, 'One more with each change of what it holds.'),
      rung: say(v.picklist(rungs), 'Its rung of the ladder.'),
      records: say(createCountsSchema(kinds), 'How many it holds, by kind.'),
      ceilings: say(Ceilings, 'The most it may hold.'),
      usage: Usage,
      claim: say(v.picklist(['none', 'pending', 'claimed']), 'Whether a person holds it.'),
      links: say(v.record(v.string(), Href), 'Related addresses.'),
      log: v.optional(upTo(mostLogged, Logged, 'For its owner: the last changes since it was claimed.')),
    }),
    'Workspace',
    'What a sandbox workspace contains, and when it expires. Never its id.',
  );

/** Presents a workspace. Only its owner gets the log. */
export function presentWorkspace(head: Head, service: RecordService, by: OpenedBy = 'id') {
  const { createdAt, expiresAt, revision, counts, state } = head;
  const { kinds, settings, platform } = service;
  const now = platform.now();
  const workspaceState = readWorkspaceState(state);
  const { log = [] } = workspaceState;
  return {
    createdAt: toIsoTime(createdAt),
    expiresAt: toIsoTime(expiresAt),
    revision,
    rung: findRung(workspaceState),
    records: byCollection(kinds, ({ name }) => counts[name] ?? 0),
    ceilings: presentCeilings(computeCeilings(workspaceState, settings).records, settings),
    usage: presentUsage(service, head, now),
    claim: findClaimStatus(workspaceState, now),
    links: {
      self: '/workspace',
      export: '/workspace/export',
      ...byCollection(kinds, ({ path }) => path),
    },
    ...(by === 'owner' && {
      log: log.map(([at, operation, holder]) => ({ at: toIsoTime(at), operation, by: holder })).reverse(),
    }),
  };
}

/** Presents a new workspace with one record of the first kind. */
export function createWorkspaceExample(service: RecordService) {
  const { catalogue, kinds, settings, platform } = service;
  const createdAt = Date.parse(`${catalogue.seed.asOf}T00:00:00Z`);
  const head: Head = {
    key: '',
    hash: '',
    version: '',
    lastSeq: 1,
    createdAt,
    expiresAt: createdAt + settings.retentionSeconds * 1000,
    revision: 1,
    bytes: 0,
    counts: { [kinds[0]!.name]: 1 },
    state: {},
    used: { period: '', calls: {} },
  };
  return presentWorkspace(head, { ...service, platform: { ...platform, now: () => createdAt } });
}
