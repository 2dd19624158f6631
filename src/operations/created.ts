import { toDuration } from '../core/duration.ts';
import { toTold } from '../core/issues.ts';
import type { Context, Outcome } from '../core/operation.ts';
import type { Service } from '../core/service.ts';
import { toNewRecord } from '../core/view.ts';
import { mintWorkspaceId } from '../core/workspace.ts';
import { type FactOf, type Kind, type RecordOf, recordKinds, type StoredRecord } from '../model/record.ts';

/** The 201 of a create. */
export interface Created extends Outcome {
  body: { type: 'OK'; workspace: string; [member: string]: unknown };
  headers: { Location: string; 'X-Workspace': string };
}

/** Adds a warning for each reference of a placement that resolves to nothing. */
function warnOfReferences(row: RecordOf[Kind], { warnings }: Context): void {
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

function toBody(kind: Kind, row: object, workspace: string, expiresAt: number, seconds: number) {
  return {
    type: 'OK' as const,
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

/** Where and when a record was made. */
interface Made {
  /** Of its workspace. */
  id: string;
  /** In milliseconds since the epoch. */
  now: number;
  expiresAt: number;
  /** The records of its workspace that it refers to. */
  before: readonly StoredRecord[];
}

/**
 * The reply to a create of `fact` in the workspace `id`, with its retention disclosure and every warning
 * that the context has by then.
 */
export function toCreated<K extends Kind>(
  kind: K,
  fact: FactOf[K],
  { id, now, expiresAt, before }: Made,
  context: Context,
): Created {
  const { service, warnings } = context;
  const row = toNewRecord(kind, fact, { seed: service.seed, before, now });
  warnOfReferences(row, context);
  const body = toBody(kind, row, id, expiresAt, service.settings.retentionSeconds);
  return {
    status: 201,
    headers: { Location: row.links.self, 'X-Workspace': id },
    body: { ...body, ...(warnings.length > 0 && { warnings: toTold(warnings) }) },
  };
}

/** What a create of `sample` would answer, with ids and times that stand for the real ones. */
export function toCreatedExample(kind: Kind, sample: object, { seed, catalogue, settings }: Service): object {
  const now = Date.parse(`${catalogue.seed.asOf}T00:00:00Z`);
  const fact = { id: `${recordKinds[kind].prefix}0000000000000000`, ...sample } as FactOf[typeof kind];
  const expiresAt = now + settings.retentionSeconds * 1000;
  const row = toNewRecord(kind, fact, { seed, before: [], now });
  const workspace = mintWorkspaceId({
    platform: { now: () => now, randomBytes: (size) => new Uint8Array(size) },
  });
  return toBody(kind, row, workspace, expiresAt, settings.retentionSeconds);
}
