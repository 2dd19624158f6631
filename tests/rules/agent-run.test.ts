import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import run from '../../content/agent-run.json' with { type: 'json' };
import { fillDates } from '../../src/pages/_scripts/desk-dates.ts';
import { isAsRecorded, RecordedAgent, type StepResult } from '../../src/pages/_watch/recorded-agent.ts';
import { AgentRunFile, type RunStep } from '../../src/pages/_watch/run-file.ts';
import { operations } from '../../src/table.ts';
import type { Body } from '../support/http.ts';
import { World } from '../support/world.ts';

const runs = suite('the recorded run of an agent');
const today = '2026-11-26';
const file = v.parse(AgentRunFile, JSON.parse(fillDates(JSON.stringify(run), today)));

/** Opens a service on the day of the run, and its agent. `answers` has the reply to each of its calls. */
function openRun(settings: object = {}) {
  const world = new World({ now: Date.parse(`${today}T09:00:00Z`), settings });
  const answers: Body[] = [];
  const agent = new RecordedAgent(file, 'test-0123456789abcdef', async (name, args) => {
    const { structuredContent } = await world.tool(name, args);
    answers.push(structuredContent);
    return structuredContent;
  });
  return { world, agent, answers };
}

const listOther = ({ step, result }: { step: RunStep; result: StepResult }) => [
  ...(result.refused === undefined ? [] : [`${step.call}: ${result.refused}`]),
  ...result.facts
    .filter((fact) => !isAsRecorded(fact))
    .map(({ name, value, recorded }) => `${step.call}: ${name} is ${value}, recorded ${recorded}`),
];

/** Makes the steps up to the next decision or the end. Returns what is not as recorded. */
async function play(agent: RecordedAgent): Promise<string[]> {
  const others: string[] = [];
  while (agent.next) {
    const step = agent.next;
    const result = await agent.step();
    others.push(...listOther({ step, result }));
    if (result.refused !== undefined) return others;
  }
  return others;
}

/** Decides on the person of the run, as the client does who opens the link. */
async function decide({ world, agent }: ReturnType<typeof openRun>, decision: string): Promise<void> {
  const headers = { 'X-Shortlist': agent.link!.token };
  const { body } = await world.get('/shortlist', headers);
  const { id: placementId, tag } = body.shortlist.placements.find(
    ({ candidate }: Body) => candidate.name === file.decision.person,
  );
  const answer = await world.post('/shortlist', { placementId, tag, decision }, headers);
  assert.is(answer.status, 200, answer.text);
}

for (const { decision, steps } of file.branches) {
  runs(`is answered as recorded if the client says ${decision}`, async () => {
    const run = openRun();
    assert.equal(await play(run.agent), []);
    assert.ok(run.agent.isWaiting);
    await decide(run, decision);
    assert.ok(await run.agent.readDecision());
    assert.is(run.agent.branch?.decision, decision);
    assert.equal(await play(run.agent), []);
  });

  runs(`has 12 to 20 calls if the client says ${decision}`, () => {
    const calls = file.steps.length + steps.length;
    assert.ok(calls >= 12 && calls <= 20, String(calls));
  });
}

runs('sends no argument that a tool does not take', async () => {
  const { agent, answers } = openRun();
  await play(agent);
  const unknown = answers
    .flatMap(({ warnings = [] }) => warnings)
    .filter((one) => one.code === 'unknown_member');
  assert.equal(unknown, []);
});

runs('names the agent in each change', async () => {
  const { world, agent } = openRun();
  await play(agent);
  const { body } = await world.get('/workspace/activity', {
    'X-Workspace': agent.workspace,
  });
  assert.equal([...new Set(body.activity.map(({ actor }: Body) => actor))], [file.agent]);
});

runs('calls tools alone', () => {
  const calls = [...file.steps, ...file.branches.flatMap(({ steps }) => steps)].map(({ call }) => call);
  const tools = operations.filter(({ tool }) => tool).map(({ operationId }) => operationId);
  assert.equal(
    calls.filter((call) => !tools.includes(call)),
    [],
  );
});

runs('waits until the person has decided', async () => {
  const { agent } = openRun();
  await play(agent);
  assert.is(await agent.readDecision(), false);
  assert.is(agent.next, undefined);
});

runs('goes on from an acceptance on the desk', async () => {
  const run = openRun();
  await play(run.agent);
  const mine = { 'X-Workspace': run.agent.workspace };
  await run.world.patch('/placements/%23hannah-nights', { status: 'scheduled' }, mine);
  assert.ok(await run.agent.readDecision());
  const others = await play(run.agent);
  assert.equal(
    others.filter((words) => !/status is|last change|before it/.test(words)),
    [],
  );
});

runs('goes on at the same step after a call without an answer, and makes nothing twice', async () => {
  const world = new World({ now: Date.parse(`${today}T09:00:00Z`) });
  let isLost = true;
  const agent = new RecordedAgent(file, 'lost-0123456789abcdef', async (name, args) => {
    const { structuredContent } = await world.tool(name, args);
    if (name === 'createPlacement' && isLost) {
      isLost = false;
      throw new Error('lost');
    }
    return structuredContent;
  });
  const message = await play(agent).then(
    () => 'played',
    (error: Error) => error.message,
  );
  assert.is(message, 'lost');
  assert.equal(await play(agent), []);
});

runs('stops at a full workspace with the words of the service, and goes on from there', async () => {
  const run = openRun({ recordCeiling: 7 });
  const [refused = ''] = await play(run.agent);
  assert.match(refused, /^createPlacement: /);
  assert.is(run.agent.next?.call, 'createPlacement');
  run.agent.skip();
  assert.is(run.agent.next?.call, 'createPlacement');
});

runs.run();
