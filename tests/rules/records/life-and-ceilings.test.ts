import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Settings } from '../../../src/kernel/service.ts';
import {
  computeCeilings,
  computeLife,
  describeLoss,
  extendLife,
  findClaimStatus,
  findRung,
  presentRetention,
  type WorkspaceState,
} from '../../../src/records/account/workspace-state.ts';
import type { Change } from '../../../src/workspace/change.ts';

const life = suite('how long a workspace lives, and how much it holds');

const hour = 3_600_000;
const day = 24 * hour;
const settings = {
  retentionSeconds: 7 * 86_400,
  recordCeiling: 1000,
  claimedRetentionSeconds: 120 * 86_400,
  claimedRecordCeiling: 10_000,
} as Settings;
const owner = { id: 'o', handle: 'h', name: 'n', until: 0 };
const work = (credits: number): WorkspaceState => ({
  work: { credits, period: '2026-11', earned: 0, spent: [] },
});

life('a workspace lives for its retention, and a day more for each credit, up to 30 days', () => {
  assert.is(computeLife({}, settings), 7 * day);
  for (const credits of [0, 1, 5, 22, 23, 24, 1000])
    assert.is(computeLife(work(credits), settings), Math.min(7 + credits, 30) * day, `${credits} credits`);
});

life('credits never shorten a longer retention', () => {
  const long = { ...settings, retentionSeconds: 40 * 86_400, recordCeiling: 6000 };
  for (const credits of [0, 1, 100]) {
    assert.is(computeLife(work(credits), long), 40 * day);
    assert.is(computeCeilings(work(credits), long).records, 6000);
  }
});

life('a claimed workspace lives as long as it did, and at least as long as claimed ones', () => {
  assert.is(computeLife({ owner }, settings), 120 * day);
  assert.is(computeLife({ owner }, { ...settings, claimedRetentionSeconds: 1 }), 7 * day);
  assert.is(computeLife({ ...work(5), owner }, { ...settings, claimedRetentionSeconds: 1 }), 12 * day);
});

life('a workspace holds 250 records more for each credit, up to 5,000', () => {
  for (const credits of [0, 1, 15, 16, 17, 1000])
    assert.is(
      computeCeilings(work(credits), settings).records,
      Math.min(1000 + 250 * credits, 5000),
      `${credits}`,
    );
  assert.is(computeCeilings({ owner }, settings).records, 10_000);
  assert.is(computeCeilings({ ...work(8), owner }, { ...settings, claimedRecordCeiling: 1 }).records, 3000);
});

life('a full workspace still takes an answer of a person, and what frees room', () => {
  const bytes = (kind?: Parameters<typeof computeCeilings>[2]) => computeCeilings({}, settings, kind).bytes;
  assert.is(bytes(), 4_096_000);
  assert.is(bytes('change'), 4_096_000);
  assert.is(bytes('extra'), 4_096_000);
  assert.is(bytes('answer'), 5_120_000);
  assert.is(bytes('bounded'), Number.POSITIVE_INFINITY);
});

life('a workspace is claimed, worked for or a sandbox', () => {
  assert.is(findRung({}), 'sandbox');
  assert.is(findRung(work(0)), 'sandbox');
  assert.is(findRung(work(1)), 'worked');
  assert.is(findRung({ ...work(1), owner }), 'claimed');
});

life('a claim is pending until it expires', () => {
  const claim = { token: 't', expiresAt: 1000 };
  assert.is(findClaimStatus({}, 0), 'none');
  assert.is(findClaimStatus({ claim }, 999), 'pending');
  assert.is(findClaimStatus({ claim }, 1000), 'none');
  assert.is(findClaimStatus({ claim, owner }, 999), 'claimed');
});

/** Extends the life of a workspace by a change. Returns the change. */
function extend(state: WorkspaceState, { now = 1000, deletesWorkspace = false } = {}) {
  const tokens: Record<string, number> = {};
  const change = {
    now,
    state,
    deletesWorkspace,
    addToken(name: string, _: string, expiresAt: number) {
      tokens[name] = expiresAt;
    },
  } as unknown as Change;
  extendLife(change, { operationId: 'createCandidate', by: 'id' }, settings);
  return { expiresAt: change.expiresAt, state: change.state as WorkspaceState, tokens };
}

life('each change extends the life, and only that of a claimed workspace is logged', () => {
  const plain = extend({});
  assert.is(plain.expiresAt, 1000 + 7 * day);
  assert.equal(plain.state, {});
  assert.equal(plain.tokens, {});
  const claimed = extend({ owner });
  assert.equal(claimed.state.log, [[1000, 'createCandidate', 'id']]);
});

life('the token of a handle is extended a day beyond the workspace if it would expire before', () => {
  const expiresAt = 1000 + 120 * day;
  for (const [until, isExtended] of [
    [expiresAt - 1, true],
    [expiresAt, false],
    [expiresAt + 1, false],
  ] as const) {
    const { state, tokens } = extend({ owner: { ...owner, until } });
    assert.equal(tokens, isExtended ? { n: expiresAt + day } : {});
    assert.is(state.owner!.until, isExtended ? expiresAt + day : until);
  }
});

life('the log of a claimed workspace has its last 40 changes', () => {
  const log = Array.from({ length: 40 }, (_, at) => [at, `change ${at}`, 'owner'] as const);
  const { state } = extend({ owner, log });
  assert.is(state.log!.length, 40);
  assert.equal(state.log![0], log[1]);
  assert.is(extend({ owner, log: log.slice(1) }).state.log!.length, 40);
});

life('a deleted workspace has no log and no longer token', () => {
  const { state, tokens } = extend({ owner }, { deletesWorkspace: true });
  assert.equal(state, { owner });
  assert.equal(tokens, {});
});

life('the retention says the later of the new and the old expiry', () => {
  const present = (expiresAt: number, state: object = {}) =>
    presentRetention({ now: 0, head: { expiresAt, state } as never }, { settings }).retention;
  assert.is(present(0).expiresAt, new Date(7 * day).toISOString());
  assert.is(present(9 * day).expiresAt, new Date(9 * day).toISOString());
  assert.is(present(0).seconds, 7 * 86_400);
  assert.is(present(0).policy, 'ephemeral');
  assert.is(present(0, { owner }).policy, 'claimed');
  assert.match(present(0).statement, 'Forgotten 7 days after the last write. Send no personal data.');
});

life('the retention says what a crash may lose', () => {
  assert.is(describeLoss(), '');
  assert.is(describeLoss('always'), '');
  assert.is(describeLoss('second'), ' A crash of its store may lose the last second.');
  assert.is(describeLoss('none'), ' A crash of its store may lose it.');
});

life.run();
