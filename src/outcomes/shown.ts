import * as v from 'valibot';
import { toEntityTag } from '../kernel/entity-tag.ts';
import type { Context, OpenedWorkspace } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { OnetCode, Title } from '../occupations/occupation.ts';
import { placement } from '../records/placement.ts';
import {
  answerEntries,
  type Confirmation,
  type PlacementRecord,
  statedResults,
  toStatedOrder,
  toTold,
} from '../records/placement-outcome.ts';
import { RecordsInView } from '../records/records-in-view.ts';
import { followToken, toIssued } from './token.ts';

/** What a party is shown of a placement: nothing that leads to the workspace or to a person. */
export const ShownStatement = v.pipe(
  v.object({
    result: v.pipe(v.picklist(statedResults), v.description('How the first 90 days went.')),
    asOf: v.pipe(v.string(), v.isoDate(), v.description('The day that the statement is of.')),
    startDate: v.pipe(v.string(), v.isoDate(), v.description('First day of work.')),
    occupation: v.pipe(
      v.object({ code: OnetCode, title: Title }),
      v.description('The occupation of the placement.'),
    ),
    title: v.pipe(
      v.nullable(v.string()),
      v.description('Of the job order as it was stated; null where it was gone.'),
    ),
    client: v.pipe(v.nullable(v.string()), v.description('Of the job order; null where it was gone.')),
  }),
  v.description('What the party is asked to confirm.'),
);

/** What the party answered, or null until it does. */
export const ShownAnswer = v.pipe(
  v.nullable(v.object(answerEntries)),
  v.description('What the party answered, or null.'),
);

/** A placement as the token of a party leads to it. */
export interface Confirmable {
  /** The workspace that holds it, without its id. */
  workspace: OpenedWorkspace;
  fact: PlacementRecord;
  issued: Confirmation;
  /** What is kept of the token. */
  hash: string;
  /** Undefined where a change of the placement took the statement away. */
  statement: v.InferOutput<typeof ShownStatement> | undefined;
}

function toStatement(
  fact: PlacementRecord,
  near: RecordsInView,
  { service }: Context,
): Confirmable['statement'] {
  const { stated } = fact.evidence ?? {};
  if (!stated || fact.startDate === undefined) return undefined;
  const order = stated.order === undefined ? toStatedOrder(fact, near) : stated.order;
  return {
    result: stated.result,
    asOf: stated.asOf,
    startDate: fact.startDate,
    occupation: {
      code: fact.onetCode,
      title: service.occupationByCode.get(fact.onetCode)?.title ?? fact.onetCode,
    },
    title: order?.title ?? null,
    client: order?.client ?? null,
  };
}

/** What the token of a caller leads to. Throws the Refusal `unknown_confirmation` where it leads nowhere. */
export async function openConfirmation(context: Context): Promise<Confirmable> {
  const { service } = context;
  const { seed, store, platform } = service;
  const { hash, head } = await followToken(context);
  const [found] = await store.find(head.key, [head.to]);
  if (found?.record?.kind !== placement.name) throw new Refusal('unknown_confirmation');
  const fact = found.record.fact as PlacementRecord;
  const issued = toIssued(fact, hash, platform.now());
  const names = [fact.jobOrderId as string];
  const near = new RecordsInView(seed, names, await store.find(head.key, names));
  const { to: _, ...rest } = head;
  return {
    workspace: { ...rest, id: '', secret: '', by: 'party' },
    fact,
    issued,
    hash,
    statement: toStatement(fact, near, context),
  };
}

/** What tells a statement from another, made anew with the same words too. */
export const toStatementTag = ({ statement, fact }: Confirmable) =>
  toEntityTag(JSON.stringify([statement, fact.evidence?.stated?.at]));

/** The 200 of a token: what it confirms, and what was answered. */
export function toShownBody({ statement, issued: { answer } }: Confirmable) {
  return { type: 'OK', statement, answer: answer ? toTold(answer) : null };
}
