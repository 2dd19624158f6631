import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../support/in-process.ts';
import { makeSandbox, refusedTool, type Sandbox, toBody } from '../../support/sandbox.ts';

const clears = suite('clear in the changes of a batch over MCP');

const world = () => makeSandbox(client, { candidates: [toBody.candidate({ ref: 'bob' })] });

/** Returns what a batch over MCP says of a change that clears members. */
async function readClearing({ workspace }: Sandbox, change: object): Promise<string> {
  const { issues } = refusedTool(
    await client.tool('createBatch', { workspace, changes: [change] }),
    'invalid_request',
    ['changes[0].clear[0]'],
  );
  return issues[0].message;
}

clears('of a required member names what its own kind can lose', async () => {
  const sandbox = await world();
  const { id } = sandbox.candidates[0]!;
  const single = await client.tool('updateCandidate', { workspace: sandbox.workspace, id, clear: ['name'] });
  const message = await readClearing(sandbox, { id, clear: ['name'] });
  assert.is(message, single.structuredContent.issues[0].message);
  assert.match(message, /^name cannot be removed, only changed; it takes title, skills, /);
});

clears('of a member of another kind is refused', async () => {
  const sandbox = await world();
  const message = await readClearing(sandbox, { id: sandbox.candidates[0]!.id, clear: ['openings'] });
  assert.match(message, /^openings is no member that can be removed; it takes title, skills, /);
});

clears('of a required member of a ref names no members of other kinds', async () => {
  const sandbox = await world();
  const message = await readClearing(sandbox, { id: '#bob', clear: ['name'] });
  assert.is(message, 'name cannot be removed, only changed');
});

clears('of a member that is also set names no other members', async () => {
  const sandbox = await world();
  const expected = 'note is set and cleared in one call; leave it out of one';
  const { id } = sandbox.candidates[0]!;
  assert.is(await readClearing(sandbox, { id, note: 'x', clear: ['note'] }), expected);
  const args = { workspace: sandbox.workspace, id, note: 'x', clear: ['note'] };
  const single = await client.tool('updateCandidate', args);
  assert.is(single.structuredContent.issues[0].message, expected);
});

clears.run();
