import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../support/front.ts';
import type { Body } from '../../support/http.ts';
import { dayFromNow } from '../../support/sandbox.ts';

const events = suite('the everyday events in the guide to getting started');
const file = join(import.meta.dirname, '..', '..', '..', 'content', 'guides', 'getting-started.md');
const [, section = ''] = /\n## When something happens\n(.*?)(?=\n## |$)/s.exec(readFileSync(file, 'utf8'))!;

interface Event {
  happened: string;
  to: string;
  method: string;
  path: string;
  sent: Body;
  tool: string;
}

const fill = (text: string) => text.replaceAll('DAY', dayFromNow(0)).replaceAll('LATER', dayFromNow(30));

const unquote = (cell: string) => cell.replace(/^`(.*)`$/, '$1');

function parseRow(line: string): Event {
  const [happened = '', to = '', call = '', sent = '', tool = ''] = line
    .split('|')
    .slice(1, -1)
    .map((cell) => unquote(cell.trim()));
  const [method = '', path = ''] = call.split(' ');
  return { happened, to, method, path, sent: JSON.parse(fill(sent)), tool };
}

const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map(parseRow);

const onetCode = '29-1141.00';

/** Makes a workspace with one record of each state that a row can be about. Returns its id, and their refs. */
async function makeDesk() {
  const person = (ref: string) => ({ ref, name: `Person ${ref}`, onetCode });
  const pair = { jobOrderId: '#order', onetCode };
  const { status, body } = await client.post('/batch', {
    candidates: ['at-work', 'to-start', 'gone', 'asked', 'free'].map(person),
    jobOrders: [
      { ref: 'order', client: 'Example Hospital', title: 'Nurse', onetCode, openings: 4 },
      { ref: 'open', client: 'Example Hospital', title: 'Nurse', onetCode },
    ],
    placements: [
      { ...pair, ref: 'accepted', candidateId: '#at-work', status: 'active', startDate: dayFromNow(-10) },
      { ...pair, ref: 'scheduled', candidateId: '#to-start', startDate: dayFromNow(10) },
      {
        ...pair,
        ref: 'ended',
        candidateId: '#gone',
        status: 'ended-early',
        startDate: dayFromNow(-10),
        endDate: dayFromNow(-2),
        endReason: 'candidate-left',
      },
      { ...pair, ref: 'proposed', candidateId: '#asked', status: 'proposed' },
      { ref: 'offered', candidateId: '#asked', jobOrderId: '#open', onetCode, status: 'proposed' },
    ],
  });
  assert.is(status, 201, JSON.stringify(body));
  return body.workspace as string;
}

const refs: Record<string, string> = {
  'an accepted placement': 'accepted',
  'a scheduled placement': 'scheduled',
  'an ended placement': 'ended',
  'a proposal': 'proposed',
  'a candidate': 'free',
  'a job order': 'open',
};

/** Asserts that a reply is an OK without a warning that strict handling would refuse. */
function assertDone(body: Body, what: string): void {
  assert.is(body.type, 'OK', `${what} ${JSON.stringify(body)}`);
  const refusable = (body.warnings ?? []).filter(({ advice }: Body) => !advice);
  assert.equal(refusable, [], what);
}

events('fill a table', () => {
  assert.ok(rows.length > 0);
});

for (const { happened, to, method, path, sent, tool } of rows) {
  events(`${happened}: the call works over HTTP`, async () => {
    const headers = { 'X-Workspace': await makeDesk(), 'Content-Type': 'application/json' };
    const at = path.replace('{id}', `%23${refs[to]}`);
    const { body } = await client.ask(method, at, sent, headers);
    assertDone(body, happened);
  });

  events(`${happened}: the call works over MCP`, async () => {
    const workspace = await makeDesk();
    const { structuredContent } = await client.tool(tool, { workspace, id: `#${refs[to]}`, ...sent });
    assertDone(structuredContent, happened);
  });
}

events.run();
