import howTo from '../../content/proof-of-work.json' with { type: 'json' };
import type { OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { requireSigner } from '../kernel/signer.ts';
import { toIsoTime } from '../kernel/text.ts';
import { toPeriod } from '../pricing/meter.ts';
import { makeSalt } from '../records/account/workspace.ts';
import {
  computeLife,
  mostByCredits,
  perCredit,
  readWorkspaceState,
  type WorkspaceState,
} from '../records/account/workspace-state.ts';
import { presentWorkspace } from '../records/account/workspace-view.ts';
import { changeWorkspace } from '../records/write/write.ts';
import type { LadderContext } from './ladder.ts';
import { type Challenge, requireRung } from './ladder.ts';
import { ladderRefusals } from './refusals.ts';

const label = 'work';
const challengeMs = 600_000;

interface Proof {
  challenge: Challenge;
  nonce: string;
}

/** Joins what the signature covers: all members of a challenge, and the workspace that it was issued to. */
const joinSignedMembers = (
  { algorithm, salt, bits, expiresAt }: Omit<Challenge, 'signature'>,
  workspace: string,
) => [algorithm, salt, bits, expiresAt, workspace].join(' ');

/**
 * Returns the time by which challenges of a workspace are issued and expire. It is never before the last credit, so a
 * challenge that was paid and then forgotten stays expired even if a clock goes back or is behind.
 */
const findWorkTime = ({ work }: WorkspaceState, now: number) => Math.max(now, work?.at ?? 0);

export function getWork({ service, workspace }: LadderContext): OperationReply {
  requireRung(service, 'work');
  const signer = requireSigner(service);
  const { platform, settings } = service;
  const from = findWorkTime(readWorkspaceState(workspace!.contents.head.state), platform.now());
  const expiresAt = toIsoTime(from + challengeMs);
  const members = { algorithm: 'SHA-256', salt: makeSalt(service), bits: settings.workBits, expiresAt };
  const challenge = { ...members, signature: signer.mac(label, joinSignedMembers(members, workspace!.hash)) };
  return { status: 200, body: { type: 'OK', challenge, ...workTerms } };
}

/** Whether the first `bits` bits of a SHA-256 in hex are 0. */
const hasZeroBits = (digest: string, bits: number) => BigInt(`0x${digest}`) >> BigInt(256 - bits) === 0n;

function refuseProof(reason: string): never {
  throw new Refusal(ladderRefusals.wrong_proof, { reason });
}

async function check({ challenge, nonce }: Proof, { service, workspace }: LadderContext) {
  const { platform } = service;
  const signed = joinSignedMembers(challenge, workspace!.hash);
  if (!requireSigner(service).isMac(label, signed, challenge.signature))
    refuseProof(
      'This challenge was not given to this workspace, or was changed. Send it back as GET /work told it, with the same X-Workspace.',
    );
  const digest = await platform.sha256(`${challenge.salt}.${nonce}`);
  if (!hasZeroBits(digest, challenge.bits))
    refuseProof(
      `SHA-256 of salt + "." + nonce does not begin with ${challenge.bits} zero bits: it is ${digest.slice(0, 16)}…. Find another nonce.`,
    );
}

/** Returns the work of a workspace with one more credit. Throws the Refusal `wrong_proof`, `spent` or `at_limit`. */
function addCredit(state: WorkspaceState, { salt, expiresAt }: Challenge, now: number) {
  const { work } = state;
  const { credits = 0, spent = [] } = work ?? {};
  const workTime = findWorkTime(state, now);
  const end = Date.parse(expiresAt);
  const isSpent = spent.some(([spentSalt]) => spentSalt === salt);
  if (end <= now || (end <= workTime && !isSpent))
    refuseProof('This challenge has expired. Ask for another with GET /work.');
  if (isSpent) throw new Refusal(ladderRefusals.spent);
  const current = toPeriod(now);
  // A clock that is behind must not start another month.
  const period = work && work.period > current ? work.period : current;
  const earned = work?.period === period ? work.earned : 0;
  if (earned >= mostCredits) {
    throw new Refusal(ladderRefusals.at_limit, {
      reason: `This workspace has earned ${mostCredits} credits in ${period}, which is as many as a month gives.`,
    });
  }
  const recent = spent.length - mostCredits;
  const remembered = spent.filter(([, until], index) => until > workTime || index >= recent);
  return {
    credits: credits + 1,
    period,
    earned: earned + 1,
    at: workTime,
    spent: [...remembered, [salt, end] as const],
  };
}

export async function submitWork(proof: Proof, context: LadderContext): Promise<OperationReply> {
  const { service } = context;
  requireRung(service, 'work');
  await check(proof, context);
  return changeWorkspace(context, ({ change }) => {
    const { now } = change;
    const head = change.head!;
    const work = addCredit(readWorkspaceState(head.state), proof.challenge, now);
    const state = { ...head.state, work };
    change.state = state;
    const life = computeLife(readWorkspaceState(state), service.settings);
    const expiresAt = Math.max(head.expiresAt, now + life);
    const after = { ...head, state, expiresAt, revision: head.revision + 1 };
    const body = { type: 'OK', credits: work.credits, workspace: presentWorkspace(after, service) };
    return { status: 200, body };
  });
}

/** The most credits that a workspace can earn in a calendar month. */
const mostCredits = 30;

const pays = {
  credits: 1,
  lifeHours: perCredit.hours,
  mostDaysAhead: mostByCredits.days,
  records: perCredit.records,
  mostRecords: mostByCredits.records,
  includedPerCreate: perCredit.included,
  mostCreditsAMonth: mostCredits,
  statement: 'A credit is no money: it prolongs a life, makes room, and includes creates of this month.',
};

export const workTerms = { pays, howTo };
