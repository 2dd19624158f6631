import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodePlatform } from '../../../src/hosts/node-platform.ts';
import { operations } from '../../../src/table.ts';
import { mostRecordsOfEntry } from '../../../src/workspace/activity.ts';
import { WatchedSteps } from '../../support/watched-steps.ts';
import { World } from '../../support/world.ts';

const steps = suite('how many records a step of an operation reads');

const watched = new WatchedSteps(nodePlatform.runSteps);
const world = new World({
  platform: { ...nodePlatform, runSteps: watched.runSteps },
  settings: { meter: 'count' },
});

/** How many records of each kind the workspace has. */
const count = 60;
/** A step reads one record and what that refers to. An entry of the activity refers to the most. */
const mostOfStep = mostRecordsOfEntry;

const numbers = [...Array(count).keys()];
const batch = {
  candidates: numbers.map((number) => ({
    ref: `c${number}`,
    name: `Person ${number}`,
    onetCode: '15-1252.00',
    skills: ['TypeScript'],
  })),
  jobOrders: numbers.map((number) => ({
    ref: `j${number}`,
    client: `Client ${number}`,
    title: 'Engineer',
    onetCode: '15-1252.00',
    skills: ['TypeScript'],
  })),
  placements: numbers.map((number) => ({
    candidateId: `#c${number}`,
    jobOrderId: `#j${number}`,
    onetCode: '15-1252.00',
    status: 'proposed',
  })),
};
const { body: created } = await world.post('/batch', batch);
const { workspace } = created;
const { contents } = await world.service.openWorkspace(workspace);
watched.watch(contents, world.service.kinds);

const idOf = {
  '/candidates/': 'candidates',
  '/job-orders/': 'jobOrders',
  '/placements/': 'placements',
} as const;

function findId(path: string): string {
  const [, collection] = Object.entries(idOf).find(([prefix]) => path.startsWith(prefix)) ?? [];
  return collection ? created[collection][0].id : '';
}

/** Queries that make a read go through as many records as it can. */
const queries = [
  '',
  'limit=200',
  'limit=200&scope=all',
  'q=person',
  'sort=-createdAt&limit=200',
  'fields=id&limit=200',
  'skill=typescript',
  'minScore=0&limit=200',
  'kind=candidates',
  'kind=placements',
  'record=none',
  'expiresBefore=2999-01-01&limit=200',
  'sort=expires&limit=200',
  'unstated=unmet&minScore=0',
];

const reads = operations.filter(({ effect, access }) => effect === 'read' && access.workspace);

for (const { operationId, path } of reads)
  steps(`${operationId} reads few records in each step`, async () => {
    const target = path.replace('{id}', findId(path));
    for (const query of queries) {
      watched.takeMost();
      const { status, text } = await world.get(`${target}?${query}`, {
        'x-workspace': workspace,
      });
      assert.ok(status < 500, text);
      const most = watched.takeMost();
      assert.ok(most <= mostOfStep, `?${query} reads ${most} records in a step`);
    }
  });

steps('the law sees an operation that reads all records in one step', () => {
  for (const { record } of contents.list('candidate')) assert.ok(record.id);
  assert.is(watched.takeMost(), count);
});

steps.run();
