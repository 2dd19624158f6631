import { inside, type Kind } from '../../../tests/support/doors.ts';
import type { Reply } from '../../../tests/support/http.ts';
import { type Call, retentionSeconds, type Side } from './side.ts';
import type { How, Target } from './steps.ts';
import { ask, count, isAlive, look, nowOf, type World, workspaceOf } from './world.ts';

/** Sends a change, and reads the workspace after it. A refusal or a replay must have changed nothing. */
export async function change(
  world: World,
  name: string,
  toCall: (side: Side, at: number) => Call,
): Promise<Reply[]> {
  const calls = world.sides.map(toCall);
  const replies = await ask(world, (_, at) => calls[at]!);
  const { status, headers } = replies[0]!;
  const isMade = status < 300 && !headers.has('idempotency-replayed');
  count(world, `${name} ${status}`);
  if (isMade && name === 'erase') world.isErased = true;
  if (isMade && replies[0]!.body.workspace !== undefined) {
    if (replies[0]!.body.workspace !== workspaceOf(world)) {
      world.seen = undefined;
      world.isErased = false;
    }
    for (const [at, side] of world.sides.entries()) side.workspace = replies[at]!.body.workspace;
  }
  await look(world, isMade);
  if (isMade && calls[0]!.headers?.['Idempotency-Key'] !== undefined) {
    const texts = replies.map(({ text }) => text);
    const until = nowOf(world) + retentionSeconds * 1000;
    world.sent.push({ calls, texts, workspace: workspaceOf(world), until });
  }
  return replies;
}

export const toHeaders = (
  { name }: World,
  workspace: string | undefined,
  { key, isStrict }: How,
  tag?: string,
) => ({
  ...inside(workspace),
  ...(key !== undefined && { 'Idempotency-Key': `${name}-${key}` }),
  ...(isStrict && { Prefer: 'handling=strict' }),
  ...(tag !== undefined && { 'If-Match': tag }),
});

/** Where something is created: in the workspace, unless none is alive. */
export const toPlace = (world: World, { workspace }: Side, isFresh: boolean) =>
  isFresh || !isAlive(world) ? undefined : workspace;

export const isThere = ({ sides }: World, kind: Kind, { of }: Target) =>
  sides[0]!.workspace !== undefined && (of !== 'own' || sides[0]!.rows[kind].length > 0);
