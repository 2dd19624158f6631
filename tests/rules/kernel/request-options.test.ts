import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Call,
  isNavigation,
  joinPieces,
  noteWorkspace,
  pickLogFields,
  readMediaType,
  readRequestOptions,
} from '../../../src/kernel/call.ts';
import { Json } from '../../../src/kernel/json.ts';
import { toChance } from '../../support/people.ts';

const options = suite('what a request says beside its arguments');

const makeCall = (headers: Call['headers'] = {}, method = 'POST'): Call => ({
  method,
  path: '/',
  query: '',
  headers,
  body: new Uint8Array(),
});
const read = (headers: Call['headers'], method?: string) => readRequestOptions(makeCall(headers, method));

const preferences = {
  'handling=strict': { isStrict: true },
  'return=minimal': { isMinimal: true },
  'wait=7': { waitSeconds: 7 },
  'handling=lenient': {},
  'return=representation': {},
  'respond-async': {},
  strict: {},
  'handling=strict=1': { isStrict: true },
};
const none = { isStrict: false, isMinimal: false, waitSeconds: undefined };
const pick = ({ isStrict, isMinimal, waitSeconds }: ReturnType<typeof read>) => ({
  isStrict,
  isMinimal,
  waitSeconds,
});

options('each preference of a field counts, in any case, quoted or not, whatever separates them', () => {
  const chance = toChance(121);
  const entries = Object.entries(preferences);
  for (let round = 0; round < 500; round += 1) {
    const drawn = entries.map((entry) => ({ entry, key: chance(1000) })).sort((a, b) => a.key - b.key);
    const chosen = drawn.slice(0, 1 + chance(3)).map(({ entry }) => entry);
    const names = chosen.map(([text]) => text.split('=')[0]);
    if (new Set(names).size < names.length) continue;
    const write = (text: string) => {
      const [name, value] = text.split('=');
      const form = value !== undefined && chance(3) === 0 ? `${name} = "${value}"` : text;
      return chance(2) === 0 ? form.toUpperCase() : form;
    };
    const field = chosen.map(([text]) => write(text)).join([', ', ',', '; '][chance(3)]);
    const expected = Object.assign({ ...none }, ...chosen.map(([, meaning]) => meaning));
    assert.equal(pick(read({ prefer: field })), expected, field);
    assert.equal(pick(read({ prefer: chosen.map(([text]) => text) })), expected, 'as several fields');
  }
});

options('of a preference that is sent twice, the first value counts', () => {
  assert.is(read({ prefer: 'handling=lenient, handling=strict' }).isStrict, false);
  assert.is(read({ prefer: 'handling, handling=strict' }).isStrict, true);
  assert.is(read({ prefer: 'wait=3, wait=9' }).waitSeconds, 3);
});

options('a field is read up to 1,000 characters', () => {
  assert.is(read({ prefer: `${'a'.repeat(984)},handling=strict` }).isStrict, true);
  assert.is(read({ prefer: `${'a'.repeat(985)},handling=strict` }).isStrict, false);
});

options('a bearer is read from Authorization, in any case', () => {
  for (const field of ['Bearer abc.~+/=-_9', 'bearer  abc.~+/=-_9', ' BEARER abc.~+/=-_9 '])
    assert.is(read({ authorization: field }).bearer, 'abc.~+/=-_9', field);
  for (const field of ['Basic abc', 'Bearer', 'Bearer ', 'Bearer a b', 'Bearer a,b', 'xBearer a'])
    assert.is(read({ authorization: field }).bearer, undefined, field);
});

const sent = {
  'x-workspace': 'ws_1',
  'idempotency-key': 'key',
  'x-actor': 'Ada',
  'if-match': '"a"',
  'if-none-match': '"b"',
  'x-share': 'shr_1',
};

options('a read has If-None-Match and no actor, and a change has an actor and no If-None-Match', () => {
  const common = { workspaceId: 'ws_1', bearer: undefined, isStrict: false, key: 'key', ifMatch: '"a"' };
  for (const method of ['GET', 'HEAD']) assert.equal(read(sent, method), { ...common, ifNoneMatch: '"b"' });
  for (const method of ['POST', 'PATCH', 'DELETE'])
    assert.equal(read(sent, method), { ...common, actor: 'Ada' });
});

options('a capability is read from its header, if the operation has one', () => {
  assert.is(readRequestOptions(makeCall(sent), { header: 'X-Share' }).capability, 'shr_1');
  assert.is(read(sent).capability, undefined);
});

options('the first of several values of a header counts', () => {
  assert.is(read({ 'x-workspace': ['ws_1', 'ws_2'] }).workspaceId, 'ws_1');
});

options('a media type is in lower case, without parameters', () => {
  const types = { 'Application/JSON; charset=utf-8': 'application/json', ' text/csv ': 'text/csv', '': '' };
  for (const [field, type] of Object.entries(types))
    assert.is(readMediaType(makeCall({ 'content-type': field })), type);
  assert.is(readMediaType(makeCall()), '');
});

options('a browser shows the reply to a read of a document', () => {
  const shows = (method: string, destination?: string) =>
    isNavigation({ method, headers: { 'sec-fetch-dest': destination } });
  for (const method of ['GET', 'HEAD']) {
    assert.ok(shows(method, 'document'), method);
    assert.not(shows(method, 'empty'), method);
    assert.not(shows(method), method);
  }
  assert.not(shows('POST', 'document'));
});

options('pieces are joined in their order', () => {
  assert.is(joinPieces(['a', { text: 'b' }, 'c']), 'abc');
  assert.is(joinPieces([]), '');
});

options('a workspace is noted by the end of its hash', () => {
  const noted: { workspace?: string } = {};
  noteWorkspace({ ...makeCall(), noted }, '0123456789abcdef');
  assert.is(noted.workspace, '89abcdef');
});

const log = (body: object | string) => pickLogFields('getRecord', 'http', body);
const base = { operation: 'getRecord', door: 'http' };

options('the log names the code of a refusal and the member that it is about', () => {
  const body = {
    type: 'BLOCKED',
    code: 'invalid_request',
    issues: [{ path: 'items[0].name' }, { path: 'b' }],
  };
  assert.equal(log(body), { ...base, code: 'invalid_request', issue: 'items[0].name' });
  assert.equal(log({ type: 'BLOCKED', code: 'changed' }), { ...base, code: 'changed', issue: undefined });
});

options('the log has no path that could be more than names of members', () => {
  for (const path of ['a name', '<b>', 'a'.repeat(101), ''])
    assert.is(log({ type: 'BLOCKED', code: 'x', issues: [{ path }] }).issue, undefined, path);
  assert.is(log({ type: 'BLOCKED', code: 'x', issues: [{ path: 'a'.repeat(100) }] }).issue?.length, 100);
});

options('the log names the id of an offer, and nothing of another answer', () => {
  assert.equal(log({ type: 'OFFER', id: 'offer_1' }), { ...base, code: 'offer_1' });
  for (const body of [
    { type: 'OK', id: 'cand_1', code: 'x' },
    'a text',
    Json.of({ type: 'BLOCKED', code: 'x' }),
  ])
    assert.equal(log(body), base);
});

options.run();
