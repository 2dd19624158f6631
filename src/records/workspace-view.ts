import * as v from 'valibot';
import { largestBody, usualBody } from '../kernel/effect.ts';
import type { Service, Settings } from '../kernel/service.ts';
import { Count, Href, Time, toTime } from '../kernel/text.ts';
import { byCollection, kinds } from './kinds.ts';
import type { WorkspaceHead } from './store.ts';
import { toUsage, Usage } from './usage.ts';
import {
  bytesPerRecord,
  mostLogged,
  type OpenedBy,
  rungs,
  toCeilings,
  toClaimWord,
  toRung,
  toWorkspaceState,
} from './workspace-state.ts';

/** Records of a batch at most. */
export const mostRecords = 200;

/** What can refuse a call, but for the price of it. */
const Ceilings = v.object({
  records: v.pipe(Count, v.description('Records that it may hold.')),
  bytes: v.pipe(Count, v.description('Bytes of JSON that they and kept replies may take.')),
  batch: v.pipe(Count, v.description('Records of a batch.')),
  body: v.pipe(Count, v.description('Bytes of a body.')),
  batchBody: v.pipe(Count, v.description('Bytes of the body of a batch.')),
  rates: v.optional(
    v.pipe(
      v.object({
        live: v.pipe(Count, v.description('Live answers a minute.')),
        mint: v.pipe(Count, v.description('New workspaces a minute.')),
      }),
      v.description('Live answers, and new workspaces, a minute for one address; absent where not limited.'),
    ),
  ),
});

/** All that a workspace for so many records can be refused for. */
export function toCeilingsOf(records: number, { rates }: Pick<Settings, 'rates'>) {
  return {
    records,
    bytes: records * bytesPerRecord,
    batch: mostRecords,
    body: usualBody,
    batchBody: largestBody,
    ...(rates && { rates }),
  };
}

/** How many records of each kind. */
export const Counts = v.object(
  byCollection(({ plural }) => v.pipe(Count, v.description(`How many ${plural}.`))),
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
    rung: v.pipe(v.picklist(rungs), v.description('Its rung of the ladder.')),
    records: v.pipe(Counts, v.description('How many it holds, by kind.')),
    ceilings: v.pipe(Ceilings, v.description('The most it may hold.')),
    usage: Usage,
    claim: v.pipe(v.picklist(['none', 'pending', 'claimed']), v.description('Whether a person holds it.')),
    links: v.pipe(v.record(v.string(), Href), v.description('Related addresses.')),
    log: v.optional(
      v.pipe(
        v.array(Logged),
        v.maxLength(mostLogged),
        v.description('For its owner: the last changes since it was claimed.'),
      ),
    ),
  }),
  v.title('Workspace'),
  v.description('What a sandbox workspace contains, and when it expires. Never its id.'),
);

const links = {
  self: '/workspace',
  export: '/workspace/export',
  ...byCollection(({ path }) => `${path}?scope=workspace`),
};

/** A workspace as its holder reads it; what was done by whom is for its owner. */
export function toWorkspaceMember(head: WorkspaceHead, service: Service, by: OpenedBy = 'id') {
  const { createdAt, expiresAt, revision, counts, state } = head;
  const { settings, platform } = service;
  const now = platform.now();
  const own = toWorkspaceState(state);
  const { log = [] } = own;
  return {
    createdAt: toTime(createdAt),
    expiresAt: toTime(expiresAt),
    revision,
    rung: toRung(own),
    records: byCollection(({ name }) => counts[name] ?? 0),
    ceilings: toCeilingsOf(toCeilings(own, settings).records, settings),
    usage: toUsage(service, head, now),
    claim: toClaimWord(own, now),
    links,
    ...(by === 'owner' && {
      log: log.map(([at, operation, holder]) => ({ at: toTime(at), operation, by: holder })).reverse(),
    }),
  };
}

/** A fresh workspace with one record. */
export function toWorkspaceExample(service: Service): object {
  const { catalogue, settings, platform } = service;
  const createdAt = Date.parse(`${catalogue.seed.asOf}T00:00:00Z`);
  const head = {
    key: '',
    createdAt,
    expiresAt: createdAt + settings.retentionSeconds * 1000,
    revision: 1,
    bytes: 0,
    counts: { [kinds[0]!.name]: 1 },
    state: {},
    used: { period: '', calls: {} },
  };
  return toWorkspaceMember(head, { ...service, platform: { ...platform, now: () => createdAt } });
}
