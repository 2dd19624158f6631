import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';
import { onetCode } from '../../support/sandbox.ts';

const bodies = suite('bodies');

/** The operations with POST, by their path in the contract. */
const posts = Object.entries<Body>(client.contract.paths).flatMap(([path, { post }]) =>
  post && path !== '/mcp' ? [{ path: path.replace('{id}', 'job_001'), post }] : [],
);

bodies('a POST without one is {}', async () => {
  for (const { path } of posts)
    assert.is.not((await client.post(path, undefined)).body.code, 'invalid_json', path);
});

bodies('a POST has members that it needs exactly if the contract requires a body', async () => {
  const mine = { 'X-Workspace': (await client.post('/candidates', { name: 'A', onetCode })).body.workspace };
  for (const { path, post } of posts) {
    const { status, body } = await client.post(path, undefined, mine);
    // A token is checked first.
    if (status === 401 || body.type === 'EMPTY') continue;
    const isMissing = /is missing; send/.test(JSON.stringify(body.issues ?? []));
    assert.is(post.requestBody.required, isMissing, `${path} ${JSON.stringify(body)}`);
  }
});

bodies('a PATCH without one is refused', async () => {
  const { workspace, candidate } = (await client.post('/candidates', { name: 'A', onetCode })).body;
  const { body } = await client.patch(candidate.links.self, undefined, { 'X-Workspace': workspace });
  assert.is(body.code, 'invalid_json');
});

bodies('unknown members are ignored with a warning, and never stored', async () => {
  const json = `{"name":"A","onetCode":"${onetCode}","__proto__":{"polluted":1},"constructor":{"a":1},"id":"cand_001","status":"placed","example":true,"toString":1}`;
  const { status, body } = await client.post('/candidates', json);
  assert.is(status, 201);
  const unknown = ['__proto__', 'constructor', 'id', 'status', 'example', 'toString'];
  assert.equal(pluck(body.warnings, 'path').sort(), unknown.sort());
  for (const { message } of body.warnings) assert.match(message, /not known here and is not read/);
  const { candidate } = body;
  assert.is.not(candidate.id, 'cand_001');
  assert.is(candidate.status, 'available');
  assert.is(candidate.example, false);
  assert.not.ok(Object.hasOwn(candidate, 'constructor') || 'polluted' in candidate);
});

bodies('inherited members do not count', async () => {
  const { status } = await client.post('/candidates', '{"__proto__":{"name":"A","onetCode":"15-1252.00"}}');
  assert.is(status, 400);
});

bodies.run();
