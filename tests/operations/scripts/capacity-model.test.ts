import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Costs, type Load, planCapacity, predictVisit } from '../../../scripts/soak/capacity-model.ts';

const capacity = suite('the model of capacity');

/** A visit of 4 reads that a CDN may keep, and 2 creates. On SQLite it takes 4 x 10 + 2 x 30 = 100 ms. */
const costs = {
  kinds: [
    { times: 4, onSqlite: 0.01, onRedis: { instance: 0.01, server: 0 }, bytes: 5000, isShared: true },
    { times: 2, onSqlite: 0.03, onRedis: { instance: 0.04, server: 0.01 }, bytes: 1000, isShared: false },
  ],
  workspaceBytes: 10_000,
  instanceBytes: 200e6,
  missShare: 1,
  redis: {
    workspaceBytes: 20_000,
    published: 2,
    spread: { instance: 0, server: 0 },
    receive: 0.001,
    notify: 0.0005,
    forward: 0.0001,
    accept: 0.0002,
  },
} satisfies Costs;

/** 86,400 agents a day send one visit a second on average, and two at the peak. */
const load: Load = {
  agents: 86_400,
  visits: 1,
  peak: 2,
  days: 1,
  busy: 0.5,
  masterBytes: 17.28e9,
  storeBytes: 432e6,
};

const isNear = (figure: number | undefined, expected: number) =>
  assert.ok(Math.abs(figure! / expected - 1) < 1e-9, `${figure} is not ${expected}`);

const plan = (changes: Partial<Load> = {}, changedCosts: Partial<Costs> = {}) =>
  planCapacity({ ...costs, ...changedCosts }, { ...load, ...changes });

const withRedis = (changes: Partial<typeof costs.redis>) => ({ redis: { ...costs.redis, ...changes } });

capacity('counts the requests of all visits at the peak', () => {
  // 2 visits a second of 6 requests.
  isNear(plan().requests, 12);
});

capacity('counts the processors that an instance on SQLite needs at the peak', () => {
  // 2 visits a second of 100 ms.
  isNear(plan().sqlite.processors, 0.2);
});

capacity('multiplies what is kept by the visits of an agent and the days', () => {
  // 86,400 agents x 3 visits x 2 days x 10 kB.
  isNear(plan({ visits: 3, days: 2 }).sqlite.diskBytes, 5.184e9);
});

capacity('says with how many agents the processor of one instance is full', () => {
  // Half of a processor takes 5 visits of 100 ms a second, which is 2.5 on average.
  const { ceilings } = plan().sqlite;
  isNear(ceilings.find(({ what }) => what.includes('processor'))?.agents, 216_000);
});

capacity('names first what is full with the fewest agents', () => {
  // STORE_BYTES has room for 43,200 workspaces of 10 kB.
  const [first] = plan().sqlite.ceilings;
  assert.is(first?.what, 'STORE_BYTES at its default');
  isNear(first?.agents, 43_200);
});

capacity('names the processor first if the store has room', () => {
  const [first] = plan({ storeBytes: 1e12 }).sqlite.ceilings;
  assert.is(first?.what, 'the processor of the instance');
});

capacity('counts no time of an instance for what a CDN answers', () => {
  // A quarter of the reads arrives: 1 x 10 + 2 x 30 = 70 ms.
  isNear(plan({}, { missShare: 0.25 }).sqlite.processors, 0.14);
});

capacity('counts the requests a second that a CDN answers', () => {
  // 2 visits a second x 4 reads x 3/4.
  isNear(plan({}, { missShare: 0.25 }).cdnRequests, 6);
});

capacity('counts the bytes a day that a CDN answers with', () => {
  // 86,400 visits x 4 reads x 3/4 x 5 kB.
  isNear(plan({}, { missShare: 0.25 }).cdnBytes, 1.296e9);
});

capacity('counts the bytes a day that the instances answer with', () => {
  // 86,400 visits x (4 reads x 1/4 x 5 kB + 2 creates x 1 kB).
  isNear(plan({}, { missShare: 0.25 }).instancesBytes, 604.8e6);
});

capacity('needs one instance and one master of Redis if both have room', () => {
  // 2 visits a second x 120 ms = 0.24 of an instance, and x 20 ms = 0.04 of a master.
  const { redis } = plan();
  assert.is(redis?.instances, 1);
  assert.is(redis?.masters, 1);
});

capacity('adds to each instance the changes that it receives from the others', () => {
  // 100 visits a second x 120 ms = 12 seconds. Each change of the others takes 100 x 2 x 1 ms = 0.2 of an instance.
  // (12 - 0.2) / (0.5 - 0.2) = 39.3; without them it would be 24.
  assert.is(plan({ agents: 4_320_000 }).redis?.instances, 40);
});

capacity('says that no number of instances is enough if each is busy with the changes of others', () => {
  // 250 visits a second x 2 changes x 1 ms = 0.5 of an instance.
  assert.is(plan({ agents: 10_800_000 }).redis?.instances, Number.POSITIVE_INFINITY);
});

capacity('says with how many agents every instance is busy with the changes of others', () => {
  const ceiling = plan().redis?.ofCluster.find(({ what }) => what.includes('instance'));
  isNear(ceiling?.agents, 10_800_000);
});

capacity('says with how many agents every master is busy with the changes of others', () => {
  // A change takes 2 x 0.1 + 0.2 ms of each master: 0.5 / (2 x 0.4 ms) = 625 visits a second.
  const ceiling = plan().redis?.ofCluster.find(({ what }) => what.includes('master'));
  isNear(ceiling?.agents, 27_000_000);
});

capacity('needs a cluster of at least three masters if one has too little memory', () => {
  // 1,000,000 workspaces x 20 kB = 20 GB, and a master holds 17.28.
  assert.is(plan({ agents: 1_000_000, peak: 0.1 }).redis?.masters, 3);
});

capacity('needs as many masters as hold all workspaces', () => {
  // 8,640,000 workspaces x 20 kB = 172.8 GB.
  assert.is(plan({ agents: 8_640_000, peak: 0.1 }).redis?.masters, 10);
});

capacity('needs as many masters as do all operations', () => {
  // 100 visits a second x (20 ms + 39 other instances x 2 x 0.5 ms) = 5.9 seconds.
  // (5.9 - 200 x 0.3 ms) / (0.5 - 200 x 0.4 ms) = 13.9.
  assert.is(plan({ agents: 4_320_000, masterBytes: 1e15 }).redis?.masters, 14);
});

capacity('says that no number of masters is enough if each is busy with the changes of others', () => {
  const { redis } = plan({ agents: 4_320_000 }, withRedis({ accept: 0.01 }));
  assert.is(redis?.masters, Number.POSITIVE_INFINITY);
});

capacity('names the memory of one master first if it is full before its processor', () => {
  // 17.28 GB hold 864,000 workspaces. Half of a processor takes 25 visits of 20 ms a second.
  const [first, second] = plan().redis?.ofOne ?? [];
  assert.is(first?.what, 'the memory of the master');
  isNear(first?.agents, 864_000);
  isNear(second?.agents, 1_080_000);
});

capacity('predicts the time of a visit on one instance and one master', () => {
  const { instances, masters } = predictVisit(costs, costs.redis, 1, 1);
  isNear(instances, 0.12);
  isNear(masters, 0.02);
});

capacity('predicts the time of a visit on two instances and three masters', () => {
  const { instances, masters } = predictVisit(costs, costs.redis, 2, 3);
  // 120 ms, and 2 changes are received by the other instance.
  isNear(instances, 0.122);
  // 20 ms, and 2 changes are sent to the other instance, forwarded to 5 nodes, and accepted by 2 masters.
  isNear(masters, 0.0228);
});

/** A visit takes this much more if its requests go to different instances. */
const spread = withRedis({ spread: { instance: 0.0295, server: 0.01 } });

capacity('adds what visits take in addition on several instances', () => {
  // 100 visits a second x 149.5 ms = 14.95 seconds. (14.95 - 0.2) / (0.5 - 0.2) = 49.2.
  assert.is(plan({ agents: 4_320_000 }, spread).redis?.instances, 50);
});

capacity('adds nothing to visits on one instance', () => {
  isNear(predictVisit(costs, spread.redis, 1, 1).instances, 0.12);
});

capacity('adds what visits take of the masters in addition on several instances', () => {
  isNear(predictVisit(costs, spread.redis, 2, 3).masters, 0.0328);
});

capacity('plans SQLite alone if Redis was not measured', () => {
  assert.is(plan({}, { redis: undefined }).redis, undefined);
});

capacity.run();
