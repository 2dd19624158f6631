import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeActor } from '../../src/pages/_desk/activity/activity-actor.ts';
import { vias } from '../../src/workspace/activity.ts';

const actors = suite('who acted, in the sentences of the activity');

type Acted = Parameters<typeof describeActor>[0];
const visitor = 'browser-me';
const program = 'claude-code';
const browser = 'browser';
const named = { name: 'Ines Calder' };

const rows: [entry: Partial<Acted>, said: ReturnType<typeof describeActor>, saidToOwner?: string][] = [
  [{ via: 'mcp', client: program }, { name: program }],
  [{ via: 'mcp' }, 'An agent'],
  [{ via: 'http' }, 'A program'],
  [{ via: 'http', client: browser }, 'Someone in a browser'],
  [{ via: 'http', client: browser, actor: visitor }, 'You'],
  [{ via: 'http', client: browser, actor: 'browser-other' }, 'Someone in another browser'],
  [{ via: 'owner', client: browser }, 'The owner', 'You'],
  [{ via: 'owner', client: browser, actor: visitor }, 'You'],
  [{ via: 'owner', client: browser, actor: 'browser-other' }, 'The owner', 'You'],
  [{ via: 'owner', actor: named.name }, named],
  [{ via: 'mcp', client: program, actor: named.name }, named],
  [{ via: 'shortlist', client: browser }, 'The client', 'The client'],
  [{ via: 'shortlist', actor: named.name }, named],
  [{ via: 'confirmation', client: browser, actor: named.name }, 'A party', 'A party'],
  [{ via: 'brief', client: 'acme' }, 'A person of the brief'],
  [{ via: 'brief', operation: 'startBrief' }, 'A brief'],
  // Words that the page has for people whom the service knows.
  ...['You', 'The client', 'the owner', ' A party ', 'THE GRADER'].map(
    (actor): [Partial<Acted>, { name: string }] => [
      { via: 'mcp', client: program, actor },
      { name: program },
    ],
  ),
];
for (const [entry, said, saidToOwner] of rows)
  actors(`${JSON.stringify(entry)} is shown as ${JSON.stringify(said)}`, () => {
    const acted: Acted = { via: 'http', operation: 'createBatch', ...entry };
    assert.equal(describeActor(acted, { isOwner: false, visitor }), said);
    if (saidToOwner) assert.is(describeActor(acted, { isOwner: true, visitor }), saidToOwner);
  });

actors('are listed for each way in', () => {
  assert.equal([...new Set(rows.map(([{ via }]) => via))].sort(), [...vias].sort());
});

actors.run();
