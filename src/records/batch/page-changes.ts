import type { Finding } from '../../kernel/envelope.ts';
import type { StoredRecord } from '../../workspace/record.ts';
import type { Kind } from '../kind/kind.ts';
import type { ChangeContext } from '../service.ts';
import { listLegalMoves } from '../write/move.ts';
import type { PageSource } from './batch-source.ts';
import type { SentChange } from './draft-changes.ts';
import { type FindId, type KnownRecord, pickChanges } from './upsert.ts';

/*
 * How a known record becomes as a page of an export has it. A status of a page is no move that its caller asks for: many
 * follow from days and from other records. A move is made only if the record cannot read so without it.
 */

/** What the records of a page are read by. */
interface Page {
  source: PageSource;
  findId: FindId;
}

type Body = KnownRecord['body'];

const readCurrent = ({ kind, entry }: KnownRecord, { change }: ChangeContext): StoredRecord =>
  change.findOwn(kind.name, entry.record.id)!.record;

/** Whether a record has another status than it was exported with, both read on the day of the export. */
function hasOtherStatus(known: KnownRecord, context: ChangeContext, { source }: Page): boolean {
  const { kind, body } = known;
  if (body.status === undefined) return false;
  return kind.readStatus(readCurrent(known, context), context.change, source.day) !== body.status;
}

/**
 * Returns the status to ask for, so that a record reads as it was exported: a stored status itself and, if the record has a
 * stored one that the page does not have, that of the move which leaves it.
 */
function findTarget(
  { lifecycle: { stored, moves } }: Kind,
  { asked }: StoredRecord,
  from: string,
  status: string,
): string | undefined {
  if (stored.includes(status)) return status;
  const leaving = moves.find((move) => asked && move.from.includes(asked) && !stored.includes(move.to));
  return (
    leaving?.to ?? moves.find((move) => move.from.includes(from) && move.to === status && !move.takes)?.to
  );
}

/** Returns the status of the move that a record of a page needs, if there is one and it is legal. */
function findNeededMove(known: KnownRecord, context: ChangeContext, page: Page): string | undefined {
  const { kind, body } = known;
  const { change } = context;
  if (!hasOtherStatus(known, context, page)) return undefined;
  const record = readCurrent(known, context);
  const asExported = { ...record, ...body, transitions: body.transitions } as StoredRecord;
  if (kind.transfer.isStatusDerived?.(asExported, page.source.day)) return undefined;
  const from = kind.readStatus(record, change, change.today);
  const to = findTarget(kind, record, from, body.status as string);
  return to !== undefined && listLegalMoves(kind, { record, from, change }).includes(to) ? to : undefined;
}

/** Lists the references of a page that name no record here. */
function listLostReferences(
  { kind, body, entry }: KnownRecord,
  { change }: ChangeContext,
  { findId }: Page,
): string[] {
  return Object.entries(kind.references).flatMap(([member, target]) => {
    const sent = body[member];
    if (typeof sent !== 'string' || sent.startsWith('#') || sent === entry.record[member]) return [];
    return change.find(target, findId(target, sent) as string) ? [] : [member];
  });
}

/** Lists the changes that bring a known record to how a page has it, in order. There are none if it reads so. */
export function listPageChanges(known: KnownRecord, context: ChangeContext, page: Page): SentChange[] {
  const { kind, body, at } = known;
  const { change: view } = context;
  const record = readCurrent(known, context);
  const lost = listLostReferences(known, context, page);
  const picked = pickChanges(kind, record, body, { view, today: view.today, findId: page.findId });
  const members = Object.entries(picked).filter(([member]) => member !== 'status' && !lost.includes(member));
  const status = findNeededMove(known, context, page);
  const patch: Body = { ...Object.fromEntries(members), ...(status !== undefined && { status }) };
  const days = { exported: page.source.day, today: view.today };
  const patches = kind.transfer.toPatches?.({ record, patch, sent: body }, days) ?? [patch];
  return patches
    .filter((one) => Object.keys(one).length > 0)
    .map((one) => ({ kind, id: record.id, patch: one, at }));
}

const warnNotTaken = (path: string, message: string, refusal: string): Finding => ({
  code: 'not_taken',
  path,
  message,
  refusal,
});

/** Warns of the references of a known record that name no record here. It keeps its own. */
export const warnOfOtherReferences = (known: KnownRecord, context: ChangeContext, page: Page): Finding[] =>
  listLostReferences(known, context, page).map((member) => {
    const problem = 'names no record of this workspace';
    const way = 'send the record that it names before this one, or in the same page';
    return warnNotTaken(
      `${known.at}${member}`,
      `${problem}, so it stays as it is; ${way}`,
      `${problem}; ${way}`,
    );
  });

/** Says what to do about a status that a record did not get. */
const explainOtherStatus = ({ references }: Kind): string =>
  Object.keys(references).length > 0
    ? 'no move leads there; delete the record here, and send the page again'
    : 'records that refer to it decide; send this page again after the pages that have them, or change them here';

/** Warns of a known record that reads otherwise than it was exported, after all changes of the page. */
export function warnOfOtherStatus(known: KnownRecord, context: ChangeContext, page: Page): Finding[] {
  const { kind, body, at } = known;
  const { change } = context;
  if (!hasOtherStatus(known, context, page)) return [];
  const status = kind.readStatus(readCurrent(known, context), change, change.today);
  const problem = `is not taken: it reads ${status} here, and ${body.status} in the export`;
  const finding = warnNotTaken(`${at}status`, `${problem}; ${explainOtherStatus(kind)}`, problem);
  // Of a page among others, the status can follow from a later one.
  return [Object.keys(kind.references).length > 0 ? finding : { ...finding, advice: true }];
}
