import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import {
  checkInput,
  checkNearMisses,
  isLikeWorkspace,
  parseBody,
  parseQuery,
  readText,
  refuseIssues,
  warnUnknown,
} from '../../../src/kernel/input.ts';
import type { NearMisses } from '../../../src/kernel/near-miss.ts';
import { commaFilterSchema, filterSchema } from '../../../src/kernel/page.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { formatWording } from '../../../src/kernel/wording.ts';
import { toChance } from '../../support/people.ts';

const inputs = suite('arguments as they are sent');

const schema = v.object({
  q: filterSchema('Query', 'A text.'),
  limit: v.optional(v.number()),
  open: v.optional(v.nullable(v.boolean())),
  status: commaFilterSchema('Status', 'Statuses.', 'open,closed'),
});
const misses: NearMisses = {
  words: { quantity: ['limit'] },
  notes: {},
  absent: { page: 'use cursor' },
  fillers: [],
};

const pieces = [
  'q',
  'limit',
  'a',
  'b',
  '=',
  '=',
  '&',
  '&',
  '1',
  'x',
  '+',
  '%20',
  '%C3%A9',
  '%',
  '%zz',
  ' ',
  ';',
];

inputs('a query is read as WHATWG URL reads it, the first value of each name', () => {
  const chance = toChance(141);
  const read = { plain: 0, encoded: 0 };
  for (let round = 0; round < 5000; round += 1) {
    const query = Array.from({ length: chance(12) }, () => pieces[chance(pieces.length)]!).join('');
    const expected = new Map<string, string>();
    for (const [name, value] of new URLSearchParams(`&${query}`))
      if (!expected.has(name)) expected.set(name, value);
    const { args } = parseQuery(query, v.object({}));
    const names = Object.keys(args);
    assert.equal(names.toSorted(), [...expected.keys()].toSorted(), query);
    for (const name of names) assert.is(args[name], expected.get(name)!.trim(), query);
    read[/[%+]/.test(query) ? 'encoded' : 'plain'] += 1;
  }
  assert.ok(read.plain > 500, `${read.plain} plain`);
});

inputs('a name that is given twice is an issue, and another is none', () => {
  const paths = (query: string) => parseQuery(query, schema).issues.map(({ path }) => path);
  assert.equal(paths('a=1&b=2'), []);
  assert.equal(paths('a=1&b=2&a=1&b=3'), ['a', 'b']);
  assert.equal(paths('__proto__=1&constructor=2&toString=3'), []);
});

inputs('a known name in brackets is an issue that says how to send its values', () => {
  const messages = (query: string) => parseQuery(query, schema).issues.map(({ message }) => message);
  assert.equal(messages('limit[]=5'), ['is not read as limit[]; send limit=5']);
  assert.equal(messages('q[0]=a&q[1]= b '), ['is not read as q[]; send q=a,b']);
  assert.equal(messages('status[]=open'), [
    'is not read as status[]; send status=open,closed, with commas between several values',
  ]);
  assert.equal(messages('status[]=a&status[]=b'), [
    'is not read as status[]; send status=a,b, with commas between several values',
  ]);
  assert.equal(messages('other[]=1&limit[=1&limit]=1&[]=1&limit[a]b=1'), []);
  assert.equal({ ...parseQuery('other[]=1', schema).args }, { 'other[]': '1' });
});

inputs('a value of a query is a number or a boolean if its member is one', () => {
  const { args } = parseQuery('limit=5&open=TRUE&q=5&other=5', schema);
  assert.equal({ ...args }, { limit: 5, open: true, q: '5', other: '5' });
});

inputs('a decimal is a number, and any other text stays a text', () => {
  const number = v.optional(v.number());
  for (const text of ['0', '5', '-5', '+5', '5.', '.5', '1.5', '1e3', '1E-3', '007', `${'1'.repeat(40)}`])
    assert.is(readText(number, text), Number(text), text);
  for (const text of ['', ' 5', '0x5', '1_000', '1,5', 'NaN', 'Infinity', '.', '1e', '--1', '1'.repeat(41)])
    assert.is(readText(number, text), text, text);
});

inputs('true and false are booleans in any case, and any other text stays a text', () => {
  const boolean = v.boolean();
  for (const text of ['true', 'True', 'TRUE']) assert.is(readText(boolean, text), true);
  for (const text of ['false', 'FALSE']) assert.is(readText(boolean, text), false);
  for (const text of ['1', 'yes', '', 'true ']) assert.is(readText(boolean, text), text);
  assert.is(readText(undefined, '5'), '5');
  assert.is(readText(v.string(), 'true'), 'true');
});

const encoder = new TextEncoder();
const notJson = () => new Refusal('unsupported_media');
const readCode = (text: string) => {
  try {
    parseBody(encoder.encode(text), notJson);
    return undefined;
  } catch (error) {
    return (error as Refusal).envelope.code;
  }
};

inputs('a body is one JSON object', () => {
  assert.equal(parseBody(encoder.encode('{"a":1}'), notJson), { a: 1 });
  for (const text of ['[]', '1', 'null', '"a"', 'true']) assert.is(readCode(text), 'not_an_object', text);
  for (const text of ['', '{', '{a:1}', "{'a':1}"]) assert.is(readCode(text), 'unsupported_media', text);
  assert.is(readCode('['.repeat(200)), 'invalid_json');
});

const changes = v.object({
  name: v.string(),
  note: v.optional(v.nullable(v.string())),
  metro: v.nullable(v.optional(v.string())),
  size: v.optional(v.number()),
});

const kinds = v.object({
  kind: v.picklist(['a', 'b']),
  count: v.number(),
  items: v.array(v.object({ a: v.string() })),
});

inputs('a missing member is named with the values that it can have', () => {
  const issues = checkInput(kinds, { items: [{ a: 'x' }, {}] });
  assert.equal(issues, [
    { path: 'kind', message: 'is missing; send one of a, b' },
    { path: 'count', message: 'is missing; send it' },
    { path: 'items[1].a', message: 'is missing; send it' },
  ]);
  assert.equal(checkInput(kinds, { kind: 'a', count: 1, items: [] }), []);
});

inputs('the names that callers use for the workspace', () => {
  for (const name of ['workspace', 'workspaceId', 'workspace_id', 'X-Workspace', 'ws', 'ws-id', 'xWorkspace'])
    assert.ok(isLikeWorkspace(name), name);
  for (const name of ['workspaces', 'works', 'id', 'my_workspace']) assert.not(isLikeWorkspace(name), name);
});

/** The warnings for names, as HTTP says them. */
const warn = (args: object, access?: object, at?: string) =>
  warnUnknown({ ...args }, { input: schema, ...(access && { access }) } as never, misses, {
    at: at ?? '',
  }).map(({ path, message, refusal }) => [path, formatWording(message), formatWording(refusal ?? '')]);

inputs('an unknown name warns with what was probably meant', () => {
  assert.equal(warn({ limits: 1 }), [
    [
      'limits',
      'is not known here and is not read; did you mean limit?',
      'is not known here; did you mean limit?',
    ],
  ]);
  assert.equal(warn({ colour: 1 }, undefined, 'items[0].'), [
    ['items[0].colour', 'is not known here and is not read', 'is not known here; leave it out'],
  ]);
  assert.match(warn({ page: 1 })[0]![1]!, 'use cursor');
  assert.match(warn({ colour: { q: 1 } })[0]![1]!, 'send its members themselves, not inside colour');
});

inputs('a name for the workspace is referred to the header where one is read', () => {
  assert.match(warn({ ws: 1 }, { workspace: true })[0]![1]!, 'send the header X-Workspace');
  assert.not.match(warn({ ws: 1 })[0]![1]!, 'X-Workspace');
});

inputs('a wish to clear a member is referred to null', () => {
  const clear = (value: unknown) =>
    formatWording(warnUnknown({ clear: value }, { input: changes }, misses)[0]!.message).split('; ')[1];
  assert.is(clear('metro'), 'to remove a member, send it as null: {"metro": null}');
  assert.is(clear(['name', 'metro']), 'to remove a member, send it as null: {"metro": null}');
  assert.is(clear('other'), 'to remove a member, send it as null: {"note": null}');
});

inputs('the first 20 unknown names are explained, and all are counted', () => {
  const args = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`limits${at}`, 1]));
  const named = warn(args);
  assert.is(named.length, 30);
  assert.is(named.filter(([path]) => path !== '').length, 20);
});

const missing = v.object({ name: v.string(), count: v.number(), note: v.optional(v.string()) });
const findMisses = (args: object, room?: number) =>
  checkNearMisses({ ...args }, { input: missing }, misses, {
    at: 'a.',
    ...(room !== undefined && { room }),
  }).map(({ path, message }) => [path, formatWording(message)]);

inputs('an unknown name that is like a missing member is that member', () => {
  assert.equal(findMisses({ nmae: 'x', names: 'y' }), [
    ['a.name', 'is missing; send what you sent as names'],
  ]);
  assert.equal(findMisses({ name: 'x', count: 1, notes: 'y' }), [
    ['a.notes', 'is not read; did you mean note?'],
  ]);
  assert.equal(findMisses({ name: 'x', count: 1, colour: 'y' }), []);
  assert.equal(findMisses({ names: 'x' }, 0), []);
});

const refuse = (args: object, earlier: string[], found: string[]) => {
  const make = (paths: string[], message: string) => paths.map((path) => ({ path, message }));
  const issues = { earlier: make(earlier, 'early'), found: make(found, 'found') };
  try {
    refuseIssues({ input: missing }, { ...args }, issues, misses);
    return undefined;
  } catch (error) {
    return (error as Refusal).envelope.issues?.map(({ path, message }) => `${path} ${message}`);
  }
};

inputs('a refusal has the first issue of each place, earlier ones first', () => {
  assert.is(refuse({ names: 1 }, [], []), undefined);
  assert.equal(refuse({}, ['b'], []), ['b early']);
  assert.equal(refuse({}, [], ['a']), ['a found']);
  assert.equal(refuse({ names: 1 }, ['b'], ['a', 'b', 'name', 'a']), [
    'b early',
    'name is missing; send what you sent as names',
    'a found',
  ]);
});

inputs.run();
