import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withResponses } from '../support/contract.ts';
import { pluck } from '../support/rows.ts';
import { useServer } from '../support/server.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as plain JSON
type Json = any;

const openapi = suite('the contract');
const server = await useServer();
const text = await (await fetch(`${server.origin}/openapi.json`)).text();
const contract: Json = withResponses(JSON.parse(text));
const operations: Json[] = Object.entries<Json>(contract.paths).flatMap(([path, verbs]) =>
  Object.entries<Json>(verbs).map(([verb, operation]) => ({ path, verb, ...operation })),
);

/** Every object of a document, with where it stands. */
function* walk(node: Json, place = '#'): Generator<[place: string, node: Json]> {
  if (typeof node !== 'object' || node === null) return;
  yield [place, node];
  for (const [name, member] of Object.entries(node)) yield* walk(member, `${place}/${name}`);
}

/** What a JSON Pointer in a fragment (RFC 6901, section 6) names. */
function resolve(ref: string): Json {
  assert.match(ref, /^#\//, `${ref} stays in the document`);
  const parts = ref.slice(2).split('/').map(decodeURIComponent);
  return parts.reduce((node, part) => node?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], contract);
}

openapi('is OpenAPI 3.1 with an info, a licence and addresses of its own', () => {
  assert.match(contract.openapi, /^3\.1\.\d+$/);
  assert.ok(contract.info.title && contract.info.version && contract.info.license.name);
  for (const { url } of contract.servers) assert.ok(URL.canParse(url, server.origin), url);
  for (const path of Object.keys(contract.paths)) assert.match(path, /^\/[^?#]*$/);
});

openapi('asks for no key anywhere', () => {
  assert.equal(contract.security, []);
  assert.is(contract.components.securitySchemes, undefined);
  for (const { operationId, security } of operations) assert.equal(security, [], operationId);
});

openapi('names every operation once, in a form that a generator can use', () => {
  const ids = pluck(operations, 'operationId');
  assert.is(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[a-z][A-Za-z]+$/);
});

openapi('resolves every reference, and refers to every component', () => {
  const refs = [...walk(JSON.parse(text))].flatMap(([, node]) =>
    typeof node.$ref === 'string' ? [node.$ref] : [],
  );
  assert.ok(refs.length > 0);
  for (const ref of refs) assert.type(resolve(ref), 'object', ref);
  for (const kind of ['schemas', 'headers', 'parameters', 'responses'])
    for (const name of Object.keys(contract.components[kind]))
      assert.ok(refs.includes(`#/components/${kind}/${name}`), `${name} is referred to`);
});

openapi('has only schemas of JSON Schema 2020-12', () => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addVocabulary(['components', 'discriminator']);
  const { components } = contract;
  const schemas = [...walk(contract.paths)].filter(([place]) => place.endsWith('/schema'));
  assert.ok(schemas.length > 50);
  for (const [place, schema] of schemas)
    assert.not.throws(() => ajv.compile({ ...schema, components }), `${place} compiles`);
});

openapi('has a schema for every success with a body, and one for every refusal', () => {
  for (const { operationId, responses } of operations) {
    assert.ok(responses.default, `${operationId} says what any other status is`);
    const statuses = Object.keys(responses).filter((status) => status !== 'default');
    const answers = statuses.filter((status) => /^2/.test(status) || operationId === 'getOffer');
    assert.ok(answers.length > 0, `${operationId} has an answer`);
    for (const [status, { description, content }] of Object.entries<Json>(responses)) {
      assert.match(description, /\S/, `${operationId} ${status}`);
      if (status === '202') {
        assert.is(content, undefined, 'a notification taken has no body');
        continue;
      }
      const media = Object.entries<Json>(content ?? {});
      assert.ok(media.length > 0, `${operationId} ${status} has content`);
      for (const [type, { schema }] of media) assert.ok(schema, `${operationId} ${status} ${type}`);
    }
  }
});

openapi('describes every parameter and types it, and says where a body is needed', () => {
  for (const { operationId, verb, path, parameters = [], requestBody } of operations) {
    const names = parameters.map(({ name, in: place }: Json) => `${place} ${name}`);
    assert.is(new Set(names).size, names.length, operationId);
    for (const { name, in: place, required, description, schema } of parameters) {
      assert.match(description ?? '', /\S/, `${operationId} ${name}`);
      assert.ok(schema.type, `${operationId} ${name} has a type`);
      if (place === 'path') assert.is(required, true, `${operationId} ${name}`);
    }
    assert.is(requestBody?.required, verb === 'post' || verb === 'patch' ? true : undefined, operationId);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path ${name}`);
    assert.equal(
      names.filter((name: string) => name.startsWith('path ')),
      inPath,
      operationId,
    );
  }
});

openapi.run();
