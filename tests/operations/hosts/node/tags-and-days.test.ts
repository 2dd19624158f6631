/** The tags of public reads while days pass. */
import type { IncomingMessage } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildService } from '../../../../src/hosts/build/build-service.ts';
import { describeTable } from '../../../../src/hosts/node/describe-table.ts';
import { createAnswerCache, createKeepReplies } from '../../../../src/hosts/node/reply-cache.ts';
import { createAnswer } from '../../../../src/kernel/answer.ts';
import type { Call, Reply } from '../../../../src/kernel/call.ts';
import { dayMs } from '../../../../src/kernel/text.ts';
import { operations } from '../../../../src/table.ts';
import { World } from '../../../support/world.ts';

const tags = suite('tags and days');

const answers = createAnswerCache();
const start = Date.parse('2027-03-01T23:59:00Z');
const world = new World({
  now: start,
  cache: answers,
  catalogue: { ...buildService().catalogue, build: 'one' },
});
const answer = createAnswer(world.service);
const keepReplies = createKeepReplies(describeTable(world.service.operations), answers);

/** Reads an address as the host does, with the reply cache in front of the core. */
function read(address: string, tag?: string): Promise<Reply> | Reply {
  const [path = '', query = ''] = address.split('?');
  const headers = { host: 'localhost', ...(tag !== undefined && { 'if-none-match': tag }) };
  const call: Call = { method: 'GET', path, query, headers, body: new Uint8Array() };
  const request = { method: 'GET', url: address, headers } as unknown as IncomingMessage;
  return keepReplies(request, { path, query }, () => answer(call));
}

const ids: Record<string, string> = {
  '/occupations/': '15-1252.00',
  '/candidates/': 'cand_001',
  '/job-orders/': 'job_001',
  '/placements/': 'plc_001',
};
const addresses = operations
  .filter(({ method, access }) => method === 'GET' && access.workspace !== 'required' && !access.capability)
  .flatMap(({ path, input }) => {
    const id = Object.entries(ids).find(([beginning]) => path.startsWith(beginning))?.[1] ?? 'none';
    const plain = path.replace('{id}', id);
    const isList = 'limit' in input.entries;
    return [plain, ...(isList ? [`${plain}?limit=3`, `${plain}?occupation=15-1252.00`] : [])];
  });

tags('a tag is met at the moment at which it is sent, and moves only with its answer', async () => {
  const before = new Map<string, { tag: string; body: string }>();
  for (const days of [0, 1, 2, 30, 400]) {
    world.clock.now = start + days * dayMs;
    for (const address of addresses) {
      // The second reply is cached, and the third comes from the cache.
      for (let times = 0; times < 2; times += 1) await read(address);
      const { headers, body } = await read(address);
      const { ETag: tag } = headers;
      if (tag === undefined) continue;
      assert.is((await read(address, tag)).status, 304, `${address} after ${days} days`);
      const last = before.get(address) ?? { tag, body };
      assert.is(tag === last.tag, body === last.body, `${address} after ${days} days`);
      before.set(address, { tag, body });
    }
  }
  assert.ok(before.size > 10);
});

tags('a tag without its quotes is read as one with them', async () => {
  for (const address of addresses) {
    const { ETag: tag } = (await read(address)).headers;
    if (tag === undefined) continue;
    const bare = tag.replaceAll('"', '');
    for (const sent of [bare, `"other", ${bare}`, `${bare}, other`, bare.replace('W/', '')])
      assert.is((await read(address, sent)).status, 304, `${address} ${sent}`);
    assert.is((await read(address, `${bare}x`)).status, 200, address);
  }
});

tags.run();
