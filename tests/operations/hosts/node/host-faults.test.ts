import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeTable } from '../../../../src/hosts/node/describe-table.ts';
import type { FrozenPack } from '../../../../src/hosts/node/frozen.ts';
import { createLive } from '../../../../src/hosts/node/live.ts';
import { noMetrics } from '../../../../src/hosts/node/metrics.ts';
import type { ServedRequest } from '../../../../src/hosts/node/request.ts';
import { createEdge } from '../../../../src/hosts/node/server.ts';
import { readSettings } from '../../../../src/hosts/node/settings.ts';
import type { Reply } from '../../../../src/kernel/call.ts';
import { operations } from '../../../../src/table.ts';

const faults = suite('faults of the host');

const good: Reply = {
  status: 200,
  headers: { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' },
  body: 'good',
};
const broken = (where: string) => (): never => {
  throw new TypeError(`${where} is broken`);
};
const brokenLater = (where: string) => async (): Promise<never> => broken(where)();
const address = (file: string) => [`/${file}`, { address: { file } }] as const;

/** Working parts of a host. A test replaces one with a broken part. */
const workingLive = {
  answer: (): Reply | Promise<Reply> => good,
  limits: { admitLive: () => ({}), giveBackLive() {} },
  keepReplies: (_request: unknown, _target: unknown, make: () => Reply | Promise<Reply>) => make(),
  table: describeTable(operations),
  isBypassed: false,
  tag: 'test',
};
type LiveParts = Partial<Parameters<typeof createLive>[0]>;
type ServerParts = Partial<Parameters<typeof createEdge>[0]>;

/** Serves in this process with the given parts, and requests a path once. */
async function askBroken(path: string, live: LiveParts, parts: ServerParts = {}) {
  const reported: string[] = [];
  const answered: [status: number, code: string | undefined][] = [];
  const answers = {
    reportFrozen: () => {},
    reportLive: ({ status, code }: ServedRequest) => void answered.push([status, code]),
  };
  const lost: unknown[] = [];
  const note = (error: unknown) => lost.push(error);
  process.on('unhandledRejection', note);
  const report = (error: unknown) => void reported.push(String(error));
  const frozen = {
    home: () => undefined,
    addresses: new Map([address('frozen'), address('stale')]),
    stale: new Set(['stale']),
    variantsOf: broken('the file'),
  } as unknown as FrozenPack;
  const { server } = createEdge({
    frozen,
    refresh: async () => {},
    serveLive: createLive({ ...workingLive, answers, report, ...live }),
    metrics: noMetrics,
    metricsText: undefined,
    answers,
    report,
    warn: () => {},
    settings: readSettings({}),
    ...parts,
  });
  server.listen(0);
  const { port } = server.address() as AddressInfo;
  const reply = await fetch(`http://127.0.0.1:${port}${path}`);
  const text = await reply.text();
  process.off('unhandledRejection', note);
  server.close();
  server.closeAllConnections();
  return { status: reply.status, text, reported, answered, lost };
}

const rows: [what: string, path: string, fault: string, live: LiveParts, parts?: ServerParts][] = [
  ['in the cache of replies', '/live', 'the cache', { keepReplies: broken('the cache') }],
  ['in a limit', '/live', 'the limit', { limits: { admitLive: broken('the limit'), giveBackLive() {} } }],
  [
    'in a limit that has to be waited for',
    '/live',
    'the limit',
    { limits: { admitLive: brokenLater('the limit'), giveBackLive() {} } },
  ],
  ['in the core', '/live', 'the core', { answer: broken('the core') }],
  ['in the core, later', '/live', 'the core', { answer: brokenLater('the core') }],
  ['in a file', '/frozen', 'the file', {}],
  ['in a file that is renewed', '/stale', 'the renewal', {}, { refresh: brokenLater('the renewal') }],
  ['in a file after it was renewed', '/stale', 'the file', {}],
  ['in /metrics', '/metrics', 'the metrics', {}, { metricsText: broken('the metrics') }],
];

for (const [what, path, fault, live, parts] of rows) {
  faults(`a fault ${what} is answered 500`, async () => {
    const { status, text } = await askBroken(path, live, parts);
    assert.is(status, 500);
    assert.is(JSON.parse(text).code, 'internal');
  });

  faults(`a fault ${what} is reported once`, async () => {
    const { reported } = await askBroken(path, live, parts);
    assert.equal(reported, [`TypeError: ${fault} is broken`]);
  });

  faults(`a fault ${what} is one answer in the log and the metrics`, async () => {
    const { answered } = await askBroken(path, live, parts);
    assert.equal(answered, [[500, 'internal']]);
  });

  faults(`a fault ${what} leaves no unhandled rejection`, async () => {
    const { lost } = await askBroken(path, live, parts);
    assert.equal(lost, []);
  });
}

const brokenHeader: Reply = { ...good, headers: { ...good.headers, 'X-Broken': 'a\nb' } };
for (const [when, answer] of Object.entries({
  'at once': () => brokenHeader,
  later: async () => brokenHeader,
})) {
  faults(`a reply that cannot be written, ${when}, is a 500`, async () => {
    const { status, answered, lost } = await askBroken('/live', { answer });
    assert.is(status, 500);
    assert.equal(answered, [[500, 'internal']]);
    assert.equal(lost, []);
  });
}

faults('a fault after a reply was sent is reported, and the reply arrives', async () => {
  const { status, text, reported } = await askBroken('/live', { answers: { reportLive: broken('the log') } });
  assert.is(status, 200);
  assert.is(text, 'good');
  assert.equal(reported, ['TypeError: the log is broken']);
});

faults.run();
