import * as assert from 'uvu/assert';
import { makeAuthenticator } from './authenticator.ts';
import type { Body } from './http.ts';
import type { makeLadderWorld } from './ladder-world.ts';

export const minuteMs = 60_000;

type World = Awaited<ReturnType<typeof makeLadderWorld>>;

/** A workspace, a fresh one unless said, that a passkey has claimed, a fresh one unless said. */
export async function makeClaimed(
  world: World,
  authenticator = makeAuthenticator(world.settings.baseUrl),
  workspace?: Awaited<ReturnType<World['mint']>>,
) {
  const made = workspace ?? (await world.mint());
  const token = await made.claim();
  const { options } = (await world.showClaim(token)).body;
  const { status, body } = await world.answerClaim(token, authenticator.make(options.create.challenge));
  assert.is(status, 200, JSON.stringify(body));
  const { owner, workspace: handle } = body;
  return {
    ...made,
    authenticator,
    token,
    bearer: owner.bearer as string,
    handle,
    asOwner: world.asOwner(owner.bearer, handle),
  };
}

export function assertRefused({ status, body }: { status: number; body: Body }, at: number, code: string) {
  assert.equal([status, body.code], [at, code], JSON.stringify(body));
  assert.ok(body.reason.length > 20);
}

type Answer = Parameters<typeof assertRefused>[0];
export const assertUnknown = (answer: Answer) => assertRefused(answer, 401, 'unknown_workspace');
export const assertWrongPasskey = (answer: Answer) => assertRefused(answer, 400, 'wrong_passkey');
