import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readKeyedRequest } from '../../../src/kernel/idempotency.ts';
import type { OperationContext } from '../../../src/kernel/operation.ts';
import type { Refusal } from '../../../src/kernel/refusal.ts';
import { readBuiltContract } from '../../support/contract.ts';
import { toChance } from '../../support/people.ts';
import { smallWorkspace } from '../../support/small-table.ts';

const keyed = suite('requests under a key');

const longKey = 'a-key-of-more-than-16-characters';

interface Sent {
  key?: string;
  args?: object;
  bytes?: number;
  operationId?: string;
  isInWorkspace?: boolean;
  caller?: string;
  client?: string;
  sentId?: string;
}

/** Reads the key of a request. Its hashes are the texts that are hashed. */
function read({ key = longKey, args = {}, bytes = 10, operationId = 'create', ...sent }: Sent, more = {}) {
  const { isInWorkspace = true, caller, client, sentId } = sent;
  const context = {
    service: { platform: { sha256: (text: string) => text } },
    operation: { operationId },
    workspace: isInWorkspace ? smallWorkspace : undefined,
    call: { client, ...(caller !== undefined && { identify: () => caller }), body: { length: bytes } },
    args,
    options: { key },
    sentId,
  } as unknown as OperationContext;
  return readKeyedRequest(context, more);
}
const readKey = async (key: string, isInWorkspace = true) => (await read({ key, isInWorkspace }))?.key;
async function refuseKey(key: string, isInWorkspace = true): Promise<string> {
  try {
    await readKey(key, isInWorkspace);
    return '';
  } catch (error) {
    const { issues = [] } = (error as Refusal).envelope;
    assert.is(issues[0]?.path, 'Idempotency-Key');
    return issues[0]!.message;
  }
}

const { parameters = [] } = readBuiltContract().contract.paths['/candidates']!.post!;
/** The pattern that the contract has for a key in a workspace. */
const { pattern } = parameters.find(({ name }) => name === 'Idempotency-Key')!.schema as { pattern: string };
const isInContract = (field: string) => new RegExp(pattern).test(field);

keyed('a key is a quoted text or a bare word', async () => {
  const keys: Record<string, string> = {
    abc: 'abc',
    ' abc ': 'abc',
    '"abc"': 'abc',
    '"a b, c;d"': 'a b, c;d',
    '"a\\"b\\\\c"': 'a"b\\c',
    'a:b/c=d': 'a:b/c=d',
  };
  for (const [field, key] of Object.entries(keys)) {
    assert.is(await readKey(field), key, field);
    assert.ok(isInContract(field.trim()), field);
  }
});

keyed('two keys, other characters and other quotes are no key', async () => {
  const wrong = ['a, b', 'a;b', 'a b', '"a"b"', '"a', 'é', '"é"', '"a", "b"', '"a\\n"', '"a\tb"', '"a";b=1'];
  for (const field of wrong) {
    assert.match(await refuseKey(field), 'must be one key of ASCII characters', field);
    assert.not(isInContract(field), field);
  }
});

keyed('a key has 1 to 255 characters, and 16 at least without a workspace', async () => {
  for (const field of ['', ' ', '""', 'a'.repeat(256), `"${'a'.repeat(256)}"`]) {
    assert.match(await refuseKey(field), 'must have 1 to 255 characters', field);
    assert.not(isInContract(field), field);
  }
  for (const field of ['a', 'a'.repeat(255), `"${'a'.repeat(255)}"`]) {
    assert.is(await refuseKey(field), '', field);
    assert.ok(isInContract(field), field);
  }
  assert.match(await refuseKey('a'.repeat(15), false), 'at least 16 characters without X-Workspace');
  assert.is(await refuseKey('a'.repeat(16), false), '');
  assert.is((await read({ key: 'a', isInWorkspace: false }, { within: ['owner'] }))?.key, 'a');
});

/** Whether two requests are stored under one name, and whether the second is the same as the first. */
async function compare(one: Sent, other: Sent): Promise<[sameName: boolean, same: boolean]> {
  const [first, second] = [(await read(one))!, (await read(other))!];
  return [first.name === second.name, first.fingerprint === second.fingerprint];
}

keyed('a key counts in one workspace and for one operation', async () => {
  assert.equal(await compare({}, {}), [true, true]);
  assert.equal(await compare({}, { key: `${longKey}2` }), [false, true]);
  assert.equal(await compare({}, { operationId: 'other' }), [false, false]);
  assert.equal(await compare({}, { isInWorkspace: false }), [false, true]);
  assert.equal(await compare({}, { caller: 'another caller' }), [true, true]);
});

keyed('without a workspace a key counts for one caller, by all that is known of it', async () => {
  const none = { isInWorkspace: false };
  assert.equal(await compare({ ...none, client: 'a' }, { ...none, client: 'b' }), [false, true]);
  assert.equal(await compare({ ...none, caller: 'a', client: 'c' }, { ...none, caller: 'b', client: 'c' }), [
    false,
    true,
  ]);
  assert.equal(await compare({ ...none, caller: 'a', client: 'b' }, { ...none, caller: 'a', client: 'c' }), [
    true,
    true,
  ]);
});

keyed('requests for other records are different', async () => {
  assert.equal(await compare({ sentId: 'a' }, { sentId: 'b' }), [true, false]);
  assert.equal(await compare({}, { sentId: 'b' }), [true, false]);
  const [ofBody, ofPath] = [await read({}, { id: 'a' }), await read({ sentId: 'a' })];
  assert.is(ofBody!.fingerprint, ofPath!.fingerprint);
});

/** Returns the same value with the members of each object in another order. */
function shuffle(value: unknown, chance: (bound: number) => number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffle(item, chance));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, item]) => ({ name, item, key: chance(1000) }));
  const sorted = members.sort((a, b) => a.key - b.key);
  return Object.fromEntries(sorted.map(({ name, item }) => [name, shuffle(item, chance)]));
}

function makeValue(chance: (bound: number) => number, depth = 0): unknown {
  const kind = chance(depth > 2 ? 4 : 6);
  if (kind < 4) return [null, chance(3), ['a', 'b', '1'][chance(3)], chance(2) === 0][kind];
  const values = Array.from({ length: chance(4) }, () => makeValue(chance, depth + 1));
  return kind === 4 ? values : Object.fromEntries(values.map((value, at) => ['cab'[at]!, value]));
}

keyed('arguments are the same in any order of members, and in no other way', async () => {
  const chance = toChance(151);
  let same = 0;
  for (let round = 0; round < 1000; round += 1) {
    const args = { a: makeValue(chance), b: makeValue(chance), c: makeValue(chance) };
    const shuffled = shuffle(args, chance) as object;
    assert.equal(await compare({ args }, { args: shuffled }), [true, true], JSON.stringify(args));
    const other = { ...args, ['abc'[chance(3)]!]: makeValue(chance) };
    const isSame = JSON.stringify(args) === JSON.stringify(other);
    assert.equal(await compare({ args }, { args: other }), [true, isSame], JSON.stringify([args, other]));
    if (isSame) same += 1;
  }
  assert.ok(same > 20 && same < 980, `${same} the same`);
});

keyed('large arguments are compared as they were sent', async () => {
  const [one, other] = [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ];
  for (const [bytes, isSame] of [
    [65_536, true],
    [65_537, false],
  ] as const) {
    const compared = await compare({ args: one, bytes }, { args: other, bytes });
    assert.equal(compared, [true, isSame], `${bytes} bytes`);
  }
});

keyed.run();
