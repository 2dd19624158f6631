import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { largestBody } from '../../../../src/kernel/operation.ts';
import { operations } from '../../../../src/table.ts';
import { connect, type Reply } from '../../../support/http.ts';
import { openFor } from '../../../support/open-host.ts';

const rate = suite('the weight of many records in the rate limit');
const quota = 1000;
const server = await openFor(rate, {
  TRUST_PROXY: '1',
  RATE_LIMIT_LIVE: String(quota),
  RATE_LIMIT_MINT: '1000',
  RECORD_CEILING: '1000',
  LOG: 'off',
});
const client = await connect(server.origin);

let last = 0;
function makeCaller(): Record<string, string> {
  last += 1;
  return { 'X-Forwarded-For': `203.0.113.${last}` };
}

const candidate = { name: 'A', onetCode: '15-1252.00' };
const repeat = <T>(count: number, value: T): T[] => Array(count).fill(value);
const toCsv = (count: number, title = 'Registered Nurse') =>
  `Name,Job Title\n${`A,${title}\n`.repeat(count)}`;
const toImport = (text: string, more: object = {}) => ({ format: 'csv', kind: 'candidates', text, ...more });
const kib = (count: number) => 'x'.repeat(count * 1024);

/** What is sent to an operation, and how many calls it counts as. */
const sent: [operationId: string, title: string, args: object, weight: number][] = [
  ['createBatch', 'of 1 record', { candidates: [candidate] }, 1],
  ['createBatch', 'of 10 records', { candidates: repeat(10, candidate) }, 1],
  ['createBatch', 'of 11 records', { candidates: repeat(11, candidate) }, 2],
  ['createBatch', 'of 200 records', { candidates: repeat(200, candidate) }, 20],
  ['createBatch', 'of 200 wrong records', { candidates: repeat(200, { name: 1 }) }, 20],
  [
    'createBatch',
    'of 200 titles for codes',
    { candidates: repeat(200, { name: 'A', onetCode: 'nurse' }) },
    20,
  ],
  ['createBatch', 'of 60 changes', { changes: repeat(60, { id: '#none', name: 'B' }) }, 6],
  ['createBatch', 'of 1 record and 130 KiB', { candidates: [{ ...candidate, extra: kib(130) }] }, 3],
  ['createBatch', 'of 200 records and 130 KiB', { candidates: repeat(200, candidate), extra: kib(130) }, 20],
  ['importRecords', 'of 200 rows, dry', toImport(toCsv(200)), 20],
  ['importRecords', 'of 35 rows', toImport(toCsv(35), { dryRun: false }), 4],
  ['importRecords', 'of 200 rows that are refused', toImport(toCsv(200, 'zzz'), { dryRun: false }), 20],
  ['importRecords', 'of 130 KiB that are refused', toImport(kib(130)), 3],
  ['importRecords', 'of 30 résumés', { format: 'resume', data: repeat(30, { basics: { name: 'A' } }) }, 3],
];

const findUsed = ({ headers }: Reply) =>
  quota - Number(/"live";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
const paths: Record<string, string> = { createBatch: '/batch', importRecords: '/imports' };

for (const [operationId, title, args, weight] of sent) {
  rate(`${operationId} ${title} counts as ${weight} over HTTP`, async () => {
    assert.is(findUsed(await client.post(paths[operationId]!, args, makeCaller())), weight);
  });

  rate(`${operationId} ${title} counts as ${weight} over MCP`, async () => {
    const answer = await client.rpc('tools/call', { name: operationId, arguments: args }, makeCaller());
    assert.is(findUsed(answer), weight);
  });
}

rate('every operation that takes a large body of its own has a weight', () => {
  const large = operations.filter(({ bodyLimit, rawBody }) => bodyLimit === largestBody && !rawBody);
  assert.equal(
    large.filter(({ isBulk }) => !isBulk).map(({ operationId }) => operationId),
    [],
  );
  assert.equal(large.map(({ operationId }) => operationId).sort(), Object.keys(paths).sort());
});

rate('sixty full batches a minute are enough for the usual quota', () => {
  const [, , , weight] = sent.find(([, title]) => title === 'of 200 records')!;
  assert.is(60 * weight, 1200);
});

for (const [operationId, args] of [
  ['createBatch', { candidates: repeat(200, candidate) }],
  ['importRecords', toImport(toCsv(200), { dryRun: false })],
] as const)
  rate(`the replay of a ${operationId} counts as one`, async () => {
    const caller = makeCaller();
    const headers = { ...caller, 'Idempotency-Key': `a-key-of-${operationId}-for-a-replay` };
    const first = await client.post(paths[operationId]!, args, headers);
    assert.is(first.status, 201);
    const again = await client.post(paths[operationId]!, args, headers);
    assert.is(again.headers.get('idempotency-replayed'), 'true');
    assert.is(findUsed(again), 21);
    assert.is(findUsed(await client.get('/candidates?limit=1', caller)), 22);
  });

rate.run();
