import * as v from 'valibot';
import { type Issue, toOkSchema } from '../kernel/envelope.ts';
import { toTold } from '../kernel/input.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import type { Service } from '../kernel/service.ts';
import { toDuration } from '../kernel/text.ts';
import type { Fact, Kind } from './kind.ts';
import { toKindOf } from './kinds.ts';
import type { StoredRecord } from './store.ts';
import { type Around, isKnownIn, toNewRow, toReferences } from './view.ts';
import { mintWorkspaceId } from './workspace.ts';

/** Until when a created record is kept. */
export const Retention = v.pipe(
  v.object({
    policy: v.literal('ephemeral'),
    expiresAt: v.pipe(v.string(), v.isoTimestamp(), v.description('RFC 3339 time in UTC.')),
    seconds: v.pipe(v.number(), v.description('Seconds from the last write to expiry.')),
    statement: v.string(),
  }),
  v.title('Retention'),
  v.description('Retention disclosure: how long the sandbox keeps the record.'),
);

/** The envelope of a created record: where it lives and until when. */
export function toCreatedSchema<T extends v.GenericSchema>(member: string, record: T) {
  return toOkSchema({
    [member]: record,
    workspace: v.pipe(
      v.string(),
      v.description('Send it as X-Workspace (HTTP) or `workspace` (MCP) to read and add here.'),
    ),
    retention: Retention,
  });
}

/** The 201 of a create. */
interface Created extends Outcome {
  body: { type: 'OK'; workspace: string; [member: string]: unknown };
  headers: { Location: string; 'X-Workspace': string };
}

/** A warning for each reference that resolves to nothing. */
function toReferenceWarnings(kind: Kind, fact: Fact, around: Around): Issue[] {
  return toReferences(kind.name, fact)
    .filter(({ kind: of, id }) => !isKnownIn(around, of, id))
    .map(({ member, kind: of }) => ({
      path: member,
      message: `resolves to nothing in view, so its link is null; send the X-Workspace (over MCP the argument workspace) of the ${toKindOf(of).noun}, or an id from ${toKindOf(of).path}`,
    }));
}

function toStatement(seconds: number): string {
  return `Kept in an ephemeral sandbox workspace for ${toDuration(seconds)} after its last write, then forgotten. The workspace id is all it takes to read it: keep it to yourself, and send no personal data.`;
}

function toBody({ name }: Kind, row: object, workspace: string, expiresAt: number, seconds: number) {
  return {
    type: 'OK' as const,
    [name]: row,
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
export function toCreated(
  kind: Kind,
  fact: Fact,
  { id, now, expiresAt, before }: Made,
  context: Context,
): Created {
  const { service } = context;
  const around = { seed: service.seed, before, now };
  const row = toNewRow(kind, fact, around);
  const warnings = [...context.warnings, ...toReferenceWarnings(kind, fact, around)];
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
  const fact = { id: `${kind.prefix}0000000000000000`, ...sample } as Fact;
  const expiresAt = now + settings.retentionSeconds * 1000;
  const row = toNewRow(kind, fact, { seed, before: [], now });
  const workspace = mintWorkspaceId({
    platform: { now: () => now, randomBytes: (size) => new Uint8Array(size) },
  });
  return toBody(kind, row, workspace, expiresAt, settings.retentionSeconds);
}

/** What is kept of a 201 under an Idempotency-Key: all but the workspace id, which no store may hold. */
interface Kept {
  /** There where the id is derived from it and the key; absent where the caller has the id. */
  salt?: string;
  location: string;
  body: Created['body'];
}

/** The text that `fromKept` makes the same reply of. */
export function toKept({ body, headers }: Created, salt: string | undefined): string {
  const kept: Kept = { salt, location: headers.Location, body: { ...body, workspace: '' } };
  return JSON.stringify(kept);
}

/**
 * The same status and body, byte for byte, marked with `Idempotency-Replayed: true`. `toId` gives the
 * workspace id, from the salt where there is one.
 */
export async function fromKept(
  text: string,
  toId: (salt: string | undefined) => string | Promise<string>,
): Promise<Outcome> {
  const { salt, location, body } = JSON.parse(text) as Kept;
  const id = await toId(salt);
  return {
    status: 201,
    headers: { Location: location, 'X-Workspace': id, 'Idempotency-Replayed': 'true' },
    body: { ...body, workspace: id },
  };
}
