import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { onetCode, refuses, required, whole } from '../support/creates.ts';
import { type Body, type Client, connect } from '../support/http.ts';
import { type SharedServer, useServer } from '../support/server.ts';

let server: SharedServer;
let client: Client;
const bad = suite('bad bodies');
bad.before(async () => {
  server = await useServer();
  client = await connect(server.origin);
});

bad('a body that is not JSON in UTF-8 says to send one JSON object', async () => {
  const bodies = [
    '',
    ' ',
    '{',
    '{"name":"a"',
    "{'name':'a'}",
    'name=a&onetCode=15-1252.00',
    '{"a":1}{"b":2}',
    '{"a":NaN}',
  ];
  const invalid = [
    new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]),
    new Uint8Array([0xfe, 0xff, 0, 0x7b]),
    '\u0000',
  ];
  for (const path of Object.keys(whole)) {
    for (const sent of [...bodies, ...invalid]) {
      const { status, body, headers } = await client.post(path, sent);
      assert.equal([status, body.type], [400, 'BLOCKED'], `${path} ${sent}`);
      assert.match(body.reason, /Send one JSON object in UTF-8/);
      assert.is(headers.get('x-workspace'), null);
    }
  }
});

bad('a body that is JSON but no object says that it must be one', async () => {
  for (const path of Object.keys(whole)) {
    for (const sent of ['[]', '[{}]', 'null', '"text"', '1', 'true']) {
      const { status, body } = await client.post(path, sent);
      assert.equal([status, body.type], [400, 'BLOCKED'], `${path} ${sent}`);
      assert.match(body.reason, /must be one JSON object/);
    }
  }
});

bad('each required member that is missing is named, each optional one may be', async () => {
  for (const [path, sent] of Object.entries(whole)) {
    for (const name of Object.keys(sent)) {
      const { [name]: _, ...rest } = sent;
      if (required[path]!.includes(name)) await refuses(client, path, rest, name, /is missing; send it/);
      else assert.is((await client.post(path, rest)).status, 201, `${path} without ${name}`);
    }
  }
});

bad('a member of the wrong type is named with the type that it must have', async () => {
  const values: unknown[] = [null, true, {}, 5, 'text', [1]];
  for (const [path, sent] of Object.entries(whole)) {
    for (const [name, right] of Object.entries(sent).filter(([name]) => name !== 'onetCode')) {
      const isRight = (value: unknown) =>
        typeof value === typeof right && value !== null && Array.isArray(value) === Array.isArray(right);
      for (const value of values.filter((one) => !isRight(one))) {
        const type = Array.isArray(right)
          ? /must be an array of strings/
          : new RegExp(`must be a ${typeof right}`);
        await refuses(client, path, { ...sent, [name]: value }, name, type);
      }
    }
  }
  for (const value of [1, null, {}, []]) {
    await refuses(
      client,
      '/candidates',
      { name: 'A', onetCode, skills: ['Go', value] },
      'skills[1]',
      /must be a string/,
    );
  }
});

bad('every place at fault is named at once, each once', async () => {
  const sent = { client: '', title: 5, onetCode: 'x', billRateUsdHour: -1 };
  const { body } = await client.post('/job-orders', sent);
  assert.equal(body.issues.map(({ path }: Body) => path).sort(), Object.keys(sent).sort());
});

bad('members that are not known are ignored with a warning, never kept', async () => {
  const json = `{"name":"A","onetCode":"${onetCode}","__proto__":{"polluted":1},"constructor":{"a":1},"id":"cand_001","status":"placed","example":true,"toString":1}`;
  const { status, body } = await client.post('/candidates', json);
  assert.is(status, 201);
  const unknown = ['__proto__', 'constructor', 'id', 'status', 'example', 'toString'];
  assert.equal(body.warnings.map(({ path }: Body) => path).sort(), unknown.sort());
  for (const { message } of body.warnings) assert.match(message, /not known here and is not read/);
  const { candidate } = body;
  assert.is.not(candidate.id, 'cand_001');
  assert.equal([candidate.status, candidate.example], ['available', false]);
  assert.not.ok(Object.hasOwn(candidate, 'constructor') || 'polluted' in candidate);
  const missing = await client.post('/candidates', '{"__proto__":{"name":"A","onetCode":"15-1252.00"}}');
  assert.is(missing.status, 400, 'an inherited member is no member');
});

bad.run();
