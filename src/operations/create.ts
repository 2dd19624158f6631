import { toDuration } from '../core/duration.ts';
import { toNearest } from '../core/nearest.ts';
import type { Context, Outcome } from '../core/operation.ts';
import { Refusal } from '../core/refusal.ts';
import type { Service } from '../core/service.ts';
import { toWorkspaceView, type View } from '../core/view.ts';
import { mintRecordId, mintWorkspaceId } from '../core/workspace.ts';
import type { Issue } from '../model/envelope.ts';
import { type Kind, recordKinds, type StoredRecord } from '../model/record.ts';

type Fact = StoredRecord['fact'];

/** An issue where the code is none of O*NET-SOC 2019, naming the nearest that are. */
export function checkCode(args: Readonly<Record<string, unknown>>, service: Service): Issue[] {
  const { onetCode } = args;
  if (typeof onetCode !== 'string' || service.occupationByCode.has(onetCode)) return [];
  const codes = service.catalogue.occupations.map(({ id }) => id);
  const near = toNearest(onetCode, codes).join(', ');
  const message = `is not an O*NET-SOC 2019 code; the nearest are ${near}. Find one by job title at /occupations?q=`;
  return [{ path: 'onetCode', message }];
}

/** Adds a warning for each reference of a placement that resolves to nothing. */
function warnOfReferences(row: View[Kind][number]['row'], { warnings }: Context): void {
  if (!('candidateId' in row)) return;
  for (const [path, link] of [
    ['candidateId', row.links.candidate],
    ['jobOrderId', row.links.jobOrder],
  ] as const) {
    if (link === null) warnings.push({ path, message: 'resolves to nothing in view; its link is null' });
  }
}

function toStatement(seconds: number): string {
  return `Kept in an ephemeral sandbox workspace for ${toDuration(seconds)} after its last write, then forgotten. The workspace id is all it takes to read it: keep it to yourself, and send no personal data.`;
}

/**
 * Creates one record: in the caller's workspace, or in a fresh one. Nothing is minted for a create that
 * is refused, and the reply is made only once the store has the record for good.
 */
export async function create(kind: Kind, input: object, context: Context): Promise<Outcome> {
  const { service, workspace } = context;
  const { platform, settings, store } = service;
  const fact = { id: mintRecordId(service, recordKinds[kind].prefix), ...input } as Fact;
  const id = workspace?.id ?? mintWorkspaceId(service);
  const hash = workspace?.hash ?? (await platform.sha256(id));
  const now = platform.now();
  const expiresAt = now + settings.retentionSeconds * 1000;
  const added = await store.add({
    workspace: hash,
    mint: !workspace,
    record: { kind, fact },
    ceiling: settings.recordCeiling,
    now,
    expiresAt,
  });
  if (added === 'unknown') throw new Refusal('unknown_workspace');
  if (added === 'full') return { status: 402, body: service.catalogue.offers.recordCeiling };
  const records = [...(workspace?.records ?? []), { kind, fact, seq: Number.MAX_SAFE_INTEGER }];
  const view = toWorkspaceView(service.seed, { records, expiresAt }, now);
  const row = view[kind].find((entry) => entry.row.id === fact.id)!.row;
  warnOfReferences(row, context);
  return {
    status: 201,
    headers: { Location: row.links.self, 'X-Workspace': id },
    body: toCreated(kind, row, id, expiresAt, settings.retentionSeconds),
  };
}

/** The envelope of a created record, with its retention disclosure. */
function toCreated(kind: Kind, row: object, workspace: string, expiresAt: number, seconds: number): object {
  return {
    type: 'OK',
    [kind]: row,
    workspace,
    retention: {
      policy: 'ephemeral',
      expiresAt: new Date(expiresAt).toISOString(),
      seconds,
      statement: toStatement(seconds),
    },
  };
}

/** What a create of `sample` would answer, with ids and times that stand for the real ones. */
export function toCreatedExample(kind: Kind, sample: object, { seed, catalogue, settings }: Service): object {
  const now = Date.parse(`${catalogue.seed.asOf}T00:00:00Z`);
  const fact = { id: `${recordKinds[kind].prefix}0000000000000000`, ...sample } as Fact;
  const expiresAt = now + settings.retentionSeconds * 1000;
  const view = toWorkspaceView(seed, { records: [{ kind, fact, seq: 1 }], expiresAt }, now);
  const workspace = `ws_${'0'.repeat(32)}`;
  return toCreated(kind, view[kind][0]!.row, workspace, expiresAt, settings.retentionSeconds);
}
