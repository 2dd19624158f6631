import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../support/front.ts';

const proposing = suite('examples of placements');
const root = join(import.meta.dirname, '..', '..', '..');
const guides = join(root, 'content', 'guides');

/** The documents that show a caller how to create a placement. */
const texts = new Map<string, string>([
  ['README.md', readFileSync(join(root, 'README.md'), 'utf8')],
  ...readdirSync(guides).map((name) => [name, readFileSync(join(guides, name), 'utf8')] as const),
]);
for (const path of [
  '/llms.txt',
  '/api.md',
  '/index.md',
  '/icp.json',
  '/openapi.json',
  '/.well-known/agent-skills/careers-placement/SKILL.md',
])
  texts.set(path, (await client.get(path)).text);

/** Finds the bodies that name a candidate and a job order, as JSON or as the outline of one. */
const findBodies = (text: string) =>
  text.match(/\{[^{}]*"candidateId"[^{}]*"jobOrderId"[^{}]*\}/g)?.filter((body) => /"onetCode"/.test(body)) ??
  [];

proposing('propose in each document that has one', () => {
  for (const [name, text] of texts)
    for (const body of findBodies(text)) assert.match(body, /"status": ?"proposed"/, `${name}: ${body}`);
});

proposing('are in llms.txt, README, the reference and the contract', () => {
  for (const name of ['/llms.txt', 'README.md', '/api.md', '/openapi.json'])
    assert.ok(findBodies(texts.get(name)!).length > 0, name);
});

proposing('propose in the skill, which says what follows without a status', () => {
  const text = texts.get('/.well-known/agent-skills/careers-placement/SKILL.md')!;
  assert.match(
    text,
    /Propose the placement.*`"status": "proposed"`.*Without a status it is accepted at once/,
  );
});

proposing('propose in the first call of the placement agent', async () => {
  const { body } = await client.get('/icp.json');
  const agent = body.agent_classes.find(
    ({ firstCall }: { firstCall: { operationId: string } }) => firstCall.operationId === 'createPlacement',
  );
  assert.is(agent.firstCall.body.status, 'proposed');
});

proposing('show the reply to a proposal in the contract', async () => {
  const { body } = await client.get('/openapi.json');
  const { example } = body.paths['/placements'].post.responses['201'].content['application/json'];
  assert.is(example.placement.status, 'proposed');
});

proposing('show the move in the reply to the example of a change', async () => {
  const { body } = await client.get('/openapi.json');
  const { example } = body.paths['/placements/{id}'].patch.responses['200'].content['application/json'];
  assert.is(example.placement.transitions[0].to, example.placement.status);
});

proposing.run();
