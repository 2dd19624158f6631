import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { workspaceIdPattern } from '../../../src/records/account/workspace.ts';
import { inside } from '../../support/doors.ts';
import { toIdLike, unknownWorkspace } from '../../support/http.ts';
import { toBody } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const isolation = suite('ids that open no workspace');

const world = new World({ settings: { retentionSeconds: 60 } });
const mint = async (): Promise<string> =>
  (await world.post('/candidates', toBody.candidate())).body.workspace;

const expired = await mint();
world.pass(60_001);
const alive = await mint();
const last = alive.endsWith('0') ? '1' : '0';

/** Ids that are guessed, similar to a known one, expired or malformed. */
const wrong = [
  ...[expired, `${alive.slice(0, -1)}${last}`, `ws_${last}${alive.slice(4)}`, alive.slice(0, -1)],
  ...[`${alive}0`, alive.toUpperCase(), alive.slice(3), `${alive}, ${alive}`, unknownWorkspace],
  ...[toIdLike(randomBytes(20).toString('hex')), 'ws_', 'null', "' OR 1=1 --", '../../../etc/passwd'],
  ...['x'.repeat(5000), 'caf\u00e9', ''],
];
const isShaped = (id: string) => new RegExp(workspaceIdPattern).test(id);
const shaped = wrong.filter(isShaped);
const misshapen = wrong.filter((id) => !isShaped(id));

/** Calls to a workspace. Each returns the whole reply as a text. */
const calls: Record<string, (id: string) => Promise<string>> = Object.fromEntries(
  [
    ['GET', '/candidates'],
    ['GET', '/placements?status=active'],
    ['GET', '/job-orders/job_nope'],
    ['POST', '/candidates'],
  ].map(([method = '', path = '']) => [
    `${method} ${path}`,
    async (id: string) => {
      const body = method === 'POST' ? toBody.candidate() : undefined;
      const { status, headers, text } = await world.ask(method, path, body, inside(id));
      return `${status} ${JSON.stringify([...headers])} ${text}`;
    },
  ]),
);

/** Returns the one reply that a call gives to all ids. */
async function readSame(call: (id: string) => Promise<string>, ids: readonly string[]): Promise<string> {
  const replies = new Set(await Promise.all(ids.map(call)));
  assert.is(replies.size, 1, [...replies].join('\n'));
  return [...replies][0]!;
}

for (const [what, call] of Object.entries(calls)) {
  isolation(`${what} refuses each id of the right shape with the same bytes`, async () => {
    const reply = await readSame(call, shaped);
    assert.match(reply, /^401 .*"code":"unknown_workspace"/);
    assert.match(reply, /Workspace realm=\\"sandbox\\".*A create without it mints a new workspace/);
    assert.not.match(reply, /"x-workspace"/);
  });

  isolation(`${what} refuses a malformed id with the same bytes, except for the reason`, async () => {
    const reply = await readSame(call, misshapen);
    assert.match(reply, /not shaped like a workspace id, `ws_` and \d+ letters/);
    const withoutReason = (text: string) => text.replace(/"reason":"[^"]+"/, '');
    assert.is(withoutReason(reply), withoutReason(await readSame(call, shaped)));
  });
}

isolation('the id of another workspace that has not expired still opens it', async () => {
  assert.is((await world.get('/candidates', inside(alive))).status, 200);
});

isolation.run();
